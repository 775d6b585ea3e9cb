"""The split criteria this build has.   In: the native core's list.   Out: name -> what it is.

A criterion is one file, native/criteria/<name>.hpp, which the build finds; nothing in Python lists their names. Code
that treats some criteria differently asks for the property it means, never for a name.
"""

from dataclasses import dataclass

from hedgerow.core import _native as native


@dataclass(frozen=True)
class Criterion:
    of_classes: bool  # else of numbers
    public: bool  # offered to users; else for the library's own use
    median: bool  # leaves predict medians, not means
    ratio: bool  # splits are compared by gain ratio, with C4.5's rules for thresholds
    squared_units: bool  # impurity is a variance, in squared units of the target
    non_negative: bool  # targets must not be below zero


CRITERIA = {name: Criterion(**traits) for name, traits in native.criterion_names().items()}
CLASS_CRITERIA = tuple(name for name, it in CRITERIA.items() if it.public and it.of_classes)
NUMBER_CRITERIA = tuple(name for name, it in CRITERIA.items() if it.public and not it.of_classes)
RATIO_CRITERIA = tuple(name for name, it in CRITERIA.items() if it.ratio)
NON_NEGATIVE_CRITERIA = tuple(name for name, it in CRITERIA.items() if it.non_negative)
MEDIAN_CRITERIA = tuple(name for name, it in CRITERIA.items() if it.median)
