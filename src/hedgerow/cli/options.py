"""The options of the commands, each once: its type, the word that stands for its value, its help."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from hedgerow.cli.models import KNOWN
from hedgerow.core.criteria import CLASS_CRITERIA, NUMBER_CRITERIA


def _option(metavar: str, help: str, *names: str, parser: Callable[[str], str] | None = None) -> Any:
    return typer.Option(*names, metavar=metavar or None, help=help, parser=parser)


def _argument(metavar: str, help: str) -> Any:
    return typer.Argument(metavar=metavar, help=help)


def recipe_name(typed: str) -> str:
    """C4.5 -> c45"""
    return typed.lower().replace(".", "")


def pruning_name(typed: str) -> str:
    """reduced-error -> reduced_error"""
    return typed.lower().replace("-", "_")


DATA = "A table (CSV, TSV, Parquet, Feather, JSON lines) or the name of a data set that comes along."
WHAT = "A table, a data set that comes along, or a .hedgerow model. Nothing: lists the data sets."
CRITERIA = f"{', '.join(CLASS_CRITERIA)}; {', '.join(NUMBER_CRITERIA)}."
PRUNINGS = (
    "cost_complexity, reduced_error, pessimistic, chi_square, minimum_description_length, depth_limit, leaf_limit; "
    "none keeps the full tree."
)
ALPHA = "Cost of a leaf (ccp_alpha); 0 keeps the full tree.  [default: by cross-validation]"

Data = Annotated[str, _argument("DATA", DATA)]
What = Annotated[str | None, _argument("WHAT", WHAT)]
ModelFile = Annotated[str, _argument("MODEL", "A .hedgerow file, as `hedgerow fit` writes it.")]
RowsFile = Annotated[str, _argument("ROWS", "A table with the model's columns, in any order.")]

StudyFolder = Annotated[str, _argument("STUDY", "The folder of a study, or its result.json.")]

Target = Annotated[str | None, _option("NAME", "The column to predict.")]
Task = Annotated[str, _option("TASK", "auto, classification or regression.")]
Recipe = Annotated[
    str | None, _option("NAME", "id3, c45 or cart: how these grow and prune.", parser=recipe_name)
]
Criterion = Annotated[str | None, _option("NAME", CRITERIA)]
MaxDepth = Annotated[int | None, _option("N", "Deepest a leaf may lie.")]
MinLeaf = Annotated[int | None, _option("N", "Fewest rows in a leaf.  [default: 1]")]
MaxLeaves = Annotated[int | None, _option("N", "Most leaves; grows the best first.")]
PruneAlpha = Annotated[float | None, _option("A", ALPHA)]
Prune = Annotated[str | None, _option("NAME", PRUNINGS, parser=pruning_name)]
Confidence = Annotated[float | None, _option("C", "pessimistic: smaller prunes more.  [default: 0.25]")]
Raising = Annotated[
    bool, _option("", "pessimistic: may a branch take its parent's place?", "--raising/--no-raising")
]
Significance = Annotated[float | None, _option("P", "chi_square: smaller prunes more.  [default: 0.05]")]
Price = Annotated[
    float | None, _option("B", "minimum_description_length: of a bit of the tree.  [default: 1]")
]
DepthLimit = Annotated[int | None, _option("N", "depth_limit  [default: chosen on held-out rows]", "--depth")]
LeafLimit = Annotated[int | None, _option("N", "leaf_limit  [default: chosen on held-out rows]", "--leaves")]
Folds = Annotated[int | None, _option("N", "cost_complexity: folds of its cross-validation.  [default: 10]")]
Choose = Annotated[str | None, _option("NAME", "cost_complexity: 1se or min.  [default: 1se]")]
Base = Annotated[str | None, _option("NAME", "adaboost: stump, tree or c45.  [default: stump]")]
Predictions = Annotated[
    str | None, _option("NAME", "adaboost: discrete, abstaining or confident.  [default: discrete]")
]
Loss = Annotated[str | None, _option("NAME", "adaboost: exponential or logistic.  [default: exponential]")]
Rounds = Annotated[int | None, _option("N", "Rounds of boosting.  [default: 50]")]
TestShare = Annotated[float, _option("S", "Share of rows held out for the score.")]
Seed = Annotated[int, _option("N", "Fixes the split and the folds.")]
Categories = Annotated[str, _option("A,B", "Number columns that are names.")]
Drop = Annotated[str, _option("A,B", "Columns to leave out.")]
Picture = Annotated[str | None, _option("PATH", "Where to draw the tree: .svg or .png.")]
Model = Annotated[str, _option("NAME", f"What to fit: {', '.join(KNOWN)}.", parser=pruning_name)]
Trees = Annotated[int | None, _option("N", "forests: how many trees.  [default: 100]")]
Columns = Annotated[
    str | None,
    _option("M", "forests: columns a node: a number, a share, sqrt, log2 or all.  [default: sqrt; all]"),
]
Stop = Annotated[
    str | None, _option("oob", "forests: end when the out-of-bag curve is flat; --trees is the most.")
]
KernelName = Annotated[
    str | None, _option("NAME", "svm: linear, poly, rbf or sigmoid.  [default: rbf]", "--kernel")
]
Cost = Annotated[
    float | None, _option("C", "svm, linear_svm: of a unit of slack; inf allows none.  [default: 1]")
]
Gamma = Annotated[str | None, _option("G", "svm: a number, scale or auto.  [default: scale]")]
Degree = Annotated[int | None, _option("N", "svm: of the kernel poly.  [default: 3]")]
Save = Annotated[str | None, _option("PATH", "Where to write the model (.hedgerow).")]
Folder = Annotated[str | None, _option("PATH", "Where everything goes.  [default: NAME-study]")]
Models = Annotated[
    str,
    _option(
        "A,B",
        "Some of stump, tree, rules, bagging, forest, adaboost, boosted_trees, linear_svm, radial_svm.  [default: all]",
    ),
]
Metric = Annotated[
    str | None, _option("NAME", "What decides: accuracy, roc_auc, f1, log_loss, rmse, r2, ...")
]
StudyFolds = Annotated[int, _option("N", "Folds of the cross-validation.", "--folds")]
Repeats = Annotated[
    int | None, _option("N", "How often the folds are drawn: twice if not given; of very wide tables once.")
]
Holdout = Annotated[float, _option("S", "Share of the rows sealed until the end.")]
Groups = Annotated[str | None, _option("NAME", "A column: rows of one group stay together.")]
Weights = Annotated[str | None, _option("NAME", "A column: how much a row counts.")]
Positive = Annotated[str | None, _option("CLASS", "Of two classes, the one of interest.")]
Budget = Annotated[
    float | None, _option("SECONDS", "For the comparison; what is not done by then is left out.")
]
Memory = Annotated[
    float | None,
    _option("GB", "For reading; of a larger CSV some rows are drawn.  [default: half the free]"),
]
Threads = Annotated[int | None, _option("N", "Threads; the answer is the same for any number.")]
Depth = Annotated[int | None, _option("N", "How deep to show the tree of a model.")]
Merged = Annotated[bool, typer.Option("--merged", help="Show sibling leaves that decide alike as one.")]
Output = Annotated[str | None, _option("PATH", "A CSV file to write.", "--output", "-o")]
Page = Annotated[
    str | None, _option("PATH", "Where to write the page.  [default: report.html]", "--output", "-o")
]
Json = Annotated[bool, typer.Option("--json", help="Results as JSON on standard output.")]
Traceback = Annotated[bool, typer.Option("--traceback", hidden=True)]  # read from argv, in errors.py
