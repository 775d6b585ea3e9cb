"""The page about scikit-learn says what the list of expected differences says."""

import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).resolve().parents[1] / "tools" / "peer_suites"


def test_the_page_is_made_of_the_list():
    code = "from page import PAGE, write_page; assert PAGE.read_text(encoding='utf-8') == write_page()"
    done = subprocess.run([sys.executable, "-c", code], cwd=TOOL, capture_output=True, text=True)
    assert done.returncode == 0, (
        "docs/scikit-learn.md is out of step. Way out: python tools/peer_suites --write-page"
    )
