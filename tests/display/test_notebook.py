"""Every result in a notebook: HTML that is read on a light and on a dark page, and runs nothing."""

import shutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import numpy as np
import pytest
from tests.report.example import example

import hedgerow
from hedgerow import datasets, teaching
from hedgerow.display import Result

pytestmark = pytest.mark.slow
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PAGES = {"light": ("#ffffff", "#1f2328"), "dark": ("#111111", "#e6e6e6")}  # background and text of a notebook
WEAKEST = """() => {
  const parts = c => c.match(/[\\d.]+/g).map(Number);
  const over = (top, a, under) => top.slice(0, 3).map((v, k) => a * v + (1 - a) * under[k]);
  const light = rgb => { const [r, g, b] = rgb.map(v => v / 255).map(
    v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  let worst = 99;
  for (const cell of document.querySelectorAll(".hedgerow th, .hedgerow td, .hedgerow caption, .hedgerow p")) {
    let ground = parts(getComputedStyle(document.body).backgroundColor).slice(0, 3), see = 1;
    const chain = []; for (let e = cell; e !== document.body; e = e.parentElement) chain.unshift(e);
    for (const e of chain) {
      const style = getComputedStyle(e), colour = parts(style.backgroundColor);
      see *= Number(style.opacity);
      ground = over(colour, colour.length > 3 ? colour[3] : 1, ground);
    }
    const ink = over(parts(getComputedStyle(cell).color), see, ground);
    const [a, b] = [light(ink), light(ground)].sort((x, y) => y - x);
    worst = Math.min(worst, (a + 0.05) / (b + 0.05));
  }
  return worst;
}"""
JUPYTERLAB = ":not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon :is(td, th, tr) { text-align: right; }"
SIDES = """() => [".words", "td:not(.words)"].map(cells => [...new Set(
  [...document.querySelectorAll(".hedgerow table " + cells)].map(cell => getComputedStyle(cell).textAlign))])"""


def results() -> Iterator[Any]:
    """One of each, or more."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    y, number = (X[:, 0] + 0.3 * rng.normal(size=90) > 0).astype(int), X[:, 0] + 0.1 * rng.normal(size=90)
    three = np.digitize(X[:, 0], [-0.5, 0.5])
    tree = hedgerow.DecisionTreeClassifier(max_depth=3, trace=True).fit(X, y)
    yield from (
        tree.trace_,
        hedgerow.compare_prunings(tree, X, y),
        hedgerow.stability(tree, X, y, n_replicas=5),
    )
    yield hedgerow.DecisionTreeClassifier(prune="cost_complexity").fit(X, y).cp_table_
    yield hedgerow.compare_growth(hedgerow.OptimalTreeClassifier(max_depth=2), X, y, sizes=(2, 3))
    yield hedgerow.RuleListClassifier(max_rules=3).fit(X, y).rules_.to_table()
    booster = hedgerow.AdaBoostClassifier(n_estimators=4).fit(X, y)
    found = booster.diagnose(X, y)
    yield from (found, found.rounds, found.additive)
    yield hedgerow.AdaBoostRegressor(n_estimators=4, random_state=0).fit(X, number).diagnose(X, number)
    forest = hedgerow.RandomForestClassifier(9, oob_score=True, random_state=0).fit(X, y)
    yield from (forest.oob_, forest.importance(), forest.diversity(), forest.explain(X[:2]))
    yield hedgerow.RandomForestRegressor(9, random_state=0).fit(X, number).diversity()
    yield hedgerow.compare_max_features(hedgerow.RandomForestClassifier(5, random_state=0), X, y)
    boosted = hedgerow.HistGradientBoostingClassifier(max_iter=5, interaction_cst="no_interactions").fit(X, y)
    yield from (
        boosted.diagnose(X, y),
        boosted.partial_dependence(0, X),
        boosted.additive(X, y, n_refits=2),
        boosted.rules(0),
    )
    machine = hedgerow.SVC(kernel="linear").fit(X, y)
    yield from (machine.certificate_, machine.slacks(X, y), hedgerow.is_kernel(X @ X.T))
    yield machine.trace_steps(X, y)
    several = hedgerow.SVC().fit(X, three).certificate_
    yield from (several, several.each[0])
    yield hedgerow.svm_path(hedgerow.SVC(), X, y)
    judged = hedgerow.evaluate(hedgerow.DecisionTreeClassifier(max_depth=2), X, y, cv=3, repeats=1)
    yield from (judged, judged.roc(), judged.precision_recall(), judged.calibration(), judged.confusion())
    yield from (judged.coverage_risk(), judged.threshold(false_negative=2.0))
    yield hedgerow.evaluate(
        hedgerow.DecisionTreeRegressor(max_depth=2), X, number, cv=3, repeats=1
    ).residuals()
    models = {
        "one": hedgerow.DecisionTreeClassifier(max_depth=1),
        "three": hedgerow.DecisionTreeClassifier(max_depth=3),
    }
    yield hedgerow.compare(models, X, y, cv=3, repeats=1)
    yield hedgerow.compare_datasets(models, {"a": (X, y), "b": (X, (number > 0.2).astype(int))})
    yield hedgerow.bias_variance(models["one"], X, y)
    yield hedgerow.learning_curve(models["one"], X, y)
    yield hedgerow.validation_curve(models["three"], X, y, param_name="max_depth", param_range=[1, 2])
    yield from (teaching.score_thresholds(X[:, 0], y), teaching.measure_nodes(tree))
    yield from (teaching.prune_rules(tree, X, y), teaching.trace_weights(booster, X, y))
    yield teaching.list_regression_rules(hedgerow.DecisionTreeRegressor(max_depth=2).fit(X, number))


@pytest.fixture(scope="module")
def shown() -> dict[str, str]:
    """HTML of each kind, by its name; of a table and a study too."""
    html = {f"{type(one).__module__}.{type(one).__name__}": one._repr_html_() for one in results()}
    return html | {"table": datasets.titanic().table._repr_html_(), "study": example("")._repr_html_()}


def kinds(base: type = Result) -> Iterator[type]:
    for cls in base.__subclasses__():
        if cls.__module__.startswith("hedgerow.") and not cls.__name__.startswith("_"):
            yield cls
            yield from kinds(cls)


def test_every_kind_of_result_is_tried(shown: dict[str, str]) -> None:
    for module in walk_packages(hedgerow.__path__, "hedgerow."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    assert {f"{cls.__module__}.{cls.__name__}" for cls in kinds()} - set(shown) == set()
    for name, html in shown.items():
        assert html.startswith('<div class="hedgerow">'), name
        assert "<script" not in html, name


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")
@pytest.mark.parametrize("scheme", PAGES)
def test_it_is_read_on_a_light_and_a_dark_page(shown: dict[str, str], scheme: str, tmp_path: Path) -> None:
    """Contrast of all text at least 4.5 (WCAG AA), nothing wider than the page but what scrolls by itself, words to
    the left and numbers to the right, whatever JupyterLab says of cells."""
    playwright = pytest.importorskip("playwright.sync_api")
    ground, ink = PAGES[scheme]
    body = f'<body class="jp-RenderedHTMLCommon" style="background:{ground};color:{ink}">'
    page = f'<meta charset="utf-8"><style>{JUPYTERLAB}</style>{body}' + "<hr>".join(shown.values())
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        tab = browser.new_context(offline=True, viewport={"width": 900, "height": 700}).new_page()
        tab.goto((tmp_path / "page.html").as_uri())
        assert tab.evaluate(WEAKEST) >= 4.5
        assert tab.evaluate("document.documentElement.scrollWidth") <= 900
        assert tab.evaluate(SIDES) == [["left"], ["right"]]
        browser.close()
