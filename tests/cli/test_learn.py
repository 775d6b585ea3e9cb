"""hedgerow learn: a page, of an example or of two columns of a table."""

import numpy as np
import polars as pl


def test_a_lesson_is_written(hedgerow, tmp_path):
    assert hedgerow("learn", "tree") == (0, "learn-tree.html\n", "")
    assert "A tree grows" in (tmp_path / "learn-tree.html").read_text(encoding="utf-8")


def test_two_columns_of_a_table(hedgerow, tmp_path):
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"a": rng.random(40), "b": rng.random(40), "c": rng.random(40)})
    frame = frame.with_columns(y=pl.when(pl.col("a") > 0.5).then(pl.lit("yes")).otherwise(pl.lit("no")))
    frame.write_csv(tmp_path / "rows.csv")
    ran = hedgerow("learn", "boosting", "rows.csv", "--target", "y", "--columns", "b,a", "-o", "page.html")
    assert (ran.code, ran.out) == (0, "page.html\n")
    assert '"columns":["b","a"]' in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_what_cannot_be_shown_is_said(hedgerow):
    for words, message in (
        (("bosting",), "Did you mean 'boosting'"),
        (("tree", "--target", "y"), "hedgerow learn tree DATA"),
        (("margin", "titanic", "--columns", "agge,sex"), "no column 'agge'"),
        (("margin", "titanic", "-o", "page.pdf"), "must end in .html"),
    ):
        code, _, err = hedgerow("learn", *words)
        assert code == 2
        assert message in err
