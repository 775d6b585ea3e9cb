"""Entries of attributes that several fitted estimators or results have."""

ATTRIBUTES = """
certificate_ : Certificate or Certificates
    What is proved about the solution: objectives, duality gap, margin, counts and work. Prints itself.
class_weight_ : ndarray of shape (n_classes,)
    The weight of each class.
classes_ : ndarray of shape (n_classes,)
    The class labels; of several outputs a list of arrays.
coef_ : ndarray of shape (n_models, n_features)
    Coefficients in the units of X, sparse where X was; of kernel machines with `kernel="linear"` only.
coefficients_ : Coefficients
    The learned coefficients and how far they can be from the best. Prints itself.
do_early_stopping_ : bool
    Whether rows were held out to end the fit.
dual_coef_ : ndarray of shape (n_models, n_support)
    Dual coefficients times the class of each support vector.
estimator_ : estimator
    The fitted model, or the learner that the members are copies of.
estimator_errors_ : ndarray of shape (n_rounds,)
    Weighted error of each round.
estimator_weights_ : ndarray of shape (n_rounds,)
    Weight of each round, on scikit-learn's scale.
estimators_ : list of estimators
    The members, fitted.
estimators_features_ : list of ndarray
    The columns of each member.
estimators_samples_ : list of ndarray
    The rows of each member, as often as it drew them.
feature_importances_ : ndarray of shape (n_features,)
    Mean decrease of impurity, normalised to sum one. Biased towards columns of many values.
feature_names_in_ : ndarray of shape (n_features,)
    Names of the columns, where X had names.
fit_status_ : int
    0 if solved, 1 if a limit ended the fit.
forest_ : Forest
    The trees and what each of them drew.
hedgerow_tree_ : Tree
    The tree as plain arrays.
importance_ : Importance
    Importance of all columns. Prints and draws itself.
intercept_ : ndarray
    Intercept of each model.
is_categorical_ : ndarray of bool or None
    Which columns are categories; None if none is.
labels_ : Labels
    The words for the tree's numbers: columns, levels and classes.
max_features_ : int
    Columns looked at in each node.
n_classes_ : int
    Number of classes; of several outputs a list.
n_features_in_ : int
    Number of columns.
n_iter_ : int or ndarray
    Rounds, steps or epochs that were done.
n_outputs_ : int
    Number of targets.
n_support_ : ndarray
    Number of support vectors of each class.
n_trees_per_iteration_ : int
    Trees of a round: one, or one for each class.
named_estimators_ : Bunch
    The fitted members, by name.
oob_ : OutOfBag
    Predictions of the training rows by the members that have not seen them, their scores with intervals, the
    curve.
oob_decision_function_ : ndarray of shape (n_samples, n_classes)
    Mean class shares out of bag; NaN for a row that every member has seen.
oob_prediction_ : ndarray of shape (n_samples,)
    Predicted numbers out of bag.
oob_score_ : float
    Accuracy or R2 out of bag, or what `oob_score` computes.
progress_ : list of tuple
    How the solution of each model went: seconds, and how far from the optimum.
rounds_ : Rounds
    Every round with its predictor, coefficient and loss.
schema_ : Schema
    Names and kinds of the columns, as they were read.
shape_fit_ : tuple of int
    Shape of the training rows.
stopped_ : str
    Why there are no more rounds or members.
support_ : ndarray
    Positions of the support vectors.
support_vectors_ : ndarray of shape (n_support, n_features)
    The support vectors.
train_score_ : ndarray
    Score of the training rows after each round, with early stopping.
validation_score_ : ndarray
    Score of the held-out rows after each round, with early stopping.
tree_ : sklearn.tree._tree.Tree
    The tree in scikit-learn's own structure, where that has room for it.
trees_ : GradientTrees
    All trees of all rounds.
weighting_ : {"weights", "resampling"}
    Whether the learner was given weights, or rows drawn by weight.
weights_ : ndarray
    The coefficients of the members.
baseline : FoldResult
    Fold results of the baseline, which does not look at the columns.
classes : tuple
    Names of the classes.
confidence_level : float
    Confidence level of the intervals.
data : Data
    The table and the target that were used.
findings : tuple
    What may be wrong with the method.
high : ndarray
    Upper end of each interval.
is_error_rate : bool
    Whether the loss is an error rate; else it is a mean squared error.
loss : str
    Name of the loss.
low : ndarray
    Lower end of each interval.
n_folds : int
    Folds of the cross-validation.
n_members : int
    Members of the ensemble.
n_rows : int
    Rows that were used.
names : tuple
    Names of the columns.
outputs : tuple
    Names of the outputs.
positive : str
    The class of interest.
scoring : str
    The metric.
seconds : float
    Seconds it took.
splits : Splits
    The splits that were drawn.
stopped : str
    Why there are no more rounds.
test_error : ndarray
    Error of other rows after each round, where some were given.
tree : Tree
    The tree.
labels : Labels
    The words for the tree's numbers.
needs : str
    Rows that it looks at: "nothing", "training" or "held_out".
score_title : str
    The metric's name for tables and pictures.
"""
