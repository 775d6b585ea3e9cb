"""Limits: when growing stops and how far it looks. Checked where they are made; nobody below asks again."""

from dataclasses import dataclass

MOST_SURROGATES = 5  # a node, as rpart keeps


@dataclass(frozen=True)
class Limits:
    max_features: int  # columns looked at in each node
    max_depth: int = 2**31 - 1
    min_rows_split: int = 2
    min_rows_leaf: int = 1
    min_weight_leaf: float = 0.0
    max_leaves: int = 0  # 0: no limit, depth-first; else best-first
    min_decrease: float = 0.0  # of impurity, times the node's share of the weight
    # The price of a leaf, as a share of all weight: so much less must be guessed wrong
    min_wrong: float = 0.0
    min_loss: float = 0.0  # the same for weight times impurity; at most one of the two is not zero
    random_splits: bool = False  # one random threshold a column instead of the best
    redraw: bool = True  # the columns drawn are all constant: another is drawn; False: the node is a leaf
    multiway: bool = False  # categories get a branch for each level instead of two subsets
    fractional: bool = False  # rows whose tested cell is missing go down all branches, by their share
    surrogates: int = 0  # or by up to this many surrogate tests a node
    stops: bool = False  # or they stop there: a third child, a leaf, says of them what the node says
