"""What SVMs keep beside their numbers.   In: certificates, calibrator.   Out: what JSON holds; and back, checked.

JSON has no infinity: an objective or a gap that is infinite is written as null.
"""

from dataclasses import asdict, fields
from math import inf, isfinite, isinf
from typing import Any

from hedgerow.store.errors import InvalidModelFile
from hedgerow.svm.calibrator import Calibrator
from hedgerow.svm.certificate import ENDINGS, Certificate

ENDLESS = ("primal", "gap")  # may be infinite
COUNTS = ("n_rows", "n_support", "n_free", "n_bounded", "n_misclassified", "iterations")
ABSENT = ("n_misclassified", "radius")  # may be None
LATER = {"gap_error": 0.0}  # what older files do not have
MOST = 2**53


def certificates_to(each: tuple[Certificate, ...]) -> list[dict[str, Any]]:
    return [{name: _plain(value) for name, value in asdict(one).items()} for one in each]


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and isinf(value) else value


def certificates_from(given: Any, n_models: int) -> tuple[Certificate, ...]:
    if not isinstance(given, list) or len(given) != n_models:
        raise InvalidModelFile(f"has no list of certificates for its {n_models} binary SVM(s)")
    return tuple(_certificate(one) for one in given)


def _certificate(given: Any) -> Certificate:
    names = [field.name for field in fields(Certificate)]
    if isinstance(given, dict):
        given = LATER | given
    if not isinstance(given, dict) or set(given) != set(names):
        raise InvalidModelFile(f"has a certificate without {', '.join(names)}")
    if not isinstance(given["ending"], str) or given["ending"] not in ENDINGS:
        raise InvalidModelFile("has a certificate that ended in an unknown way")
    return Certificate(
        **{name: given[name] if name == "ending" else _value(name, given[name]) for name in names}
    )


def _value(name: str, value: Any) -> Any:
    if value is None and name in ABSENT:
        return None
    if value is None and name in ENDLESS:
        return inf
    if name in COUNTS:
        if type(value) is not int or not 0 <= value <= MOST:
            raise InvalidModelFile(f"has a certificate with a {name} that is no count")
        return value
    return number(f"a certificate with a {name}", value)


def calibrator_to(calibrator: Calibrator | None) -> list[float] | None:
    return None if calibrator is None else [calibrator.below, calibrator.above]


def calibrator_from(given: Any, wanted: bool) -> Calibrator | None:
    """`wanted`: the parameters say that there are probabilities."""
    if given is None:
        if wanted:
            raise InvalidModelFile("has probability=true but no map to probabilities")
        return None
    if not isinstance(given, list) or len(given) != 2:
        raise InvalidModelFile("has a map to probabilities that is not two slopes")
    below, above = (number("a map to probabilities with a slope", slope) for slope in given)
    if min(below, above) <= 0:
        raise InvalidModelFile("has a map to probabilities that does not rise")
    return Calibrator(below, above)


def number(what: str, value: Any) -> float:
    """A finite number of a file's header."""
    if type(value) not in (int, float) or abs(value) > 1e308 or not isfinite(value):
        raise InvalidModelFile(f"has {what} that is no finite number")
    return float(value)


def facts_of(each: tuple[Certificate, ...]) -> list[tuple[str, str]]:
    """Of all binary SVMs in short: the largest gap and violation among them."""
    violation = max(one.violation for one in each)
    gap = max(one.relative_gap for one in each)
    stopped = sum(one.ending != "solved" for one in each)
    return [
        *([("binary SVMs", f"{len(each):,}")] if len(each) > 1 else []),
        *([("margin", f"{each[0].margin:.4g} on each side")] if len(each) == 1 else []),
        (
            "certificate",
            f"duality gap at most {gap:.1g} of the objective, KKT violation at most {violation:.1g}",
        ),
        *([("stopped early", f"{stopped:,} of {len(each):,} binary SVMs")] if stopped else []),
    ]
