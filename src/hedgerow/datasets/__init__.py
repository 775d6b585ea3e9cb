"""datasets: small real tables to try things on.   In: a name.   Out: a Dataset.   No download, no pandas.

    from hedgerow import datasets
    titanic = datasets.titanic()          # or datasets.load("titanic")
    titanic.table, titanic.target, titanic.note, titanic.frame()

Each set is a file in data/ with a note of its source and licence beside it (tools/make_datasets.py writes
the files).
"""

from hedgerow.datasets.dataset import Dataset, Source, open_dataset
from hedgerow.docstrings import document
from hedgerow.words import did_you_mean, quote

__all__ = [
    "Dataset",
    "heart",
    "letter",
    "load",
    "names",
    "restaurant",
    "spam",
    "ten_points",
    "titanic",
    "titanic_891",
]

SOURCES = {
    source.name: source
    for source in (
        Source("restaurant", "restaurant.csv", "WillWait", orders=(("Pat", ("None", "Some", "Full")),)),
        Source("ten_points", "ten_points.csv", "label", whole_numbers=True),
        Source("titanic", "titanic.parquet", "survived"),
        Source("titanic_891", "titanic_891.parquet", "survived"),
        Source("heart", "heart.parquet", "diameter narrowing", whole_numbers=True),
        Source("letter", "letter.parquet", "lettr"),
        Source("spam", "spam.parquet", "type"),
    )
}


def names() -> tuple[str, ...]:
    """List the names `load` knows.

    Returns
    -------
    tuple of str
        Names.

    See Also
    --------
    hedgerow.datasets.load : The data set of a name.

    Examples
    --------
    >>> from hedgerow import datasets
    >>> "titanic" in datasets.names()
    True
    """
    return tuple(SOURCES)


def load(name: str) -> Dataset:
    """Load the set of this name.

    Parameters
    ----------
    name : str
        One of `names()`.

    Returns
    -------
    Dataset
        The table, the target, and a note of their source.

    Raises
    ------
    ValueError
        If no set has this name.

    See Also
    --------
    hedgerow.datasets.names : The names it knows.

    Examples
    --------
    >>> from hedgerow import datasets
    >>> datasets.load("heart").target_name
    'diameter narrowing'
    """
    if name not in SOURCES:
        known = ", ".join(SOURCES)
        raise ValueError(
            f"No data set is named {quote(name)}. Known: {known}.{did_you_mean(str(name), SOURCES)}"
        )
    return open_dataset(SOURCES[name])


def restaurant() -> Dataset:
    """Twelve evenings: wait for a table, or not. The example decision trees are taught with.

    Examples
    --------
    >>> from hedgerow import datasets
    >>> datasets.restaurant().frame().shape
    (12, 11)
    """
    return load("restaurant")


def ten_points() -> Dataset:
    """Ten points in the plane, five of each label, that three boosted stumps separate.

    Examples
    --------
    >>> from hedgerow import datasets
    >>> datasets.ten_points().frame().shape
    (10, 3)
    """
    return load("ten_points")


def titanic() -> Dataset:
    """1309 passengers: who survived. Two categories, three numbers, missing ages.

    Examples
    --------
    >>> from hedgerow import datasets
    >>> datasets.titanic().frame().shape
    (1309, 6)
    """
    return load("titanic")


def titanic_891() -> Dataset:
    """891 of the passengers, with fares and ports: the rows of lecture 004's tree.

    Examples
    --------
    >>> from hedgerow import datasets
    >>> datasets.titanic_891().frame().shape
    (891, 8)
    """
    return load("titanic_891")


def heart() -> Dataset:
    """303 patients of Cleveland: is a coronary vessel narrowed. Mixed columns, a few missing.

    Examples
    --------
    >>> from hedgerow import datasets
    >>> datasets.heart().frame().shape
    (303, 14)
    """
    return load("heart")


def letter() -> Dataset:
    """20,000 printed capitals, 16 measurements each. In the original order: the first 16,000 rows are for training, the
    other 4,000 for testing.

    Examples
    --------
    >>> from hedgerow import datasets
    >>> datasets.letter().frame().shape
    (20000, 17)
    """
    return load("letter")


def spam() -> Dataset:
    """4601 messages, 57 frequencies of words and signs: spam or not.

    Examples
    --------
    >>> from hedgerow import datasets
    >>> datasets.spam().frame().shape
    (4601, 58)
    """
    return load("spam")


for _load in (restaurant, ten_points, titanic, titanic_891, heart, letter, spam):
    document(load)(_load)
