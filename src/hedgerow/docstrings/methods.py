"""Docstrings of methods that several classes have: for methods that have none, or lack a section."""

METHODS = """
=== fit
Fit the model to rows X and their targets y.

Returns
-------
Self
    The fitted estimator.

Raises
------
ValueError
    If a parameter, X or y cannot be used; the message says what was given, what is wanted, and a way out.
=== predict
Predict the target of each row.

Returns
-------
ndarray of shape (n_samples,) or (n_samples, n_outputs)
    Class labels, or numbers.
=== predict_proba
Predict the probability of each class.

Returns
-------
ndarray of shape (n_samples, n_classes)
    Probabilities, in the order of `classes_`; of several outputs a list of such arrays.
=== predict_log_proba
Predict the logarithm of each class's probability.

Returns
-------
ndarray of shape (n_samples, n_classes)
    Natural logarithms of what `predict_proba` gives; minus infinity for zero.
=== predict_votes
Count the members that vote for each class.

Returns
-------
ndarray of shape (n_samples, n_classes)
    Shares of the members.
=== decision_function
Compute the score of each row.

Returns
-------
ndarray of shape (n_samples,) or (n_samples, n_classes)
    Two classes: one score a row, above zero for the second. More: a score for each class.
=== staged_predict
Predict the target of each row after each round.

Yields
------
ndarray of shape (n_samples,)
    Class labels, or numbers.
=== staged_predict_proba
Predict the probability of each class after each round.

Yields
------
ndarray of shape (n_samples, n_classes)
    Probabilities, in the order of `classes_`.
=== staged_decision_function
Compute the score of each row after each round.

Yields
------
ndarray of shape (n_samples,) or (n_samples, n_classes)
    Scores.
=== staged_score
Compute the score of the model after each round: accuracy of classes, R2 of numbers.

Yields
------
float
    The score.
=== score
Compute the coefficient of determination R2, or the accuracy, of the predictions.

Returns
-------
float
    The score.
=== apply
Find the leaf each row ends in.

Returns
-------
ndarray of shape (n_samples,) or (n_samples, n_trees)
    Numbers of nodes.
=== decision_path
Find the nodes each row passes through.

Returns
-------
csr_matrix of shape (n_samples, n_nodes)
    One where the row passes through the node; of a forest a tuple of it and where each tree's nodes begin.
=== get_depth
Count the questions between the root and the deepest leaf.

Returns
-------
int
    Depth of the tree.
=== get_n_leaves
Count the leaves.

Returns
-------
int
    Leaves of the tree.
=== transform
Transform rows as fit has learned.

Returns
-------
ndarray or frame of shape (n_samples, n_features_out)
    The transformed rows.
=== get_params
Get the parameters, and with `deep` those of the members.

Parameters
----------
deep : bool
    Include the members and their parameters.

Returns
-------
dict
    Parameters by name.
=== set_params
Set parameters, also those of the members.

Parameters
----------
**params : dict
    Parameters by name.

Returns
-------
Self
    The estimator.
=== get_metadata_routing
Get the metadata routing of this object, as scikit-learn describes it.

Returns
-------
MetadataRouter
    What is passed on to the members.
=== get_feature_names_out
Get the names of the columns that come out.

Returns
-------
ndarray of str
    Names of columns.
=== to_sklearn
Convert to scikit-learn's own estimator.

Returns
-------
estimator
    The fitted estimator of scikit-learn.
=== draw
Draw it with matplotlib.

Returns
-------
matplotlib.axes.Axes or matplotlib.figure.Figure
    What was drawn on.
=== tables
Get what is shown, from top to bottom.

Returns
-------
list of DisplayTable or str
    Tables, and lines of text between them.
=== to_dict
Get plain data, as JSON can hold it.

Returns
-------
dict
    NaN and infinity are None.
=== to_text
Write it as text for a terminal.

Returns
-------
str
    Lines of text.
=== score_table
Get the table of scores.

Returns
-------
DisplayTable
    The table.
=== export
Export the model to another form.

Parameters
----------
name : str
    A format such as "c", "sql", "python", "json", "onnx", "text" or "svg"; an unknown one lists those that take
    such a model.
path : str, path or None
    Where to write it as well. None writes no file.
check : bool
    Run what can be run on the test rows it carries; a difference from the model is an error.
**options : dict
    Options of that format.

Returns
-------
str or bytes
    The model in that form.
=== out_of_bag
Predict training rows by the members that have not seen them.

Parameters
----------
X : array-like or None
    The training rows, for a model that was copied or loaded. None for those of fit.
y : array-like or None
    Their targets. None for those of fit.

Returns
-------
OutOfBag
    Predictions, scores with intervals, and the curve.
=== explain
Explain the prediction of each row.

Returns
-------
Explanation
    Shapley values of each row and column. Prints and draws itself.
=== predict_quantiles
Predict quantiles of the target.

Returns
-------
ndarray of shape (n_samples, n_quantiles)
    Quantiles of each row.
=== predict_interval
Predict an interval for the target of each row.

Returns
-------
ndarray of shape (n_samples, 2)
    Lower and upper ends.
=== nodes_to_cut
Find the nodes that become leaves.

Returns
-------
ndarray of bool
    True at each such node.
=== prune
Prune a tree.

Returns
-------
Tree
    The smaller tree; never a larger one.
=== strengths
List the method from weak to strong, as far as this tree can tell the settings apart.

Returns
-------
tuple of methods
    The same method with each setting.
"""
