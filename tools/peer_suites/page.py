"""docs/scikit-learn.md.   In: the list of expected differences.   Out: the page, the same wherever it is made."""

from collections import defaultdict
from pathlib import Path

from suites import Difference, read_differences

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "scikit-learn.md"
HEAD = HERE / "page_head.md"
TITLES = {
    "differs": "## What differs, and why",
    "missing": "## What is not there",
    "private": "## Tests that are left out",
}
LEADS = {
    "differs": "Deliberate differences. In parentheses: the scikit-learn tests that show them.",
    "missing": "In scikit-learn but not in hedgerow.",
    "private": "They read or replace private parts of scikit-learn and do not apply to hedgerow.",
}


def write_page() -> str:
    parts = [HEAD.read_text(encoding="utf-8").rstrip()]
    differences = read_differences()
    for kind, title in TITLES.items():
        reasons = defaultdict(list)
        for one in differences:
            if one.kind == kind:
                reasons[one.why].append(one)
        if reasons:
            parts += [title, LEADS[kind], "\n".join(_line(why, found) for why, found in reasons.items())]
    return "\n\n".join(parts) + "\n"


def _line(why: str, found: list[Difference]) -> str:
    tests = sorted({f"`{one.file}`: `{one.test}`" for one in found})
    return f"- {why} ({', '.join(tests)})"
