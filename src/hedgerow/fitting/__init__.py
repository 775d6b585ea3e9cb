"""fitting: a table, a target and checked parameters -> a fitted model. The one way to fit, for estimators, commands
and studies alike. It knows no scikit-learn, so that commands start fast.

params = validate_tree("classification", {"prune": "cost_complexity", "max_depth": 5})
fitted = fit_tree(table, target, params, classes=["no", "yes"])     # fitted.tree, .schema, .labels, .cp_table, ...
"""
