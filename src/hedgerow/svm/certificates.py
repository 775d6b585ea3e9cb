"""The certificates of one fit.   In: a certificate for each machine.   Out: one thing that prints them all."""

from dataclasses import dataclass
from html import escape
from typing import Any

from hedgerow.svm.certificate import Certificate


@dataclass(frozen=True)
class Certificates:
    """Of a single machine it reads like that machine's Certificate: `certificate_.gap`. `worst` has the largest gap."""

    names: tuple[str, ...]
    each: tuple[Certificate, ...]

    @property
    def worst(self) -> Certificate:
        return max(self.each, key=lambda c: c.relative_gap)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if len(self.each) == 1:
            return getattr(self.each[0], name)
        raise AttributeError(
            f"there are {len(self.each)} machines, each with its own {name!r}: see certificate_.each, or .worst"
        )

    def as_dict(self) -> dict[str, Any]:
        if len(self.each) == 1:
            return self.each[0].as_dict()
        return {name.strip(): one.as_dict() for name, one in zip(self.names, self.each, strict=True)}

    def __str__(self) -> str:
        if len(self.each) == 1:
            return str(self.each[0])
        heads = (
            "machine",
            "primal",
            "gap",
            "violation",
            "margin",
            "support",
            "bound",
            "wrong",
            "steps",
            "ended",
        )
        lines = [heads, *(self._cells(name, c) for name, c in zip(self.names, self.each, strict=True))]
        widths = [max(len(line[k]) for line in lines) for k in range(len(heads))]
        return "\n".join(
            line[0].ljust(widths[0])
            + "".join(f"  {cell:>{w}}" for cell, w in zip(line[1:], widths[1:], strict=True))
            for line in lines
        )

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

    def _repr_html_(self) -> str:
        if len(self.each) == 1:
            return self.each[0]._repr_html_()
        return f"<pre>{escape(str(self))}</pre>"
