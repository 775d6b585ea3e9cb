"""What a fitted booster of numbers can tell about itself.   For regressors with `rounds_` and `schema_`."""

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hedgerow.boost.diagnose_numbers import NumberDiagnosis, diagnose_numbers
from hedgerow.boost.regress import NumberRounds
from hedgerow.encode import Schema
from hedgerow.estimators.boost_rows import new_rows, taken
from hedgerow.estimators.exporting import ExportMixin
from hedgerow.estimators.targets import check_numbers
from hedgerow.fitting.target import check_sample_weight
from hedgerow.types import Float


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
        """Each round's loss, weight and errors, and the rows that carry the weight.

        X, y, sample_weight : those of fit
        test : other rows (X, y), for their error after each round
        most_rows : how many of the heaviest rows to show
        """
        check_is_fitted(self)
        rows = new_rows(self, X, self.schema_)
        values = self._values(y, rows.n_rows)
        given = check_sample_weight(sample_weight, rows.n_rows)
        weight = np.ones(rows.n_rows) if given is None else given
        used = np.flatnonzero(weight)
        judged = None
        if test is not None:
            there = new_rows(self, test[0], self.schema_)
            judged = there, self._values(test[1], there.n_rows)
        found = diagnose_numbers(
            self.rounds_, taken(rows, used, weight), values[used], test=judged, most_rows=most_rows
        )
        return replace(found, row=used[found.row])

    def _values(self, y: Any, n_rows: int) -> Float:
        return check_numbers(type(self).__name__, y, n_rows, None, "squared_error").values
