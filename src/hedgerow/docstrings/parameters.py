"""Entries of parameters that several estimators or methods have. What is special about one stands in its own docstring.

An entry is in numpydoc's form without its default, which is that of the signature.
"""

PARAMETERS = """
abstain_below : float
    With `predictions="abstaining"`, classifiers from elsewhere abstain where \\|2p - 1\\| is below this.
batch_size : int
    Rows of one step of the descent.
bootstrap : bool
    Draw rows with replacement. False: all rows, or `max_samples` of them without replacement.
bootstrap_features : bool
    Draw columns with replacement.
break_ties : bool
    Equal votes are decided by confidence rather than by the order of the classes.
C : float
    Cost of a unit of slack, above 0. Infinity is the hard margin.
cache_size : float
    Megabytes for stored kernel values.
callbacks : list of callable or None
    Functions that are given a RoundInfo after each round; one that returns True ends the fit. None for none.
categorical_features : sequence of str or int, or None
    Names or positions of number columns that are categories. Columns of text and categoricals are categories in
    any case; None adds none to them.
ccp_alpha : float
    Price of a leaf in cost-complexity pruning, as a share of the weight; 0 prunes nothing.
class_weight : dict, "balanced" or None
    Weight of each class: a dict by label, "balanced" for weights that make all classes count alike, None for
    one each.
coef0 : float
    Constant of the polynomial and sigmoid kernels.
cv : int or splitter
    Number of folds, or a splitter of scikit-learn.
decision_function_shape : {"ovr", "ovo"}
    With `multi_class="ovo"`: "ovr" gives a column for each class, "ovo" one for each pair.
degree : int
    Degree of the polynomial kernel.
dual : bool or "auto"
    True for dual coordinate descent, False for Newton's method, "auto" for the faster one. Both solve the same
    problem.
early_stopping : bool
    End when the loss of held-out rows has not fallen for `n_iter_no_change` rounds, and keep the best number of
    rounds.
epsilon : float
    Half the width of the tube in which errors cost nothing, in units of the target.
estimators : list of (str, estimator)
    The members, each with a name.
feature_names : sequence of str or None
    Names of the columns of a matrix that has none, such as the words of sparse counts. None numbers them.
fit_intercept : bool
    False for a boundary through the origin.
gamma : float, "scale" or "auto"
    Coefficient of the rbf, polynomial and sigmoid kernels: "scale" is 1 / (columns x variance), "auto" 1 /
    columns.
growth : {"leaf", "level"}
    Grow the leaf with the largest gain first, or level by level.
interaction_cst : list of groups, "pairwise", "no_interactions" or None
    Groups of columns that may meet in a branch; None for all.
intercept_scaling : float
    What stands in the intercept's column where the intercept carries a penalty; a large one makes the penalty
    small.
kernel : {"linear", "poly", "rbf", "sigmoid", "precomputed"} or callable
    The kernel; "precomputed" if X holds kernel values; or a function of two matrices.
l1_regularization : float
    Penalty on the absolute values of leaves, in the scale of sums of second derivatives.
l2_regularization : float
    Penalty on the squared values of leaves, in the scale of sums of second derivatives (of squared errors, one
    a row). scikit-learn's default is 0; 1 is better on nearly every small table.
learn_on : {"folds", "validation"}
    Learn the coefficients from out-of-fold predictions of all rows, or from rows set aside.
learning_rate : float
    What each round adds is multiplied by it.
max_bins : int or None
    At most this many quantile bins a column, 2 to 255. None for exact thresholds; on a stream, for 255.
max_depth : int or None
    Most questions between the root and a leaf. None for no limit.
max_features : int, float, {"sqrt", "log2"} or None
    Columns looked at in each node: a number, a share of them, their square root or logarithm. None for all.
max_features_tree : float
    Share of the columns drawn for each tree.
max_iter : int
    Most rounds.
max_leaf_nodes : int or None
    Most leaves; the tree then grows best-first. None for no limit.
max_samples : int, float or None
    Draws of each member, or a share of the rows. None for as many as there are rows.
max_subset_size : int
    Most levels of a category in one question.
max_thresholds : int or None
    Most thresholds a column, chosen as gradient boosting finds them. None for all.
merge_leaves : bool
    Make one leaf of sibling leaves that decide alike: decisions stay, class shares become those of the one
    leaf.
min_gain : float
    Least gain of a split.
min_hessian_leaf : float
    Least sum of second derivatives in a leaf.
min_impurity_decrease : float
    A split must decrease the impurity, times the node's share of the weight, by this much.
min_samples_leaf : int or float
    Fewest rows of a leaf, or a share of all rows.
min_samples_split : int or float
    Fewest rows of a node that may be split, or a share of all rows.
min_weight_fraction_leaf : float
    Least weight of a leaf, as a share of all weight.
missing : {"learned", "fractional", "surrogate", "stop"}
    Where rows with a missing cell go: to the side where they do least harm; to all branches by their share, as in
    C4.5; the way another column says, as in CART and rpart; or no further, with the node's own answer, as with
    rpart's usesurrogate=0.
monotonic_cst : sequence of int, dict or None
    -1, 0 or 1 for each column, or a dict by name: the prediction (of two classes, the second's probability) may
    only fall, do anything, or only rise with it. None for no constraint.
n_estimators : int
    Members, or rounds.
n_iter_no_change : int
    Rounds without an improvement after which early stopping ends the fit.
n_jobs : int or None
    Threads; None and -1 for all usable cores. The model does not depend on it.
oob_score : bool or callable
    Score the rows by the members that have not seen them: True for accuracy or R2, or a function of (y,
    predictions).
predictions : {"discrete", "abstaining", "confident"}
    What a weak predictor says: yes or no; yes, no or nothing; or a number whose size is its confidence.
prefit : bool
    The members are fitted already; fit learns the coefficients on all rows it is given.
probability : bool
    Learn `predict_proba` too, from five more fits; its largest share is always that of the predicted class.
prune : str, dict, pruning method or None
    A name such as "cost_complexity" (cross-validated), a method of `hedgerow.prune` with its settings, such as
    `Pessimistic(confidence=0.1)`, or a dict such as `{"method": "pessimistic", "confidence": 0.1}`. None for no
    pruning.
random_state : int, RandomState or None
    Seed of everything that is drawn. None draws anew each time.
redraw : bool
    Where all columns drawn in a node are constant, draw another, as scikit-learn does. False makes the node a
    leaf, as ranger does: better where the classes overlap much, worse where they do not.
scoring : str, callable or None
    What early stopping looks at: "loss", or a scorer of scikit-learn.
shrinking : bool
    Accepted for compatibility with scikit-learn and ignored; the solver chooses its working set itself.
splits : {"binary", "multiway"}
    Two subsets of a category's levels, or a branch for each level.
splitter : {"best", "random"}
    Try every threshold, or one random threshold a column.
standardize : bool
    Learn on columns of mean 0 and deviation 1 (sparse ones: deviation 1).
stop : {"oob"} or None
    "oob" ends growing when the out-of-bag curve is flat; `stopped_` says when and why, and `n_estimators` is
    the most there may be. None grows them all.
subsample : float
    Share of the rows drawn for each round.
time_limit : float or None
    Most seconds; the best solution so far is then kept with its gap, and a warning says so. None for no limit.
tol : float
    How exact the solution is at the end.
trace : bool
    Keep every column's best split at every node in `trace_`.
validation_fraction : float
    Share of the rows that is held out.
verbose : int
    1 says once a second how far the fit is. 0 says nothing.
warm_start : bool
    Go on from the last fit, which must have been on the same rows, up to the requested number.
weights : "learned", sequence of float or None
    Coefficients of the members; None for equal ones. Learned ones are never negative and sum to one.
"""

METHOD_PARAMETERS = """
X : array-like, sparse matrix or frame of shape (n_samples, n_features)
    Rows: a NumPy array, a frame of pandas or polars, an Arrow table, or a matrix of scipy.sparse. Text and
    missing cells are taken as they are by trees and what is made of them.
y : array-like of shape (n_samples,)
    Class labels, or numbers.
sample_weight : array-like of shape (n_samples,) or None
    Weight of each row; 0 leaves a row out. None for one each.
check_input : bool
    Accepted for compatibility with scikit-learn and ignored; X is always checked.
ax : matplotlib.axes.Axes or None
    Where to draw. None makes a new figure.
confidence_level : float
    Confidence level of the intervals.
estimator : estimator
    Any classifier or regressor with scikit-learn's fit and predict; it is cloned, not changed.
models : dict or list of estimators
    The models, by name or as a list.
most : int
    How many to show at most.
output : int, str or None
    The class, by its name or place; the last if None. Numbers have one output only.
path : str or path
    A file's name, by custom ending in `.hedgerow`.
random_state : int or None
    Seed of what is drawn.
cv : int, float, str, splitter or iterable, optional
    A number of folds, a share to hold out such as 0.25, "time" for folds in the order of the rows, "fitted" if
    the model is fitted and X, y are new to it, a splitter of scikit-learn, or pairs of rows.
n_jobs : int or None
    Fits side by side; None and -1 for all usable cores. The numbers do not depend on it.
progress : bool
    A line on standard error for work that takes more than a second.
quantiles : sequence of float
    Quantiles between 0 and 1.
test : tuple of (X, y) or None
    Other rows, for their error after each round.
most_rows : int
    How many of the heaviest rows to show.
merged : bool
    Show sibling leaves that decide alike as one.
row : int
    Position of the row.
width : int
    Cells of a terminal a line may take.
input_features : None
    Accepted for compatibility with scikit-learn; the names are those of fit.
number : int
    The round, counted from 0.
test_share : float
    Share of the rows that is held out.
validation_fraction : float
    Share of the rows that prunings which need held-out rows look at.
**params : dict
    Metadata for the members, where scikit-learn routes it.
groups : array-like of shape (n_samples,) or None
    One a row; groups stay together, in folds and in the standard errors. None: each row alone.
positive : label or None
    Of two classes, the one of interest, whose precision, recall and F are given. None: what is not called no (false,
    0, negative, control, normal ...), unless that is rarer than 20 %; else the rarer one, or, of nearly
    equal ones (45 % and more), the second in order.
repeats : int
    How often the folds are drawn anew.
node : int
    Number of the node.
machine : int
    Which binary SVM, in the order of `certificate_`. X, y and sample_weight are what `fit` was given.
model : estimator
    A fitted or unfitted estimator.
**options : dict
    Options of the picture.
counts : array-like
    Counts (or weights) of the classes; of a table, a line for each branch of a split.
table : array-like of shape (n_branches, n_classes)
    Counts of the classes in each branch of a split.
base : float
    Base of the logarithm: 2 for bits, e for nats.
margin : array-like
    Margins y f(x).
right : float
    The weight that a predictor has right, mu+.
wrong : float
    The weight, or number of rows, that is wrong.
f : array-like
    Outputs: above 0 says +1, below 0 says -1, and 0 abstains.
w : array-like or None
    Weights. None for equal ones.
b : float
    Intercept of the plane.
score : array-like
    Scores w.x + b.
degrees_of_freedom : int
    Degrees of freedom.
significance : float
    Probability with which chance exceeds the value.
rows : float
    Rows of the leaf.
confidence : float
    Confidence level, between 0 and 1.
n_members : int
    Members that vote.
tree : Tree
    The tree, such as `hedgerow_tree_` of a fitted one.
data : PruningData or None
    Rows, for methods that need them.
error : float
    Error rate of each member.
"""
