"""Arrays beyond the budget lie in files, which go away."""

from hedgerow.stream import ArrayStore


def test_beyond_the_budget_arrays_are_files_that_are_removed(tmp_path):
    with ArrayStore(100, tmp_path) as store:
        small, large = store.empty((10,), "f8"), store.empty((3, 7), "u1")
        small[:], large[:] = 1.0, 2
        assert (store.in_memory, store.in_files) == (80, 21)
        assert len(list(tmp_path.glob("*/*.bin"))) == 1
    assert not list(tmp_path.iterdir())
    assert large.sum() == 42
