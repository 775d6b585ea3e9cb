"""The page in a real browser: no network, no complaint, and the explorer works by mouse and by keyboard."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.report.example import HOSTILE, example

from hedgerow.formulas import chi_square, description_length
from hedgerow.report import render_report
from hedgerow.report.charts import confusion

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


def shown(browser: Any, folder: Path, name: str = "", **options: Any) -> tuple[Any, list[str]]:
    """The page, opened from disk with the network off; and everything it complained about."""
    file = folder / "report.html"
    file.write_text(render_report(example(name)), encoding="utf-8")
    context = browser.new_context(offline=True, **options)
    tab = context.new_page()
    wrong: list[str] = []
    tab.on(
        "console",
        lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None,
    )
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.on("dialog", lambda dialog: (wrong.append(f"dialog {dialog.message}"), dialog.dismiss()))
    tab.on("request", lambda request: None if request.url.startswith("file:") else wrong.append(request.url))
    tab.goto(file.as_uri())
    tab.wait_for_selector("#explorer[data-ready=true]")
    return tab, wrong


def nodes(tab: Any) -> int:
    return int(tab.locator("#tree-view .node").count())


@pytest.mark.parametrize(
    "options", [{}, {"color_scheme": "dark"}, {"viewport": {"width": 390, "height": 800}}]
)
def test_it_loads_without_complaint(browser, tmp_path, options):
    tab, wrong = shown(browser, tmp_path, **options)
    assert wrong == []
    wide = tab.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide[0] <= wide[1]  # nothing hangs out at the side
    assert tab.get_by_text("This section failed").count() == 0


@pytest.mark.parametrize("wide", [390, 1120])
def test_the_switch_of_colours_is_in_sight(browser, tmp_path, wide):
    """However many sections the menu has."""
    tab, _ = shown(browser, tmp_path, viewport={"width": wide, "height": 800})
    tab.locator("nav > div").evaluate(
        "one => one.prepend(...[...one.querySelectorAll('a')].map(a => a.cloneNode(true)))"
    )
    box = tab.locator("#theme").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= wide


def test_score_tables_are_whole_on_a_phone(browser, tmp_path):
    """Also with long names and what is said beside them."""
    tab, _ = shown(browser, tmp_path, viewport={"width": 390, "height": 800})
    tab.locator(".board summary").first.evaluate(
        "one => { one.innerHTML = 'gradient boosting <span class=\"tag soft\">given up after 5 of 10 folds</span>'; }"
    )
    tab.locator(".board .interval .small").evaluate_all(
        "all => all.forEach(one => { one.textContent = '0.00233 to 0.00303'; })"
    )
    tables = tab.locator(".board, .figures table")
    assert tables.count() >= 2
    right = tables.evaluate_all("all => all.map(one => one.getBoundingClientRect().right)")
    assert max(right) <= 390


def test_tables_are_whole_on_a_phone(browser, tmp_path):
    """Weak spots, columns with what they hold, rules; a confusion matrix of many classes may be scrolled."""
    tab, _ = shown(browser, tmp_path, viewport={"width": 390, "height": 800})
    assert {"slices", "data"} <= set(tab.locator("section").evaluate_all("all => all.map(one => one.id)"))
    tab.locator("#slices tbody th").first.evaluate(
        "one => { one.textContent = 'rooms > 5 and living_area > 125.6'; }"
    )
    cells = ["1,137", "96,895", "160,705", "44,040", "24,352 to 81,357"]
    tab.locator("#slices tbody tr").first.locator("td").evaluate_all(
        "(all, cells) => cells.forEach((words, k) => { all[k].textContent = words; })", cells
    )
    tab.locator(".profile .values").first.evaluate(
        "one => { one.textContent = '01321, 01692, 02207, '.repeat(9); }"
    )
    cut = tab.locator(".scroll:not(details *)").evaluate_all(
        "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.closest('section').id)"
    )
    assert cut == []


def test_the_command_is_whole_on_paper(browser, tmp_path):
    tab, _ = shown(browser, tmp_path)
    tab.locator("pre code").last.evaluate(
        "one => { one.textContent = 'hedgerow study ' + '/a/long/path'.repeat(30); }"
    )
    tab.emulate_media(media="print")
    tab.set_viewport_size({"width": 680, "height": 900})
    wide = tab.locator("pre").last.evaluate("one => [one.scrollWidth, one.clientWidth]")
    assert wide[0] <= wide[1]


def test_a_confusion_matrix_of_many_classes_is_whole_on_paper(browser, tmp_path):
    names = [f"species_{k}" for k in range(40)]
    matrix = confusion(np.eye(40, dtype=int).tolist(), names)
    tab, _ = shown(browser, tmp_path)
    tab.locator("table.confusion").first.evaluate("(one, html) => { one.outerHTML = html; }", str(matrix))
    tab.emulate_media(media="print")
    tab.set_viewport_size({"width": 680, "height": 900})
    table = tab.locator("table.confusion").first
    assert table.evaluate("one => one.getBoundingClientRect().right") <= 680
    lines = table.locator("thead th").evaluate_all(
        """all => all.slice(1).map(one => {
            const words = document.createRange();
            words.selectNodeContents(one);
            return words.getClientRects().length;
        })"""
    )
    assert max(lines) == 1  # 40 is not written as 4 above 0


def test_rows_that_are_explained_stand_in_order(browser, tmp_path):
    """Low, middle, high: beside each other, not down one column and then the next."""
    tab, _ = shown(browser, tmp_path, viewport={"width": 1120, "height": 900})
    tab.locator(".in-order").evaluate("one => { one.innerHTML = one.innerHTML.repeat(3); }")
    boxes = [tab.locator(".in-order .figure").nth(k).bounding_box() for k in range(3)]
    assert boxes[0]["x"] < boxes[1]["x"] < boxes[2]["x"]
    assert boxes[0]["y"] == boxes[1]["y"] == boxes[2]["y"]


def test_the_slider_cuts_the_tree(browser, tmp_path):
    tab, wrong = shown(browser, tmp_path)
    slider = tab.locator("#prune")
    steps = int(slider.get_attribute("max"))
    slider.evaluate("e => { e.value = e.max; e.dispatchEvent(new Event('input')); }")
    assert nodes(tab) == 1
    assert "1 leaf" in tab.locator("#prune-words").inner_text()
    slider.focus()
    tab.keyboard.press("ArrowLeft")
    assert nodes(tab) > 1
    sizes = []
    for step in range(steps, -1, -max(1, steps // 8)):
        slider.evaluate("(e, k) => { e.value = k; e.dispatchEvent(new Event('input')); }", step)
        sizes.append(nodes(tab))
    assert sizes == sorted(sizes)
    assert wrong == []


def test_a_band_under_a_question_says_how_stable_it_is(browser, tmp_path):
    tab, wrong = shown(browser, tmp_path, HOSTILE)
    bands = tab.locator("#tree-view .stable")
    assert [float(bands.nth(k).get_attribute("width")) for k in range(2)] == pytest.approx(
        [0.8 * 184, 0.4 * 184]
    )
    assert bands.count() == 2
    said = tab.locator("#tree-view .node").first.get_attribute("aria-label")
    assert "70 of 100 trees of other rows ask this column here, threshold between 1 and 2, 10 a rival" in said
    assert wrong == []


def test_a_question_tells_its_chi_square_and_its_bits(browser, tmp_path):
    tab, wrong = shown(browser, tmp_path)
    record = example("").to_dict()["explanation"]["tree"]
    rows = [np.array(one["values"]) * one["n_rows"] for one in record["nodes"]]
    root = record["nodes"][0]
    test = chi_square([rows[child] for child in root["children"]])
    words = tab.locator("#tree-view .node title").first.text_content()
    found = re.search(
        r"chi-square ([\d.,e+]+) with (\d+) degrees of freedom, ([\d.,e+]+) bits as a leaf", words
    )
    assert float(found[1].replace(",", "")) == pytest.approx(test.statistic, rel=0.01)
    assert int(found[2]) == test.degrees_of_freedom
    assert float(found[3].replace(",", "")) == pytest.approx(1 + description_length(rows[0]), rel=0.01)
    assert wrong == []


def test_a_threshold_of_a_date_is_a_date(browser, tmp_path):
    """Not the days since 1970; and what a node asks is what its branch says."""
    result = example(HOSTILE)
    tree = result.explanation.tree
    dates = tuple(replace(one, kind="date") for one in tree.columns)
    explanation = replace(result.explanation, tree=replace(tree, columns=dates))
    (tmp_path / "report.html").write_text(render_report(replace(result, explanation=explanation)), "utf-8")
    tab = browser.new_context(offline=True).new_page()
    tab.goto((tmp_path / "report.html").as_uri())
    said = tab.locator("#tree-view .node").first.get_attribute("aria-label")
    assert "threshold between 1970-01-02 and 1970-01-03" in said
    inner = next(one for one in tree.nodes if one.kind == "threshold")
    asked = tree.nodes[inner.children[0]].condition.removesuffix(" or missing").replace("<=", "≤")
    questions = tab.locator("#tree-view .inner text.strong").all_text_contents()
    assert any(asked.startswith(one.rstrip("…")) or f"{asked} ?" == one for one in questions)


def test_folding_by_mouse_and_by_keyboard(browser, tmp_path):
    tab, wrong = shown(browser, tmp_path)
    tab.locator("#unfold").click()
    whole = nodes(tab)
    tab.locator("#tree-view .node").first.click()
    assert nodes(tab) == 1
    tab.keyboard.press("Enter")
    assert nodes(tab) == whole
    tab.keyboard.press("ArrowDown")
    label = tab.locator("#tree-view .node.here").get_attribute("aria-label")
    assert label
    assert label in tab.locator("#tree-said").inner_text()
    tab.keyboard.press("ArrowUp")
    assert "all rows" in tab.locator("#tree-view .node.here").get_attribute("aria-label")
    tab.locator("#unfold").click()
    assert nodes(tab) == whole
    assert wrong == []


def test_a_large_tree_begins_folded(browser, tmp_path):
    tab, wrong = shown(browser, tmp_path, viewport={"width": 390, "height": 800})
    first = nodes(tab)
    assert first <= 7
    assert "folded" in tab.locator("#tree-said").inner_text()
    tab.locator("#unfold").click()
    assert nodes(tab) > first
    assert wrong == []


def test_the_wheel_scrolls_the_page_until_the_tree_is_chosen(browser, tmp_path):
    tab, _ = shown(browser, tmp_path)
    place = "document.querySelector('#tree-view svg > g').getAttribute('transform')"
    tab.locator("#tree-view").scroll_into_view_if_needed()
    box = tab.locator("#tree-view").bounding_box()
    tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    first = tab.evaluate(place)
    tab.mouse.wheel(0, 120)
    assert tab.evaluate(place) == first
    tab.locator("#tree-view").focus()
    tab.mouse.wheel(0, -120)
    tab.wait_for_function(f"{place} !== '{first}'")


def test_the_slider_tells_error_and_size(browser, tmp_path):
    tab, _ = shown(browser, tmp_path)
    words = tab.locator("#prune").get_attribute("aria-valuetext")
    assert "leaves; error rate" in words
    assert "cross-validated" in words
    leaves = tab.locator("#now-leaves").inner_text()
    assert "(chosen)" in leaves
    tab.locator("#prune").focus()
    tab.keyboard.press("Home")
    assert tab.locator("#now-leaves").inner_text() != leaves
    assert tab.locator("#now-error").inner_text().endswith("%")


def test_by_keyboard_alone(browser, tmp_path):
    """The first stop is the way to the answer; every stop shows that it is one, and has a name."""
    tab, _ = shown(browser, tmp_path)
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.textContent") == "Skip to the answer"
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id || location.hash.slice(1)") == "answer"
    stops = set()
    for _ in range(60):
        tab.keyboard.press("Tab")
        stops.add(tab.evaluate("document.activeElement.id || document.activeElement.tagName"))
    assert {"prune", "zoom-in", "unfold"} <= stops
    nameless = tab.evaluate(
        "[...document.querySelectorAll('button, input, select, a, [role=group], [role=tree], [role=treeitem]')]"
        ".filter(e => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length))"
        ".map(e => e.outerHTML)"
    )
    assert nameless == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_prints_dark_on_white(browser, tmp_path, scheme):
    tab, _ = shown(browser, tmp_path, color_scheme=scheme)
    tab.emulate_media(media="print", color_scheme=scheme)
    colour = "getComputedStyle(document.body)"
    assert tab.evaluate(f"{colour}.backgroundColor") == "rgb(255, 255, 255)"
    assert tab.evaluate(f"{colour}.color") == "rgb(0, 0, 0)"
    assert not tab.locator("nav").is_visible()
    assert not tab.locator(".by-hand").is_visible()  # nothing on paper can be dragged
    assert len(tab.pdf(format="A4", print_background=True)) > 20_000


def test_the_printed_tree_is_whole(browser, tmp_path):
    tab, _ = shown(browser, tmp_path)
    tab.emulate_media(media="print")
    tab.set_viewport_size({"width": 680, "height": 900})  # paper
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    outer = tab.locator("#tree-view").bounding_box()
    boxes = [one.bounding_box() for one in tab.locator("#tree-view .node").all()]
    assert min(box["x"] for box in boxes) >= outer["x"]
    assert max(box["x"] + box["width"] for box in boxes) <= outer["x"] + outer["width"]
    assert max(box["y"] + box["height"] for box in boxes) <= outer["y"] + outer["height"] + 1
    before = tab.evaluate("document.querySelector('#tree-view svg > g').getAttribute('transform')")
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    after = tab.evaluate("document.querySelector('#tree-view svg > g').getAttribute('transform')")
    assert before is None
    assert after.startswith("translate(")


def test_without_a_script_all_but_the_tree_is_there(browser, tmp_path):
    file = tmp_path / "report.html"
    file.write_text(render_report(example()), encoding="utf-8")
    tab = browser.new_context(offline=True, java_script_enabled=False).new_page()
    tab.goto(file.as_uri())
    assert tab.locator("#answer .value").first.inner_text() == "80.2%"
    assert tab.locator("noscript p").count() == 1 or "no script" in tab.locator("#explorer").inner_text()


def test_zoom_and_drag_move_the_tree(browser, tmp_path):
    tab, _ = shown(browser, tmp_path)
    place = "document.querySelector('#tree-view svg > g').getAttribute('transform')"
    first = tab.evaluate(place)
    tab.locator("#zoom-in").click()
    second = tab.evaluate(place)
    assert second != first
    tab.locator("#tree-view").scroll_into_view_if_needed()
    box = tab.locator("#tree-view").bounding_box()
    tab.mouse.move(box["x"] + 20, box["y"] + box["height"] - 20)
    tab.mouse.down()
    tab.mouse.move(box["x"] + 120, box["y"] + box["height"] - 60, steps=4)
    tab.mouse.up()
    assert tab.evaluate(place) != second


def test_following_a_row(browser, tmp_path):
    tab, wrong = shown(browser, tmp_path)
    tab.locator("details.follow summary").click()
    tab.locator("#row-form label", has_text="sex").locator("select").select_option(label="female")
    tab.locator("#row-form label", has_text="pclass").locator("select").select_option(label="1st")
    said = tab.locator("#row-said").inner_text()
    assert "sex = female" in said
    assert "survived = survived" in said
    assert tab.locator("#tree-view .node.on").count() >= 3
    assert wrong == []


def test_hostile_names_stay_text(browser, tmp_path):
    tab, wrong = shown(browser, tmp_path, HOSTILE)
    assert wrong == []
    assert HOSTILE in tab.locator("h1").inner_text()
    assert tab.locator("main script").count() == 0
    tab.locator("details.follow summary").click()
    assert HOSTILE in tab.locator("#row-form").inner_text()


def test_the_theme_button(browser, tmp_path):
    tab, _ = shown(browser, tmp_path)
    colour = "getComputedStyle(document.body).backgroundColor"
    light = tab.evaluate(colour)
    tab.locator("#theme").click()
    assert tab.evaluate(colour) != light
    assert tab.locator("#theme").get_attribute("aria-pressed") == "true"
