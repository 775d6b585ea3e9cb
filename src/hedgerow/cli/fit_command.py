"""The command `fit`, declared.   In: argv.   Out: a call of fit.py. Nothing heavy is imported before that."""

from hedgerow.cli import options as o
from hedgerow.cli.picked import picked


def fit(
    data: o.Data,
    target: o.Target = None,
    task: o.Task = "auto",
    model: o.Model = "tree",
    recipe: o.Recipe = None,
    criterion: o.Criterion = None,
    max_depth: o.MaxDepth = None,
    min_leaf: o.MinLeaf = None,
    max_leaves: o.MaxLeaves = None,
    prune: o.Prune = None,
    prune_alpha: o.PruneAlpha = None,
    confidence: o.Confidence = None,
    raising: o.Raising = True,
    significance: o.Significance = None,
    price: o.Price = None,
    depth: o.DepthLimit = None,
    leaves: o.LeafLimit = None,
    folds: o.Folds = None,
    choose: o.Choose = None,
    base: o.Base = None,
    predictions: o.Predictions = None,
    loss: o.Loss = None,
    rounds: o.Rounds = None,
    trees: o.Trees = None,
    columns: o.Columns = None,
    stop: o.Stop = None,
    kernel: o.KernelName = None,
    cost: o.Cost = None,
    gamma: o.Gamma = None,
    degree: o.Degree = None,
    test_share: o.TestShare = 0.25,
    seed: o.Seed = 0,
    categories: o.Categories = "",
    drop: o.Drop = "",
    memory: o.Memory = None,
    picture: o.Picture = None,
    save: o.Save = None,
    threads: o.Threads = None,
    json: o.Json = False,
    traceback: o.Traceback = False,
) -> None:
    """Fit a model to a table: what was inferred, the score on held-out rows, the model, a picture, a file.

    \b
      hedgerow fit titanic                                        pruned by cross-validation
      hedgerow fit titanic --recipe c45                           as C4.5 grows and prunes
      hedgerow fit titanic --prune pessimistic --confidence 0.1   another pruning
      hedgerow fit titanic --model forest --trees 500             a random forest
      hedgerow fit heart --model svm --kernel rbf --cost 10       a support vector machine
    """
    given = locals()
    from hedgerow.cli.asked import Asked
    from hedgerow.cli.fit import fit as run
    from hedgerow.cli.models.model import Wanted
    from hedgerow.cli.pruning import Wish

    run(picked(Asked, given), picked(Wish, given), picked(Wanted, given), json)
