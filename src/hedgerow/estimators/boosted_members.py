"""Members of a booster that predict by themselves.   In: a weak predictor.   Out: something with `predict`."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.estimators.boost_rows import new_rows


@dataclass(frozen=True, eq=False)
class BoostedMember:
    """A weak predictor of a fitted booster. What it has itself (a threshold, a tree) is found here too."""

    weak: Any
    booster: Any

    def predict(self, X: Any) -> NDArray[Any]:
        """Classes, or numbers, of the weak predictor alone; where it abstains, the most frequent class."""
        rows = new_rows(self.booster, X, self.booster.schema_)
        if hasattr(self.weak, "numbers"):
            return np.asarray(self.weak.numbers(rows))
        rounds = self.booster.rounds_
        if len(self.booster.classes_) == 2:
            codes = np.where(
                self.weak.outputs(rows) == 0, np.argmax(rounds.prior), self.weak.outputs(rows) > 0
            )
        else:
            codes = self.weak.choices(rows)
            codes = np.where(codes < 0, np.argmax(rounds.prior), codes)
        return self.booster.classes_[codes.astype(np.int64)]  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Any:
        if name in ("weak", "booster") or name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.weak, name)


def member_of(weak: Any, booster: Any) -> Any:
    """The fitted estimator inside, or the weak predictor with `predict`."""
    return weak.estimator if hasattr(weak, "estimator") else BoostedMember(weak, booster)
