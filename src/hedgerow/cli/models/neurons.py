"""--model neurons: a network with one hidden layer, boosted unit by unit."""

from pathlib import Path
from typing import Any

from hedgerow.cli.asked import Asked
from hedgerow.cli.models.model import Wanted

WORDS = "boosted neurons"
OPTIONS = ("rounds",)


def estimator(asked: Asked, wanted: Wanted, classes: bool) -> Any:
    from hedgerow.estimators import BoostedNeuronsClassifier

    if not classes:
        raise ValueError(
            "--model neurons tells classes apart, but the target holds numbers. Ways out: --task classification, or "
            "--model tree."
        )
    rounds = 50 if wanted.rounds is None else wanted.rounds
    return BoostedNeuronsClassifier(n_estimators=rounds, random_state=asked.seed, n_jobs=asked.threads)


def facts(fitted: Any) -> list[tuple[str, str]]:
    network, last = fitted.network_, fitted.rounds_.rounds[-1]
    return [
        ("network", f"{len(network.inputs.names):,} inputs, {network.n_units:,} units {network.activation}"),
        ("rounds", f"{len(fitted.rounds_):,}; {fitted.rounds_.stopped}"),
        ("training error", f"{last.error:.2%}, at most {fitted.diagnostics_.bound[-1]:.2%} by the bound"),
    ]


def importances(fitted: Any) -> list[tuple[str, float]]:
    return []


def picture(fitted: Any, file: Path, table: Any, labels: Any) -> bool:
    """Training error and its bound over the rounds."""
    fitted.diagnostics_.draw().figure.savefig(file)
    return True
