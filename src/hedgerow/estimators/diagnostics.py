"""What a fitted booster can tell about itself.   For classifiers with `rounds_`, `classes_` and two ways to rows; and
for regressors with `rounds_` and `schema_`."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from hedgerow.boost.boost_input import BoostInput
from hedgerow.boost.diagnose import Diagnosis, diagnose
from hedgerow.boost.diagnose_numbers import NumberDiagnosis, diagnose_numbers
from hedgerow.boost.network import Network, make_network
from hedgerow.boost.regress import NumberRounds
from hedgerow.boost.round_table import RoundTable, round_table
from hedgerow.boost.rounds import Rounds
from hedgerow.boost.state import replay_on
from hedgerow.encode import Schema
from hedgerow.estimators.boost_rows import new_rows, select_rows
from hedgerow.estimators.exporting import ExportMixin
from hedgerow.estimators.targets import check_numbers, codes_of
from hedgerow.fitting.target import check_sample_weight
from hedgerow.types import Count, Float, Index


class DiagnosticsMixin(ExportMixin):
    rounds_: Rounds
    schema_: Schema | None
    classes_: NDArray[Any]

    def _boosted_rows(self, X: Any, y: Any, sample_weight: Any) -> tuple[BoostInput, Index, Count]:
        """The rows as they were boosted on, their classes, and where each stands in X."""
        raise TypeError("a booster says which rows it boosts on")

    def _judged_rows(self, X: Any) -> BoostInput:
        """New rows, to be predicted."""
        raise TypeError("a booster says how it reads rows")

    @property
    def diagnostics_(self) -> RoundTable:
        """Each round's epsilon, alpha, loss, bound, training error and rule. Prints and draws itself."""
        return round_table(self._kept_rounds(), self.schema_, self._class_names())

    def diagnose(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        test: tuple[Any, Any] | None = None,
        margins_after: Sequence[int] | None = None,
        most_rows: int = 10,
    ) -> Diagnosis:
        """Show rounds, margins, the rows that carry the weight and, for stumps, what each column adds. A model file
        does not keep where the training rows stood, so that after loading margins and weights are found anew, for
        the rows given here; the table of rounds is that of fit.

        Parameters
        ----------
        margins_after : sequence of int or None
            Numbers of rounds to show margins after. None chooses some.

        Returns
        -------
        Diagnosis
            What happened in each round. Prints and draws itself.
        """
        rounds, rows, codes, places = self._standing(X, y, sample_weight)
        test_rows = None
        if test is not None:
            there = self._judged_rows(test[0])
            test_rows = there, codes_of(self.classes_, test[1], there.n_rows)
        found = diagnose(
            rounds,
            rows,
            codes,
            self._class_names(),
            test=test_rows,
            margins_after=margins_after,
            most_rows=most_rows,
        )
        return replace(found, heaviest=replace(found.heaviest, row=places[found.heaviest.row]))

    def draw_rounds(self, X: Any, y: Any, sample_weight: Any = None, *, most: int = 3) -> Any:
        """Draw the first rounds on rows of two columns, and what all make together.

        Returns
        -------
        matplotlib.figure.Figure
            The picture.
        """
        from hedgerow.boost.plane import draw_in_plane

        rounds, rows, codes, _ = self._standing(X, y, sample_weight)
        return draw_in_plane(rounds, rows, codes, self._class_names(), most=most)

    def to_network(self) -> Network:
        """Write the rounds as a network with one hidden layer; for boosted neurons and planes.

        Returns
        -------
        Network
            Arrays of the network.
        """
        return make_network(self._kept_rounds())

    def _kept_rounds(self) -> Rounds:
        check_is_fitted(self)
        if not hasattr(self, "rounds_"):
            raise ValueError(
                f"This {type(self).__name__} comes from a model file, which does not keep the rounds of boosting. Fit "
                "it anew to diagnose it."
            )
        return self.rounds_

    def _standing(self, X: Any, y: Any, sample_weight: Any) -> tuple[Rounds, BoostInput, Index, Count]:
        """The rounds, knowing where the rows stand; the rows; their classes; and where each stands in X."""
        rounds = self._kept_rounds()
        if len(rounds.base):
            return rounds, *self._boosted_rows(X, y, sample_weight)
        rows = self._judged_rows(X)
        codes = codes_of(self.classes_, y, rows.n_rows)
        given = check_sample_weight(sample_weight, rows.n_rows)
        weight = np.ones(rows.n_rows) if given is None else given
        places = np.flatnonzero(weight)
        rows, codes, base = select_rows(rows, places, weight), codes[places], weight[places] / weight.sum()
        return replay_on(rounds, rows, codes, base), rows, codes, places

    def _class_names(self) -> tuple[str, ...]:
        return tuple(str(name) for name in self.classes_)


class RegressorDiagnosticsMixin(ExportMixin):
    rounds_: NumberRounds
    schema_: Schema | None

    def diagnose(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        test: tuple[Any, Any] | None = None,
        most_rows: int = 10,
    ) -> NumberDiagnosis:
        """Show each round's loss, weight and errors, and the rows that carry the weight.

        Returns
        -------
        NumberDiagnosis
            What happened in each round. Prints and draws itself.
        """
        check_is_fitted(self)
        rows = new_rows(self, X, self.schema_)
        values = self._values(y, rows.n_rows)
        given = check_sample_weight(sample_weight, rows.n_rows)
        weight = np.ones(rows.n_rows) if given is None else given
        used = np.flatnonzero(weight)
        test_rows = None
        if test is not None:
            there = new_rows(self, test[0], self.schema_)
            test_rows = there, self._values(test[1], there.n_rows)
        found = diagnose_numbers(
            self.rounds_, select_rows(rows, used, weight), values[used], test=test_rows, most_rows=most_rows
        )
        return replace(found, row=used[found.row])

    def _values(self, y: Any, n_rows: int) -> Float:
        return check_numbers(type(self).__name__, y, n_rows, None, "squared_error").values
