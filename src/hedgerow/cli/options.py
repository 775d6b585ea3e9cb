"""The options of the commands, each once: its type, the word that stands for its value, its help."""

from typing import Annotated, Any

import typer


def _option(metavar: str, help: str, *names: str) -> Any:
    return typer.Option(*names, metavar=metavar, help=help)


def _argument(metavar: str, help: str) -> Any:
    return typer.Argument(metavar=metavar, help=help)


DATA = "A table (CSV, TSV, Parquet, Feather, JSON lines) or the name of a data set that comes along."
WHAT = "A table, a data set that comes along, or a .hedgerow model. Nothing: lists the data sets."
CRITERIA = "gini, entropy, misclassification; squared_error, absolute_error, poisson."
ALPHA = "Cost of a leaf (ccp_alpha); 0 keeps the full tree.  [default: by cross-validation]"

Data = Annotated[str, _argument("DATA", DATA)]
What = Annotated[str | None, _argument("WHAT", WHAT)]
ModelFile = Annotated[str, _argument("MODEL", "A .hedgerow file, as `hedgerow fit` writes it.")]
RowsFile = Annotated[str, _argument("ROWS", "A table with the model's columns, in any order.")]

Target = Annotated[str | None, _option("NAME", "The column to predict.")]
Task = Annotated[str, _option("TASK", "auto, classification or regression.")]
Criterion = Annotated[str | None, _option("NAME", CRITERIA)]
MaxDepth = Annotated[int | None, _option("N", "Deepest a leaf may lie.")]
MinLeaf = Annotated[int, _option("N", "Fewest rows in a leaf.")]
MaxLeaves = Annotated[int | None, _option("N", "Most leaves; grows the best first.")]
PruneAlpha = Annotated[float | None, _option("A", ALPHA)]
TestShare = Annotated[float, _option("S", "Share of rows held out for the score.")]
Seed = Annotated[int, _option("N", "Fixes the split and the folds.")]
Categories = Annotated[str, _option("A,B", "Number columns that are names.")]
Drop = Annotated[str, _option("A,B", "Columns to leave out.")]
Picture = Annotated[str | None, _option("PATH", "Where to draw the tree: .svg or .png.")]
Model = Annotated[str | None, _option("PATH", "Where to write the model (.hedgerow).")]
Threads = Annotated[int | None, _option("N", "Threads; the answer is the same for any number.")]
Depth = Annotated[int | None, _option("N", "How deep to show the tree of a model.")]
Output = Annotated[str | None, _option("PATH", "A CSV file to write.", "--output", "-o")]
Json = Annotated[bool, typer.Option("--json", help="Results as JSON on standard output.")]
Traceback = Annotated[bool, typer.Option("--traceback", hidden=True)]  # read from argv, in errors.py
