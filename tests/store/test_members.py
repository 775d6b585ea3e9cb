"""Bagging and votes in files: what fit left is there again, and files that hold none are refused."""

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.store.damaged import changed, closed, opened
from tests.store.models import Models, bags_and_votes, mixed, numbers, target

from hedgerow import (
    AdaBoostClassifier,
    BaggingClassifier,
    DecisionTreeClassifier,
    HistGradientBoostingClassifier,
    LinearSVC,
    ToNumbers,
    WeightedVotingClassifier,
    WithFeatures,
)
from hedgerow.estimators.meta import EarlyStopped, GridSearchC
from hedgerow.estimators.saving import extract_state, load, save
from hedgerow.intake.frame_dates import to_dated_table
from hedgerow.store import InvalidModelFile, ModelState, load_state
from hedgerow.store.file import from_stream, to_bytes
from hedgerow.store.header import DEEPEST
from hedgerow.store.kind import load_kind, predict_state
from hedgerow.store.parameters import Learner
from hedgerow.table import to_table

X = numbers()
MODELS = Models(bags_and_votes(X, mixed(), np.random.default_rng(6).normal(size=70)))


def again(model: Any, folder: Path) -> Any:
    save(model, folder / "m.hedgerow")
    return load(folder / "m.hedgerow")


def inner(model: Any) -> Any:
    return model[-1] if hasattr(model, "steps") else model


@pytest.mark.parametrize("name", MODELS)
def test_members_and_parameters_are_there_again(name: str, tmp_path: Path) -> None:
    model, rows = MODELS[name]
    loaded = inner(again(model, tmp_path))
    model, rows = inner(model), rows if not hasattr(model, "steps") else model[0].transform(rows)
    first, second = model.get_params(deep=False), loaded.get_params(deep=False)
    for parameter in set(first) - {"estimators"}:
        assert repr(first[parameter]) == repr(second[parameter])
    assert [type(m) for m in loaded.estimators_] == [type(m) for m in model.estimators_]
    if name.startswith("vote"):
        assert [repr(one) for one in loaded.estimators] == [repr(one) for one in model.estimators]
        assert loaded.weights_.tobytes() == model.weights_.tobytes()
        assert str(loaded) == str(model)
        assert list(loaded.named_estimators_) == list(model.named_estimators_)
    else:
        assert [c.tolist() for c in loaded.estimators_features_] == [
            c.tolist() for c in model.estimators_features_
        ]
        for ask in (lambda: loaded.oob_, lambda: loaded.estimators_samples_):
            with pytest.raises(AttributeError, match="came from a file"):
                ask()
    assert loaded.predict(rows).tolist() == model.predict(rows).tolist()


@pytest.mark.parametrize("name", ["bag", "bag of machines", "bag of some columns"])
def test_a_loaded_bag_is_warm(name: str, tmp_path: Path) -> None:
    model, rows = MODELS[name]
    y = target("bool" if "some" in name else "text")
    loaded = again(model, tmp_path).set_params(warm_start=True, n_estimators=6).fit(rows, y)
    fresh = BaggingClassifier(**model.get_params(deep=False)).set_params(n_estimators=6).fit(rows, y)
    assert loaded.predict_proba(rows).tobytes() == fresh.predict_proba(rows).tobytes()


def test_a_vote_of_fitted_members_learns_its_weights_again(tmp_path: Path) -> None:
    model, rows = MODELS["vote of fitted members"]
    loaded = again(model, tmp_path).fit(rows, target("text"))
    np.testing.assert_allclose(loaded.weights_, model.weights_, atol=1e-12)


def test_a_boosting_of_a_tree_of_its_own(tmp_path: Path) -> None:
    model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=3).fit(X, target("bool"))
    loaded = again(model, tmp_path)
    assert repr(loaded.estimator) == "DecisionTreeClassifier(max_depth=2)"


FOREIGN = {
    "member": (
        WeightedVotingClassifier([("tree", DecisionTreeClassifier()), ("logit", LogisticRegression())]),
        r"Member 'logit' cannot .* A LogisticRegression cannot be saved",
    ),
    "bag": (BaggingClassifier(LogisticRegression(), 2), r"Member 0 cannot .* A LogisticRegression"),
    "pipeline": (
        BaggingClassifier(make_pipeline(StandardScaler(), LogisticRegression()), 2),
        r"Member 0 .* pipeline of StandardScaler, LogisticRegression .*ToNumbers and then one model",
    ),
    "after ToNumbers": (
        WeightedVotingClassifier([("it", make_pipeline(ToNumbers(), LogisticRegression()))]),
        r"Member 'it' .*A LogisticRegression cannot",
    ),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_what_is_not_ours_is_named(name: str, tmp_path: Path) -> None:
    model, message = FOREIGN[name]
    with pytest.raises(TypeError, match=message):
        save(model.fit(X, target("bool")), tmp_path / "m.hedgerow")
    assert not list(tmp_path.iterdir())


def test_a_splitter_is_named_with_a_way_out(tmp_path: Path) -> None:
    from sklearn.model_selection import KFold

    vote = WeightedVotingClassifier([("tree", DecisionTreeClassifier())], cv=KFold(3)).fit(X, target("bool"))
    with pytest.raises(TypeError, match=r"cv holds a KFold|cv=KFold.*set_params\(cv=None\)"):
        save(vote, tmp_path / "m.hedgerow")


def test_a_name_alone_does_not_make_it_ours(tmp_path: Path) -> None:
    from sklearn.ensemble import RandomForestClassifier as Theirs

    with pytest.raises(TypeError, match="A RandomForestClassifier cannot be saved"):
        save(Theirs(2).fit(X, target("bool")), tmp_path / "m.hedgerow")


def nested(levels: int) -> bytes:
    tree = extract_state(DecisionTreeClassifier(max_depth=1).fit(X, target("bool")))
    for _ in range(levels):
        kind = load_kind("voting classifier")
        body = kind.Vote(("it",), (tree,), np.ones(1), None)
        parameters = {
            **kind.DEFAULTS["voting classifier"],
            "estimators": [["it", Learner("tree classifier", {})]],
        }
        tree = ModelState(
            "voting classifier", body, tree.schema, tree.classes, names_in=False, parameters=parameters
        )
    return to_bytes(tree)


def test_models_in_models_have_an_end() -> None:
    table = to_table(X)
    for levels in (1, DEEPEST):
        data = nested(levels)
        parts = from_stream(BytesIO(data), len(data))
        assert len(predict_state(parts, table, 1).values) == 70
    data = nested(DEEPEST + 1)
    with pytest.raises(Exception, match="deeper than any"):
        from_stream(BytesIO(data), len(data))


def test_learners_in_learners_have_an_end(tmp_path: Path) -> None:
    path = tmp_path / "m.hedgerow"
    save(BaggingClassifier(n_estimators=2).fit(X, target("bool")), path)

    def deep(header: dict[str, Any], arrays: Any) -> None:
        one: Any = None
        for _ in range(400):
            one = {"learner": "bagging classifier", "parameters": {"estimator": one}, "numbers": None}
        header["parameters"]["estimator"] = one

    changed(path, deep)
    with pytest.raises(InvalidModelFile, match=r"too deeply|not JSON"):
        load(path)


def _seed(header: dict[str, Any], arrays: Any) -> None:
    header["body"]["seed"] = -1


def _more(header: dict[str, Any], arrays: Any) -> None:
    header["parameters"]["max_features"] = 3


def _trees(header: dict[str, Any], arrays: Any) -> None:
    header["body"]["trees"] = True


def _cut(header: dict[str, Any], arrays: Any) -> None:
    arrays["member_starts"][1] += 5


def _weights(header: dict[str, Any], arrays: Any) -> None:
    arrays["weights"][:] = [2.0, -1.0]


def _names(header: dict[str, Any], arrays: Any) -> None:
    header["body"]["names"] = ["one", "one"]


def _classes(header: dict[str, Any], arrays: Any) -> None:
    header["classes"]["values"] = ["ash", "birch", "oak"]


def _listed(header: dict[str, Any], arrays: Any) -> None:
    header["parameters"]["estimators"] = [["one", None]]


def _unknown(header: dict[str, Any], arrays: Any) -> None:
    header["parameters"]["estimators"][0][1]["learner"] = "os.system"


WRONG = {
    "seed": ("bag of named columns", _seed, "has no seed"),
    "columns": ("bag of named columns", _more, "member 0 that sees 2 columns, not 3"),
    "trees": ("bag of named columns", _trees, "holds no forest"),
    "cut": ("bag of named columns", _cut, "holds a member 0 that"),
    "classes": ("bag of named columns", _classes, "member 0 with classes it does not have"),
    "weights": ("vote, given weights", _weights, "do not sum to one"),
    "names": ("vote, given weights", _names, "one name and one weight"),
    "listed": ("vote, given weights", _listed, "lists other estimators"),
    "unknown": ("vote, given weights", _unknown, "unknown type 'os.system'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_each_defect_is_named(name: str, tmp_path: Path) -> None:
    model, change, message = WRONG[name]
    save(MODELS[model][0], tmp_path / "m.hedgerow")
    changed(tmp_path / "m.hedgerow", change)
    with pytest.raises(InvalidModelFile, match=message):
        load(tmp_path / "m.hedgerow")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["vote", "bag", "bag of machines"])
def test_changed_bytes_behind_a_right_checksum(name: str, tmp_path: Path) -> None:
    """An error, or a model that answers; never anything else."""
    model, rows = MODELS[name]
    path = tmp_path / "m.hedgerow"
    save(model, path)
    random, (header, arrays) = np.random.default_rng(3), opened(path.read_bytes())
    for _ in range(60):
        broken = {key: array.copy() for key, array in arrays.items()}
        flat = broken[sorted(broken)[random.integers(len(broken))]].reshape(-1).view(np.uint8)
        flat[random.integers(len(flat))] ^= np.uint8(1 << int(random.integers(0, 8)))
        path.write_bytes(closed(header, broken))
        try:
            parts = load_state(path)
        except InvalidModelFile:
            continue
        predict_state(parts, to_table(rows), 1)


def test_members_that_search_for_themselves_behind_features(tmp_path: Path) -> None:
    """Blends of a study: boosting that finds its rounds, machines that find C, of a table with dates."""
    random = np.random.default_rng(0)
    days = np.datetime64("2024-01-01") + random.integers(0, 300, 90)
    frame = pl.DataFrame({"day": days.astype("datetime64[D]"), "x": random.normal(size=90)})
    rows = to_dated_table(frame)
    y = np.where(frame["x"].to_numpy() > 0.2, "a", "b")
    boosting = EarlyStopped(HistGradientBoostingClassifier(max_iter=5, early_stopping=True))
    machine = GridSearchC(make_pipeline(ToNumbers(), LinearSVC()), values=(0.1, 1.0))
    members = [
        ("boosting", WithFeatures(boosting).fit(rows, y)),
        ("tree", WithFeatures(DecisionTreeClassifier()).fit(rows, y)),
    ]
    model = WeightedVotingClassifier(members, weights=[0.5, 0.5], prefit=True).fit(rows, y)
    loaded = again(model, tmp_path)
    assert np.array_equal(loaded.predict_proba(rows), model.predict_proba(rows))
    alone = WithFeatures(machine).fit(rows, y)
    assert np.array_equal(again(alone, tmp_path).predict(rows), alone.predict(rows))
