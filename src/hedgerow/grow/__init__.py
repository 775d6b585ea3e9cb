"""grow: Encoded + target + weights -> Tree."""

from hedgerow.core.criteria import CLASS_CRITERIA, NUMBER_CRITERIA
from hedgerow.grow.grow import grow, grow_outputs, grow_traced
from hedgerow.grow.limits import MOST_SURROGATES, Limits
from hedgerow.grow.target import (
    Classes,
    ManyClasses,
    ManyNumbers,
    Numbers,
    Outputs,
    Target,
    extent,
    strata_of,
)
from hedgerow.grow.trace import Offer, Trace, offers
from hedgerow.grow.trace_report import TraceReport, report_trace

__all__ = [
    "CLASS_CRITERIA",
    "MOST_SURROGATES",
    "NUMBER_CRITERIA",
    "Classes",
    "Limits",
    "ManyClasses",
    "ManyNumbers",
    "Numbers",
    "Offer",
    "Outputs",
    "Target",
    "Trace",
    "TraceReport",
    "extent",
    "grow",
    "grow_outputs",
    "grow_traced",
    "offers",
    "report_trace",
    "strata_of",
]
