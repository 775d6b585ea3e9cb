"""The certificates of one fit.   In: a certificate for each binary SVM.   Out: one thing that prints them all."""

from dataclasses import dataclass
from typing import Any

from hedgerow.display import DisplayTable, Result
from hedgerow.svm.certificate import Certificate

HEADER = ("model", "primal", "gap", "violation", "margin", "support", "bound", "wrong", "steps", "ended")


@dataclass(frozen=True, repr=False)
class Certificates(Result):
    """The certificates of all binary machines of one fit.

    Of a single model it reads like that model's Certificate: `certificate_.gap`.

    Attributes
    ----------
    names :
        Name of each binary machine.
    each :
        Its certificate.

    See Also
    --------
    hedgerow.SVC : Has it as ``certificate_``.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import SVC
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> y = np.digitize(X[:, 0], [-0.5, 0.5])
    >>> len(SVC().fit(X, y).certificate_.each)
    3
    """

    names: tuple[str, ...]
    each: tuple[Certificate, ...]

    @property
    def worst(self) -> Certificate:
        """The certificate with the largest gap."""
        return max(self.each, key=lambda c: c.relative_gap)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if len(self.each) == 1:
            return getattr(self.each[0], name)
        raise AttributeError(
            f"there are {len(self.each)} binary SVMs, each with its own {name!r}: see certificate_.each, or .worst"
        )

    def to_dict(self) -> dict[str, Any]:
        if len(self.each) == 1:
            return self.each[0].to_dict()
        return {name.strip(): one.to_dict() for name, one in zip(self.names, self.each, strict=True)}

    def tables(self) -> list[DisplayTable]:
        if len(self.each) == 1:
            return self.each[0].tables()
        rows = [self._cells(name, one) for name, one in zip(self.names, self.each, strict=True)]
        return [DisplayTable(HEADER, rows)]

    def _cells(self, name: str, c: Certificate) -> tuple[str, ...]:
        return (
            name.strip().removeprefix("on "),
            f"{c.primal:.6g}",
            f"{c.gap:.2g}",
            f"{c.violation:.2g}",
            f"{c.margin:.4g}",
            str(c.n_support),
            str(c.n_bounded),
            "-" if c.n_misclassified is None else str(c.n_misclassified),
            str(c.iterations),
            c.ending,
        )
