import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hedgerow import datasets
from hedgerow.datasets import Dataset
from hedgerow.table import read_frame

SHAPES: dict[str, tuple[int, int, dict[Any, int]]] = {
    "restaurant": (12, 10, {"Yes": 6, "No": 6}),
    "ten_points": (10, 2, {1: 5, -1: 5}),
    "titanic": (1309, 5, {"died": 809, "survived": 500}),
    "titanic_891": (891, 7, {"died": 549, "survived": 342}),
    "heart": (303, 13, {0: 164, 1: 139}),
    "letter": (20000, 16, {"U": 813, "Z": 734}),
    "spam": (4601, 57, {"nonspam": 2788, "spam": 1813}),
}


def test_names() -> None:
    assert datasets.names() == tuple(SHAPES)


@pytest.mark.parametrize("name", SHAPES)
def test_sizes_and_counts_are_the_published_ones(name: str) -> None:
    n_rows, n_columns, counts = SHAPES[name]
    data = datasets.load(name)
    assert (data.table.n_rows, len(data.table.columns)) == (n_rows, n_columns)
    assert data.target.shape == (n_rows,)
    for value, count in counts.items():
        assert np.count_nonzero(data.target == value) == count


@pytest.mark.parametrize("name", SHAPES)
def test_a_function_for_each(name: str) -> None:
    data = getattr(datasets, name)()
    assert isinstance(data, Dataset)
    assert data.name == name


def test_unknown_name() -> None:
    with pytest.raises(
        ValueError, match=r"No data set is named 'titanik'. Known: .*Did you mean 'titanic'\?"
    ):
        datasets.load("titanik")


def test_pandas_is_not_imported() -> None:
    code = (
        "import sys; from hedgerow import datasets; datasets.titanic();"
        "sys.exit(bool({'pandas', 'pyarrow'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_restaurant_as_in_the_lectures() -> None:
    data = datasets.restaurant()
    assert data.table.names == ("Alt", "Bar", "Fri", "Hun", "Pat", "Price", "Rain", "Res", "Type", "Est")
    assert [c.name for c in data.table.columns if c.kind == "boolean"] == [
        "Alt",
        "Bar",
        "Fri",
        "Hun",
        "Rain",
        "Res",
    ]
    assert data.table.column("Pat").levels == ("None", "Some", "Full")
    assert data.table.column("Est").levels == ("0-10", "10-30", "30-60", ">60")
    assert "".join(answer[0] for answer in data.target) == "YNYYNYNYNNNY"


def test_patrons_tell_most_and_type_nothing() -> None:
    """Remainders of 0.459 bits and 1 bit, the two numbers of the lecture."""
    assert remainder("Pat") == pytest.approx(0.459, abs=5e-4)
    assert remainder("Type") == pytest.approx(1.0)


def remainder(name: str) -> float:
    data = datasets.restaurant()
    codes = data.table.column(name).values
    yes = data.target == "Yes"
    return float(sum(np.mean(codes == k) * bits(np.mean(yes[codes == k])) for k in np.unique(codes)))


def bits(share: Any) -> float:
    return float(-sum(p * np.log2(p) for p in (share, 1 - share) if p > 0))


def test_ten_points_as_in_the_lectures() -> None:
    data = datasets.ten_points()
    points = np.column_stack([column.values for column in data.table.columns])
    assert points[data.target == 1].tolist() == [[1, 5], [2, 2], [5, 8], [6, 10], [8, 7]]
    assert points[data.target == -1].tolist() == [[3, 1], [4, 6], [7, 3], [9, 9], [10, 4]]


def test_titanic_survival_by_sex() -> None:
    data = datasets.titanic()
    sex, pclass = data.table.column("sex"), data.table.column("pclass")
    survived = data.target == "survived"
    women = sex.values == sex.levels.index("female")
    assert np.mean(survived) == pytest.approx(0.38, abs=0.005)
    assert np.mean(survived[~women]) == pytest.approx(0.19, abs=0.005)
    assert np.mean(survived[women]) == pytest.approx(0.73, abs=0.005)
    assert pclass.levels == ("1st", "2nd", "3rd")
    assert np.count_nonzero(np.isnan(data.table.column("age").values)) == 263


def test_heart_has_six_missing_cells() -> None:
    table = datasets.heart().table
    missing = {
        c.name: int(np.sum(c.values < 0 if c.kind == "category" else np.isnan(c.values)))
        for c in table.columns
    }
    assert {name: count for name, count in missing.items() if count} == {
        "major vessels colored": 4,
        "thal": 2,
    }


def test_letter_is_in_its_original_order() -> None:
    data = datasets.letter()
    first, last = data.table.take([0]), data.table.take([-1])
    assert (data.target[0], data.target[-1]) == ("T", "A")
    assert [c.values[0] for c in first.columns[:3]] == [2, 8, 3]
    assert [c.values[0] for c in last.columns[:3]] == [4, 9, 6]


def test_the_files_are_what_the_tool_writes(shared_data: Path, tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    tool = root / "tools" / "make_datasets.py"
    subprocess.run([sys.executable, str(tool), str(shared_data), str(tmp_path)], check=True)
    written = {file.name: file for file in tmp_path.iterdir()}
    for source in (one for one in datasets.SOURCES.values() if one.file in written):
        kept = read_frame(root / "src" / "hedgerow" / "datasets" / "data" / source.file)
        assert read_frame(written[source.file]).equals(kept)
