"""Diagnosis of a booster.   In: Rounds and the rows they were boosted on, perhaps test rows.   Out: what happened, as
plain data that prints, draws and turns into a dict itself.

    rounds     epsilon, alpha, loss, bound and errors after each round; each round's rule in words
    margins    of the training rows, after some of the rounds
    heaviest   the rows that carry the weight
    additive   of stumps: the score of each column
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.boost.additive import Additive, additive_of, is_additive
from hedgerow.boost.boost_input import BoostInput
from hedgerow.boost.combine import classes_of_scores, predict_weak, weigh_outputs
from hedgerow.boost.diagnose_words import heaviest_table, margins_table
from hedgerow.boost.margins import Margins, normalise_margins, rounds_to_show
from hedgerow.boost.packed import staged_scores
from hedgerow.boost.round_table import RoundTable, round_table
from hedgerow.boost.rounds import Rounds
from hedgerow.display import DisplayTable, Result
from hedgerow.types import Count, Float, Index


@dataclass(frozen=True, eq=False)
class Heaviest:
    """Who carries the weight after the last round."""

    row: Count  # the heaviest first
    weight: Float  # share of all weight
    label: tuple[str, ...]
    taken_for: tuple[str, ...]
    margin: Float
    n_rows: int
    tenth: float  # share of the weight that the heaviest tenth of the rows carry
    equal_rows: float  # as many rows of equal weight are as hard to average: 1 / sum of squared weights

    def __len__(self) -> int:
        return len(self.row)

    def to_dict(self) -> dict[str, Any]:
        lines = zip(
            self.row.tolist(),
            self.weight.tolist(),
            self.label,
            self.taken_for,
            self.margin.tolist(),
            strict=True,
        )
        names = ("row", "weight", "label", "taken_for", "margin")
        return {
            "rows": [dict(zip(names, line, strict=True)) for line in lines],
            "tenth": self.tenth,
            "equal_rows": self.equal_rows,
        }


@dataclass(frozen=True, eq=False, repr=False)
class Diagnosis(Result):
    """What happened when a classifier was boosted: its rounds, margins, heaviest rows, and what each column adds.

    Attributes
    ----------
    rounds :
        The rounds.
    margins :
        How far each row is on its side.
    heaviest :
        The rows that carry the weight.
    additive :
        None where predictors look at more than one column.

    See Also
    --------
    hedgerow.AdaBoostClassifier.diagnose : Returns it.

    Examples
    --------
    >>> from hedgerow import AdaBoostClassifier, datasets
    >>> heart = datasets.heart()
    >>> model = AdaBoostClassifier(n_estimators=10).fit(heart.table, heart.target)
    >>> found = model.diagnose(heart.table, heart.target)
    >>> len(found.rounds.error)
    10
    """

    rounds: RoundTable
    margins: Margins
    heaviest: Heaviest
    additive: Additive | None

    def to_dict(self) -> dict[str, Any]:
        return {
            "rounds": self.rounds.to_dict(),
            "margins": self.margins.to_dict(),
            "heaviest": self.heaviest.to_dict(),
            "additive": None if self.additive is None else self.additive.to_dict(),
        }

    def tables(self) -> list[DisplayTable]:
        found = [*self.rounds.tables(), margins_table(self.margins), heaviest_table(self.heaviest)]
        return [
            *found,
            *(self.additive.tables() if self.additive is not None and self.additive.shapes else ()),
        ]


def diagnose(
    rounds: Rounds,
    rows: BoostInput,
    codes: Index,
    classes: tuple[str, ...],
    *,
    test: tuple[BoostInput, Index] | None = None,
    margins_after: Sequence[int] | None = None,
    most_rows: int = 10,
) -> Diagnosis:
    """`rows` and `codes` are those of training. `margins_after`: the numbers of rounds to show margins after."""
    if rows.n_rows != len(rounds.base):
        raise _other_rows(f"there are {rows.n_rows:,} of them, and {len(rounds.base):,} were boosted on")
    margins, score = _margins(rounds, rows, codes, margins_after)
    apart = np.abs(_kept_margins(rounds, score, codes) - rounds.margins).max(initial=0.0)
    if not apart <= 1e-6 * (1.0 + np.abs(rounds.margins).max(initial=0.0)):
        raise _other_rows("their margins are not those that boosting ended with")
    error = None if test is None else _staged_error(rounds, *test)
    return Diagnosis(
        round_table(rounds, rows.schema, classes, error),
        margins,
        _heaviest(rounds, score, codes, classes, margins, most_rows),
        additive_of(rounds, rows, rows.schema, classes)
        if rows.schema is not None and is_additive(rounds)
        else None,
    )


def _other_rows(why: str) -> ValueError:
    return ValueError(
        f"These are not the rows the model was fitted on: {why}. Give the X, y and sample_weight of fit; other rows go "
        "into test=(X, y)."
    )


def _kept_margins(rounds: Rounds, score: Float, codes: Index) -> Float:
    """Margins in the shape Rounds keeps them."""
    if rounds.form == "votes":
        return np.asarray(2 * score[np.arange(len(codes)), codes] - score.sum(axis=1))[:, None]
    own = np.arange(rounds.width) if rounds.width > 1 else np.array([1])
    return np.where(codes[:, None] == own, 1.0, -1.0) * score


def _margins(
    rounds: Rounds, rows: BoostInput, codes: Index, wanted: Sequence[int] | None
) -> tuple[Margins, Float]:
    """Margins after some of the rounds, and the last score."""
    after = rounds_to_show(len(rounds), wanted)
    score, most = np.zeros((rows.n_rows, rounds.width)), 0.0
    classes_apart = 2.0 if rounds.form == "signs" and rounds.width > 1 else 1.0
    lines = []
    for t, round in enumerate(rounds.rounds):
        if not round.reset:
            outputs = predict_weak(round.weaks, rows, rounds.form)
            added = weigh_outputs(outputs, round.alpha, round.alpha_no, rounds.form, rounds.width)
            score = score + added
            most += float(np.abs(added).max())
        if t + 1 in after:
            lines.append(normalise_margins(score, codes, classes_apart * most))
    return Margins(after, np.array(lines).reshape(len(lines), rows.n_rows), rounds.base), score


def _staged_error(rounds: Rounds, rows: BoostInput, codes: Index) -> Float:
    return np.array(
        [np.mean(classes_of_scores(score, rounds.prior) != codes) for score in staged_scores(rounds, rows)]
    )


def _heaviest(
    rounds: Rounds, score: Float, codes: Index, classes: tuple[str, ...], margins: Margins, most: int
) -> Heaviest:
    weight = rounds.weight.sum(axis=1)
    weight = weight / weight.sum()
    order = np.argsort(-weight, kind="stable")
    first = order[:most]
    taken = classes_of_scores(score, rounds.prior)
    n_seen = int(np.count_nonzero(rounds.base))
    tenth = weight[order[: max(1, round(n_seen / 10))]].sum()
    last = margins.values[-1] if len(margins.values) else np.zeros(len(weight))
    return Heaviest(
        first.astype(np.int64),
        weight[first],
        tuple(classes[codes[i]] for i in first),
        tuple(classes[taken[i]] for i in first),
        last[first],
        n_seen,
        float(tenth),
        float(1 / (weight**2).sum()),
    )
