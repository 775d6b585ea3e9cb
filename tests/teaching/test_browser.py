"""The lessons in a real browser: no network, no complaint, by mouse and by keyboard; the page's solver is ours."""

import json
import shutil
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from hedgerow import SVC, teaching

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def shown(browser, tmp_path):
    """Opens a lesson from disk with the network off; whatever it complains about fails the test."""
    wrong: list[str] = []

    def show(name: str, **options: Any) -> Any:
        file = tmp_path / f"{name}.html"
        file.write_text(teaching.make_lesson(name), encoding="utf-8")
        tab = browser.new_context(offline=True, **options).new_page()
        tab.on("console", lambda message: wrong.append(message.text))
        tab.on("pageerror", lambda error: wrong.append(str(error)))
        tab.on("request", lambda one: None if one.url.startswith("file:") else wrong.append(one.url))
        tab.goto(file.as_uri())
        tab.wait_for_selector("#page[data-ready=true]")
        return tab

    yield show
    assert wrong == []


def state(tab: Any) -> Any:
    return json.loads(tab.get_attribute("#page", "data-state"))


@pytest.mark.parametrize("name", ["boosting", "margin", "pruning", "tree"])
@pytest.mark.parametrize("options", [{"color_scheme": "dark"}, {"viewport": {"width": 390, "height": 800}}])
def test_they_load_and_stay_inside_the_screen(shown, name, options):
    tab = shown(name, **options)
    wide = tab.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide[0] <= wide[1]


def test_the_node_of_now_is_in_sight_on_a_phone(shown):
    tab = shown("tree", viewport={"width": 390, "height": 800})
    for _ in range(3):
        tab.keyboard.press("ArrowRight")
        node, box = (tab.locator(name).first.bounding_box() for name in (".node.now", ".scroll"))
        assert box["x"] - 1 <= node["x"]
        assert node["x"] + node["width"] <= box["x"] + box["width"] + 1


def test_boosting_goes_by_keys_and_by_mouse(shown):
    tab = shown("boosting")
    tab.keyboard.press("ArrowRight")
    assert tab.get_attribute("#page", "data-step") == "1"
    assert tab.locator("svg .wrong").count() == 3
    tab.get_by_role("button", name="next").click()
    tab.keyboard.press("End")
    assert tab.get_attribute("#page", "data-step") == "3"
    tab.get_by_label("all rounds so far together").check()
    assert tab.locator("svg .wrong").count() == 0  # three stumps together make no mistake
    assert "0.516" in tab.inner_text(".words")


def test_a_tree_grows_split_by_split(shown):
    tab = shown("tree")
    assert tab.locator(".node").count() == 1
    tab.keyboard.press("End")
    assert tab.locator(".node").count() == 12
    tab.locator('[data-node="0"]').click()
    assert "0.541" in tab.inner_text("tr.chosen")
    tab.keyboard.press("Home")
    assert tab.locator(".node").count() == 1


def test_pruning_adds_up(shown):
    tab = shown("pruning")
    whole = state(tab)
    tab.locator('[data-node="0"]').click()
    assert state(tab)["leaves"] == 1
    assert state(tab)["error"] == 240
    tab.keyboard.press("r")
    assert state(tab) == whole
    tab.keyboard.press("w")
    assert state(tab)["leaves"] < whole["leaves"]
    assert state(tab)["error"] >= whole["error"]
    tab.keyboard.press("r")
    tab.locator('[data-node="1"]').focus()
    tab.keyboard.press("Enter")
    assert state(tab)["leaves"] < whole["leaves"]


@pytest.mark.parametrize(
    ("kernel", "C", "gamma"), [("linear", 0, 0), ("linear", -2, 0), ("rbf", 1.5, -0.5), ("rbf", 3, 1)]
)
def test_the_page_solves_as_we_do(shown, kernel, C, gamma):
    tab = shown("margin")
    tab.select_option("select", kernel)
    for name, value in (("C", C), ("gamma", gamma)):
        tab.evaluate(
            """([name, value]) => { const one = document.querySelector(`input[aria-label=${name}]`);
            one.value = value; one.dispatchEvent(new Event("input")); }""",
            [name, value],
        )
    found = state(tab)
    points, labels = np.array(found["points"]), np.repeat([0, 1], 16)
    ours = SVC(kernel=kernel, C=found["C"], gamma=found["gamma"], tol=1e-8).fit(points, labels)
    assert found["dual"] == pytest.approx(ours.certificate_.dual, rel=1e-6)
    assert found["primal"] == pytest.approx(found["dual"], rel=1e-5)
    assert found["scores"] == pytest.approx(ours.decision_function(points).tolist(), abs=1e-4)


def test_points_are_moved_by_mouse_and_by_keys(shown):
    tab = shown("margin")
    before = state(tab)["points"][0]
    tab.locator('[data-row="0"]').focus()
    tab.keyboard.press("ArrowRight")
    assert state(tab)["points"][0][0] > before[0]
    box = tab.locator('[data-row="1"]').bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tab.mouse.move(x, y)
    tab.mouse.down()
    tab.mouse.move(x + 40, y)
    tab.mouse.up()
    moved = state(tab)["points"][1]
    tab.mouse.move(x + 90, y)
    assert state(tab)["points"][1] == moved
    tab.get_by_role("button", name="points back").click()
    assert state(tab)["points"][0] == before
