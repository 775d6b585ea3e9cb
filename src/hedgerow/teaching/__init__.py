"""teaching: what lectures show at the blackboard, of the reader's own rows.

    from hedgerow import teaching
    teaching.score_thresholds(x, y)              every threshold of a column with its score
    teaching.measure_nodes(tree)                 chi-square, description length and cost of every split
    teaching.prune_rules(tree, X, y)             rule post-pruning, each considered removal shown
    teaching.trace_weights(booster, X, y)        every row's weight in every round
    teaching.draw_impurities(), draw_surrogate_losses(), draw_rocs(models, X, y), draw_margin_widths(machines)
    teaching.make_lesson("boosting", X, y)       a page to step through; `hedgerow learn boosting` opens it
    teaching.list_regression_rules(tree), draw_regions(tree, X, y), draw_surface(tree, X)
    teaching.GatedClassifier(members)            members for different regions, divided by a tree

Each result prints itself and turns into a dict; those with a curve draw it. Machines tell of themselves:
`SVC.slacks(X, y)` has every row's alpha and slack, `SVC.trace_steps(X, y)` every step of the solver.
"""

from hedgerow.teaching.gate import GatedClassifier
from hedgerow.teaching.lesson import make_lesson
from hedgerow.teaching.node_costs import NodeCosts, measure_nodes
from hedgerow.teaching.pictures import (
    draw_impurities,
    draw_margin_widths,
    draw_rocs,
    draw_surrogate_losses,
)
from hedgerow.teaching.regions import draw_regions, draw_surface
from hedgerow.teaching.regression_rules import RegressionRules, list_regression_rules
from hedgerow.teaching.row_weights import RowWeights, trace_weights
from hedgerow.teaching.rule_pruning import RulePruning, prune_rules
from hedgerow.teaching.thresholds import ThresholdScores, score_thresholds

__all__ = [
    "GatedClassifier",
    "NodeCosts",
    "RegressionRules",
    "RowWeights",
    "RulePruning",
    "ThresholdScores",
    "draw_impurities",
    "draw_margin_widths",
    "draw_regions",
    "draw_rocs",
    "draw_surface",
    "draw_surrogate_losses",
    "list_regression_rules",
    "make_lesson",
    "measure_nodes",
    "prune_rules",
    "score_thresholds",
    "trace_weights",
]
