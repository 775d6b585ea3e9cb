"""What a path over C (and gamma) has found.   In: its points.   Out: SvmPath, frozen; prints and draws itself."""

from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any

from hedgerow.types import Float


@dataclass(frozen=True)
class PathPoint:
    C: float
    gamma: float | None
    error: float  # share of held-out rows (by weight) decided wrongly, mean over folds
    std: float  # standard error of that mean
    train_error: float
    n_support: int
    primal: float  # of the machine on all rows; summed over machines
    gap: float
    iterations: int  # of all fits of this point
    seconds: float


@dataclass(frozen=True)
class SvmPath:
    """`best`: the smallest cross-validated error. `chosen`: the smallest C, then gamma, within a
    standard error of it."""

    points: tuple[PathPoint, ...]
    n_folds: int
    seconds: float
    stored: bool  # whether kernel matrices were stored
    coefs: tuple[Float, ...] = field(
        repr=False, default=()
    )  # linear: machines x (columns, intercept) of each point

    @property
    def best(self) -> int:
        return min(range(len(self.points)), key=lambda k: (self.points[k].error, self._size(k)))

    @property
    def chosen(self) -> int:
        bound = self.points[self.best].error + self.points[self.best].std
        return min((k for k, p in enumerate(self.points) if p.error <= bound), key=self._size)

    def _size(self, k: int) -> tuple[float, float]:
        return self.points[k].C, self.points[k].gamma or 0.0

    def params(self, k: int | None = None) -> dict[str, float]:
        """For `set_params`: those of point k, or of the chosen one."""
        point = self.points[self.chosen if k is None else k]
        return {"C": point.C} if point.gamma is None else {"C": point.C, "gamma": point.gamma}

    def as_dict(self) -> dict[str, Any]:
        return {
            "points": [asdict(point) for point in self.points],
            "best": self.best,
            "chosen": self.chosen,
            "n_folds": self.n_folds,
            "seconds": self.seconds,
        }

    def _lines(self) -> list[tuple[str, ...]]:
        heads = (
            "C",
            "gamma",
            "cv error",
            "± se",
            "training",
            "support",
            "primal",
            "gap",
            "steps",
            "seconds",
            "",
        )
        lines: list[tuple[str, ...]] = [heads]
        for k, p in enumerate(self.points):
            mark = "chosen (1 SE)" if k == self.chosen else "best" if k == self.best else ""
            if k == self.chosen == self.best:
                mark = "best, chosen"
            lines.append(
                (
                    f"{p.C:.4g}",
                    "-" if p.gamma is None else f"{p.gamma:.4g}",
                    f"{p.error:.4f}",
                    f"{p.std:.4f}",
                    f"{p.train_error:.4f}",
                    str(p.n_support),
                    f"{p.primal:.6g}",
                    f"{p.gap:.2g}",
                    str(p.iterations),
                    f"{p.seconds:.3f}",
                    mark,
                )
            )
        if all(p.gamma is None for p in self.points):
            lines = [(*line[:1], *line[2:]) for line in lines]
        return lines

    def __str__(self) -> str:
        lines = self._lines()
        widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
        body = [
            "  ".join(cell.rjust(w) for cell, w in zip(line[:-1], widths[:-1], strict=True)) + "  " + line[-1]
            for line in lines
        ]
        how = "kernel matrices stored" if self.stored else "warm starts"
        return "\n".join(
            [*(line.rstrip() for line in body), f"{self.n_folds} folds, {self.seconds:.3g} s in all, {how}"]
        )

    def _repr_html_(self) -> str:
        head, *rest = self._lines()
        top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        rows = "".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in line) + "</tr>" for line in rest)
        return f"<table><tr>{top}</tr>{rows}</table>"

    def draw(self, ax: Any = None) -> Any:
        """Cross-validated error against C, a line for each gamma."""
        from hedgerow.draw.svm import draw_path

        return draw_path(self, ax=ax)
