"""features: columns that models cannot read as they are -> columns they can.

    free text                      counts of its words and pairs of words
    dates                          year, month, weekday, hour; days between two dates
    categories with many levels    what the target is where the level stands, on average

In: a Table with such columns, the target.   Out: Features, learned from training rows alone; with them, any such table
-> the table that a model itself reads.

    dates.py      parts of dates
    rates.py      the target by level, out of fold for the rows it is learned from
    words.py      which words and pairs count, and for how much
    features.py   all of them
"""

from hedgerow.features.features import Features, LearnedFeatures, learn_features, needs_features
from hedgerow.features.rates import Outcome, class_outcome, number_outcome

__all__ = [
    "Features",
    "LearnedFeatures",
    "Outcome",
    "class_outcome",
    "learn_features",
    "needs_features",
    "number_outcome",
]
