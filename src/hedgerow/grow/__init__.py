"""grow: Encoded + target + weights -> Tree."""

from hedgerow.grow.grow import grow, grow_traced
from hedgerow.grow.limits import Limits
from hedgerow.grow.target import CLASS_CRITERIA, NUMBER_CRITERIA, Classes, Numbers, Target
from hedgerow.grow.trace import Offer, Trace, offers

__all__ = [
    "CLASS_CRITERIA",
    "NUMBER_CRITERIA",
    "Classes",
    "Limits",
    "Numbers",
    "Offer",
    "Target",
    "Trace",
    "grow",
    "grow_traced",
    "offers",
]
