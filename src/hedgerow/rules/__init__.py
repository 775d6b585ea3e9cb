"""rules: a Tree -> a RuleList, and its post-pruning. Rules read, print and predict without the tree."""

from hedgerow.rules.as_json import from_json, to_json
from hedgerow.rules.estimate import pessimistic_error
from hedgerow.rules.from_tree import rules_from_tree
from hedgerow.rules.parse import parse
from hedgerow.rules.prune import post_prune
from hedgerow.rules.rows import LabeledRows, label_rows
from hedgerow.rules.rule import DEFAULT, Coverage, Rule, RuleList
from hedgerow.rules.table import RuleTable
from hedgerow.rules.write import to_text

__all__ = [
    "DEFAULT",
    "Coverage",
    "LabeledRows",
    "Rule",
    "RuleList",
    "RuleTable",
    "from_json",
    "label_rows",
    "parse",
    "pessimistic_error",
    "post_prune",
    "rules_from_tree",
    "to_json",
    "to_text",
]
