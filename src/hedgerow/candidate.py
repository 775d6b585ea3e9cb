"""Candidate: a model that commands and studies know by name.   In: a name.   Out: what its file says of it.

One file of candidates/ for each; the file's name is what is typed: `hedgerow fit --model forest`, `hedgerow.study(...,
models=["forest"])`. Nothing else lists them: help texts, errors and the default panel of a study come from the files.
A file imports scikit-learn and the estimators inside its functions only, so that `hedgerow --help` stays fast.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from hedgerow.errors import ParameterError, check_choice
from hedgerow.plugins import load_plugin, load_plugins, plugin_names

if TYPE_CHECKING:
    from hedgerow.table import Table

CANDIDATES = "hedgerow.candidates"
BASELINE = "baseline"
BOTH = ("classification", "regression")
CLASSES = ("classification",)
# With more, what takes its time or its memory for each class is done in small, or left out.
MANY_CLASSES = 100


@dataclass(frozen=True)
class TaskSpec:
    """What is to be learned."""

    task: str
    n_rows: int  # to learn from
    n_columns: int
    n_classes: int  # 0 for a regression
    random_state: int = 0
    n_jobs: int | None = None
    has_costs: bool = False  # rows weigh what mistakes about them cost
    is_sparse: bool = False  # rows come as sparse numbers: every word, and all other columns as numbers
    # Rows come in the order of time: what a model searches inside, it tests on later rows
    in_order: bool = False

    @property
    def is_classification(self) -> bool:
        return self.task == "classification"


@dataclass(frozen=True)
class Option:
    """A parameter of the estimator that a command takes as an option of the same name."""

    name: str
    type: Callable[[str], Any]  # int, float, str or parse_number_or_word
    help: str
    metavar: str = "N"


class Candidate(Protocol):
    __name__: str  # of the file: its last word is the name of the candidate
    TITLE: str  # as people read it: "linear SVM"
    ORDER: int  # from simple to rich
    TASKS: tuple[str, ...]
    IN_PANEL: bool  # whether it is compared where nothing is said
    DESCRIPTION: Mapping[str, str]  # by task: what it is, and what it chooses for itself inside each fold
    MAX_ROWS: int | None  # that it learns from in a study
    OPTIONS: tuple[Option, ...]

    def make_estimator(self, spec: TaskSpec, options: Mapping[str, Any]) -> Any:
        """Not fitted. It takes a Table. `options`: values of OPTIONS that were given."""

    def describe(self, fitted: Any) -> str:
        """In a sentence: "a random forest of 200 trees"."""

    def facts(self, fitted: Any) -> list[tuple[str, str]]:
        """What a report says of the fitted model: a word and a sentence."""

    def importances(self, fitted: Any) -> list[tuple[str, float]]:
        """Columns, the most important first, relative to the largest; an empty list where the model cannot say."""

    def draw(self, fitted: Any, table: Any, labels: Any) -> Any:
        """A matplotlib Figure, with the rows it was fitted to; or, in words, why there is none."""


# A candidate that takes every word of a text, not only the most telling, has READS_WORDS: for each task the form of
# features that it takes them in ("tfidf" or "presence"; hedgerow.features).
# A candidate whose time grows with the number of classes has MAX_CLASSES: with more, a study takes it only by name.
# A candidate that can fit the median has FOR_MEDIAN: the options with which it does, where the median is the best
# constant of the deciding metric (mean absolute error). One that fits the mean better where every number is above zero
# has FOR_POSITIVE: the options for that.
# A candidate that is a single tree also has
#     PARAMETERS: Mapping[str, Any]      of DecisionTreeClassifier or DecisionTreeRegressor, where not the default
# so that a command can fit it without loading scikit-learn: tree_parameters in candidate_kinds.py.


def candidate_names() -> tuple[str, ...]:
    """All of them, from simple to rich."""
    return tuple(load_plugins(CANDIDATES, Candidate))  # type: ignore[type-abstract]


def panel_names() -> tuple[str, ...]:
    """Those that are compared where nothing is said."""
    every = load_plugins(CANDIDATES, Candidate)  # type: ignore[type-abstract]
    return tuple(name for name, one in every.items() if one.IN_PANEL)


def load_candidate(name: Any, parameter: str = "model") -> Candidate:
    """`parameter`: what the caller calls it in an error."""
    if name not in plugin_names(CANDIDATES):
        check_choice(parameter, name, candidate_names())
    return load_plugin(CANDIDATES, Candidate, name, parameter)  # type: ignore[type-abstract]


def select_candidates(names: Iterable[str], task: str) -> dict[str, Candidate]:
    """Those that are named, or the panel, as far as they know the task; from simple to rich."""
    named = tuple(names)
    for name in named:
        load_candidate(name, "models")
    every = load_plugins(CANDIDATES, Candidate)  # type: ignore[type-abstract]
    found = {name: one for name, one in every.items() if (name in named if named else one.IN_PANEL)}
    unable = [name for name in named if task not in found[name].TASKS]
    if unable:
        able = ", ".join(name for name, one in every.items() if task in one.TASKS)
        raise ParameterError(f"{', '.join(unable)} cannot do {task}. These can: {able}.")
    return {name: one for name, one in found.items() if task in one.TASKS}


def make_model(candidate: Candidate, spec: TaskSpec, options: Mapping[str, Any], table: "Table") -> Any:
    """The estimator of this candidate, for such a table: behind features where it has text, dates, or categories of
    many levels."""
    from hedgerow.features import needs_features

    if not needs_features(table):
        return candidate.make_estimator(spec, options)
    from hedgerow.estimators.with_features import WithFeatures

    has_text = any(column.kind == "text" for column in table.columns)
    forms = getattr(candidate, "READS_WORDS", {}) if has_text else {}
    form = forms.get(spec.task, "columns")
    model = candidate.make_estimator(replace(spec, is_sparse=form != "columns"), options)
    return WithFeatures(model, form=form, random_state=spec.random_state)


def options_for(candidate: Candidate, special: str) -> Mapping[str, Any]:
    """`special`: "FOR_MEDIAN", "FOR_POSITIVE" or ""; none, where the candidate has nothing for it."""
    found: Mapping[str, Any] = getattr(candidate, special, {})
    return found


def check_options(name: str, options: Mapping[str, Any]) -> None:
    """Refuses an option that the candidate does not have."""
    known = [option.name for option in load_candidate(name).OPTIONS]
    for given in options:
        if given not in known:
            wanted = ", ".join(f"{{{one}}}" for one in known) or "none of its own"
            raise ParameterError(f"{{{given}}} is no option of {{model}}. It has: {wanted}.", model=name)


def parse_number_or_word(typed: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(typed)
        except ValueError:
            continue
    return typed


def same_for_both(words: str) -> dict[str, str]:
    """The same description for both tasks."""
    return dict.fromkeys(BOTH, words)


CRITERION = Option("criterion", str, "Split criterion, such as gini or entropy.", "NAME")
MAX_DEPTH = Option("max_depth", int, "Deepest a leaf may lie.")
MIN_SAMPLES_LEAF = Option("min_samples_leaf", int, "Fewest rows in a leaf.")
MAX_LEAF_NODES = Option("max_leaf_nodes", int, "Most leaves; grows the best first.")
GROWING = (CRITERION, MAX_DEPTH, MIN_SAMPLES_LEAF, MAX_LEAF_NODES)
N_ESTIMATORS = Option("n_estimators", int, "Trees of a forest, rounds of boosting.")
