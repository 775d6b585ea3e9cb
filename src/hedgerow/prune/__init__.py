"""prune: a Tree -> which nodes become leaves. One file a method; `hedgerow.tree.cut` does the cutting."""

from hedgerow.prune.cost_complexity import CutPath, cut_path

__all__ = ["CutPath", "cut_path"]
