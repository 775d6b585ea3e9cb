"""gradient: gradient boosting on binned columns. A Table, a target and a loss -> trees that are summed."""

from hedgerow.gradient.bins import Binned, bin_table
from hedgerow.gradient.boost import Watch, boost
from hedgerow.gradient.loss import Loss, LossOptions, load_loss, loss_names
from hedgerow.gradient.params import BoostParams
from hedgerow.gradient.trees import GradientTrees

__all__ = [
    "Binned",
    "BoostParams",
    "GradientTrees",
    "Loss",
    "LossOptions",
    "Watch",
    "bin_table",
    "boost",
    "load_loss",
    "loss_names",
]
