"""Each refusal names the column (or the type) and a way out."""

import pytest

from hedgerow.table import refuse


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (refuse.refuse_time("born", "date32"), TypeError, ["'born'", "date32", "year"]),
        (refuse.refuse_complex("z"), ValueError, ["Complex data not supported", "'z'", "numpy.abs"]),
        (refuse.refuse_sparse("csr_array"), TypeError, ["Sparse", "csr_array", ".toarray()"]),
        (refuse.refuse_nested("tags", "list<int64>"), TypeError, ["'tags'", "list<int64>", "Drop"]),
        (refuse.refuse_structured(("a", "b")), TypeError, ["'a', 'b'", "pandas.DataFrame(array)"]),
        (refuse.refuse_matrix(), TypeError, ["np.matrix", "numpy.asarray(X)"]),
        (refuse.refuse_one_column("Series"), ValueError, ["Expected 2D array, got 1D array", "to_frame()"]),
    ],
)
def test_message(error: Exception, kind: type, words: list[str]) -> None:
    assert type(error) is kind
    assert all(word in str(error) for word in words)
