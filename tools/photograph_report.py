"""The pictures of a report in docs/images.   In: the folder of a study of titanic.   Out: report.png and
report-dark.png, report-tree.png.

    hedgerow study titanic && python tools/photograph_report.py titanic-study

Wants playwright and a chromium, as tests/report/test_browser.py does.
"""

import shutil
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
TOP = {"x": 0, "y": 0, "width": 1120, "height": 1188}
ROW = {"sex": "female", "age": "30", "pclass": "3rd"}


def main() -> None:
    page = (Path(sys.argv[1]) / "report.html").resolve().as_uri()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        _opened(browser, page, "light").screenshot(path=IMAGES / "report.png", clip=TOP)
        _opened(browser, page, "dark").screenshot(path=IMAGES / "report-dark.png", clip=TOP)
        _explorer(_opened(browser, page, "dark"))
        browser.close()


def _opened(browser: Any, page: str, scheme: str) -> Any:
    size = {"width": TOP["width"], "height": TOP["height"]}
    tab = browser.new_context(
        offline=True, viewport=size, color_scheme=scheme, device_scale_factor=1.25
    ).new_page()
    tab.goto(page)
    return tab


def _explorer(tab: Any) -> None:
    """A row followed through the tree."""
    tab.locator("details.follow summary").click()
    for name, value in ROW.items():
        label = tab.locator("#row-form label", has_text=name)
        if label.locator("select").count():
            label.locator("select").select_option(label=value)
        else:
            label.locator("input").fill(value)
    tab.locator("#explorer").screenshot(path=IMAGES / "report-tree.png")


if __name__ == "__main__":
    main()
