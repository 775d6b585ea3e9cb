"""The panel of a study, made of scikit-learn's estimators.   In: a task, kinds of columns.   Out: estimators by name.

Each gets the preparation it needs and searches inside the training rows for what hedgerow's model searches for. Where
scikit-learn has no such search, the shortest honest way to one is taken, and the cheaper one where there is a choice:

    tree            20 prices of the cost-complexity path, ten folds (hedgerow: all of them)
    AdaBoost        400 rounds, the best number of them on a tenth held out (scikit-learn's cannot stop early)
    gradient boosting   HistGradientBoosting, which stops early
    linear, radial  C of three by three folds; the radial one on the same sample of 5,000 rows
    rules, blend    scikit-learn has none: left out of the ratio
"""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.compose import ColumnTransformer
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC, LinearSVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

NONE_FOR = ("rules", "blend")  # nothing in scikit-learn learns them
PRICES = 20


class Pruned(BaseEstimator):
    """A tree whose ccp_alpha is chosen by ten folds from its own path."""

    def __init__(self, tree: Any) -> None:
        self.tree = tree

    def fit(self, X: Any, y: Any) -> Any:
        prices = np.unique(self.tree.cost_complexity_pruning_path(X, y).ccp_alphas.clip(0))
        few = np.unique(prices[np.linspace(0, len(prices) - 1, PRICES).round().astype(int)])
        search = GridSearchCV(clone(self.tree), {"ccp_alpha": few}, cv=10).fit(X, y)
        self.best_ = search.best_estimator_
        return self

    def predict(self, X: Any) -> Any:
        return self.best_.predict(X)


class PrunedClassifier(ClassifierMixin, Pruned):
    pass


class PrunedRegressor(RegressorMixin, Pruned):
    pass


class BestRounds(ClassifierMixin, BaseEstimator):
    """AdaBoost cut at the round that was best on a tenth of the rows."""

    def __init__(self, boosted: Any) -> None:
        self.boosted = boosted

    def fit(self, X: Any, y: Any) -> Any:
        learn, held, truth, known = train_test_split(X, y, test_size=0.1, stratify=y, random_state=0)
        self.model_ = clone(self.boosted).fit(learn, truth)
        scores = list(self.model_.staged_score(held, known))
        best = int(np.argmax(scores)) + 1
        self.model_.estimators_ = self.model_.estimators_[:best]
        self.model_.estimator_weights_ = self.model_.estimator_weights_[:best]
        return self

    def predict(self, X: Any) -> Any:
        return self.model_.predict(X)


class Sample(BaseEstimator):
    """Learns from so many rows at most."""

    def __init__(self, model: Any, rows: int) -> None:
        self.model = model
        self.rows = rows

    def fit(self, X: Any, y: Any) -> Any:
        if len(y) > self.rows:
            strata = y if hasattr(self.model, "predict_proba") or y.dtype.kind not in "f" else None
            X, _, y, _ = train_test_split(X, y, train_size=self.rows, stratify=strata, random_state=0)
        self.model_ = clone(self.model).fit(X, y)
        return self

    def predict(self, X: Any) -> Any:
        return self.model_.predict(X)


def panel(task: str, numbers: list[str], texts: list[str]) -> dict[str, Any]:
    classes = task == "classification"

    def one_hot(scale: bool) -> Any:
        steps = [SimpleImputer(strategy="mean" if scale else "median")] + [StandardScaler()] * scale
        return ColumnTransformer(
            [
                ("numbers", make_pipeline(*steps), numbers),
                ("texts", OneHotEncoder(handle_unknown="ignore", sparse_output=False), texts),
            ]
        )

    ordinal = ColumnTransformer(
        [
            ("texts", OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan), texts),
            ("numbers", "passthrough", numbers),
        ]
    )
    tree = DecisionTreeClassifier(random_state=0) if classes else DecisionTreeRegressor(random_state=0)
    stump = clone(tree).set_params(max_depth=1)
    bag = BaggingClassifier if classes else BaggingRegressor
    forest = (
        RandomForestClassifier(200, random_state=0)
        if classes
        else RandomForestRegressor(200, max_features=1 / 3, random_state=0)
    )
    extra = ExtraTreesClassifier if classes else ExtraTreesRegressor
    boosted = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
    plain = boosted(categorical_features=list(range(len(texts))), random_state=0)
    linear = LinearSVC(random_state=0) if classes else LinearSVR(random_state=0)
    adaboost = (
        BestRounds(AdaBoostClassifier(stump, n_estimators=400, random_state=0))
        if classes
        else AdaBoostRegressor(random_state=0)
    )
    return {
        "baseline": DummyClassifier() if classes else DummyRegressor(),
        "stump": make_pipeline(one_hot(False), stump),
        "tree": make_pipeline(one_hot(False), PrunedClassifier(tree) if classes else PrunedRegressor(tree)),
        "bagging": make_pipeline(one_hot(False), bag(tree, 100, random_state=0)),
        "forest": make_pipeline(one_hot(False), forest),
        "adaboost": make_pipeline(one_hot(False), adaboost),
        "extra_trees": make_pipeline(one_hot(False), extra(200, random_state=0)),
        "default_boosting": make_pipeline(ordinal, plain),
        "gradient_boosting": make_pipeline(
            ordinal,
            boosted(
                max_iter=300,
                learning_rate=0.1,
                max_depth=3,
                categorical_features=list(range(len(texts))),
                early_stopping=True,
                validation_fraction=0.1,
                n_iter_no_change=30,
                random_state=0,
            ),
        ),
        "linear_svm": _searched(make_pipeline(one_hot(True), linear), (0.01, 1.0, 100.0)),
        "svm": Sample(
            _searched(make_pipeline(one_hot(True), SVC() if classes else SVR()), (0.1, 1.0, 10.0)), 5_000
        ),
    }


def _searched(model: Any, values: tuple[float, ...]) -> Any:
    return GridSearchCV(model, {f"{model.steps[-1][0]}__C": values}, cv=3)
