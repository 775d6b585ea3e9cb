"""Free text: a linear machine on words and pairs of words against scikit-learn's TfidfVectorizer and LinearSVC; boosted
stumps and gradient boosting on the same text.

    python benchmarks/text.py                       50,000 made-up reviews, 100,000 words and pairs
    python benchmarks/text.py --sentences FILE      reviews of real sentences, a table with the columns text and label
    python benchmarks/text.py --table FILE --text NAME --target NAME      a table of your own
    python benchmarks/text.py --rows 10000 --models linear,scikit-learn

CPU seconds of one fit, words counted in it; accuracy on a fifth of the rows, held out. Reviews of real sentences: six
each, most of the review's class; those of the held-out reviews stand in no other.
"""

import argparse
from time import process_time

import numpy as np
import polars as pl
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC as ScikitLinearSVC

from hedgerow import AdaBoostClassifier, HistGradientBoostingClassifier, LinearSVC, WithFeatures

N_WORDS = 30_000
LENGTH = 120
N_TELLING = 2_000  # words that one class uses more
MOST_TERMS = 100_000
N_SENTENCES, OWN_SHARE = 6, 0.7  # of a review, and how many of them are of its class


def make_reviews(n_rows: int, seed: int = 0) -> tuple[list[str], np.ndarray]:
    """Words by Zipf's law; some of them are three times as frequent in one of the classes. A third of the words follow
    their usual neighbour, so that pairs repeat."""
    random = np.random.default_rng(seed)
    words = np.array([f"w{k}x" for k in range(N_WORDS)])
    share = 1.0 / (np.arange(N_WORDS) + 20.0)
    tilt = np.ones((2, N_WORDS))
    telling = random.choice(np.arange(50, N_WORDS), N_TELLING, replace=False)
    tilt[random.integers(0, 2, N_TELLING), telling] = 3.0
    label, follower = random.integers(0, 2, n_rows), random.permutation(N_WORDS)
    texts = np.empty((n_rows, LENGTH), np.int64)
    for one in (0, 1):
        chance = np.cumsum(share * tilt[one])
        rows = np.flatnonzero(label == one)
        texts[rows] = np.searchsorted(chance / chance[-1], random.random((len(rows), LENGTH)))
    follows = random.random((n_rows, LENGTH)) < 1 / 3
    for k in range(1, LENGTH):
        texts[:, k] = np.where(follows[:, k], follower[texts[:, k - 1]], texts[:, k])
    return [" ".join(words[row]) for row in texts], label


def join_sentences(
    sentences: np.ndarray, kind: np.ndarray, n_rows: int, seed: int
) -> tuple[list[str], np.ndarray]:
    """Reviews of sentences that were drawn, each of the review's class with the same probability."""
    random = np.random.default_rng(seed)
    label = random.integers(0, 2, n_rows)
    of = np.where(random.random((n_rows, N_SENTENCES)) < OWN_SHARE, label[:, None], 1 - label[:, None])
    pools = [sentences[kind == one] for one in (0, 1)]
    drawn = [pool[random.integers(0, len(pool), of.shape)] for pool in pools]
    return [" ".join(row) for row in np.where(of == 1, drawn[1], drawn[0])], label


def read_texts(given: argparse.Namespace) -> tuple[list[list[str]], list[np.ndarray]]:
    """Training and held-out texts, and their labels."""
    n_test = given.rows // 5
    if given.sentences is not None:
        frame = pl.read_parquet(given.sentences).sample(fraction=1.0, shuffle=True, seed=0)
        sentences = np.array(frame["text"].to_list(), object)
        kind = np.unique(frame["label"].cast(str).to_numpy(), return_inverse=True)[1]
        cut = len(sentences) // 5
        parts = [
            join_sentences(sentences[cut:], kind[cut:], given.rows - n_test, 0),
            join_sentences(sentences[:cut], kind[:cut], n_test, 1),
        ]
        return [texts for texts, _ in parts], [label for _, label in parts]
    if given.table is None:
        texts, label = make_reviews(given.rows)
    else:
        frame = pl.read_parquet(given.table) if given.table.endswith(".parquet") else pl.read_csv(given.table)
        texts, label = frame[given.text].to_list(), frame[given.target].cast(str).to_numpy()
    order = np.random.default_rng(0).permutation(len(texts))
    test, train = np.split(order, [len(order) // 5])
    return [[texts[k] for k in rows] for rows in (train, test)], [label[train], label[test]]


def models() -> dict[str, object]:
    def ours(model: object, form: str) -> object:
        return WithFeatures(model, form=form, text=["text"])

    vectorizer = TfidfVectorizer(ngram_range=(1, 2), min_df=2, max_features=MOST_TERMS)
    return {
        "scikit-learn": make_pipeline(vectorizer, ScikitLinearSVC()),
        "linear": ours(LinearSVC(), "tfidf"),
        "stumps": ours(AdaBoostClassifier("stump", n_estimators=50), "presence"),
        "gradient_boosting": ours(HistGradientBoostingClassifier(), "columns"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--sentences")
    parser.add_argument("--table")
    parser.add_argument("--text", default="text")
    parser.add_argument("--target", default="label")
    parser.add_argument("--models", default=",".join(models()))
    given = parser.parse_args()
    texts, labels = read_texts(given)
    print(f"{sum(map(len, texts)):,} texts")
    for name in given.models.split(","):
        model = models()[name]
        rows = texts if name == "scikit-learn" else [{"text": part} for part in texts]
        begin = process_time()
        model.fit(rows[0], labels[0])
        fitted = process_time()
        accuracy = np.mean(np.asarray(model.predict(rows[1])) == labels[1])
        seen = model[0].vocabulary_ if name == "scikit-learn" else model.features_.inner.names
        print(
            f"{name:18} {len(seen):8,} columns  fit {fitted - begin:7.2f} s  predict {process_time() - fitted:6.2f} s  "
            f"accuracy {accuracy:.4f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
