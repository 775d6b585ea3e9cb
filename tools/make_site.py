"""The site's sources.   In: docs/, examples/, the public names.   Out: build/site/source, which Sphinx reads.

Pages stay as the repository shows them. The menu is docs/README.md: each of its headings becomes a page that lists what
stands below it, or, where that begins with a folder's README, that page; what it does not name is
the last of the guides. Links to files outside docs/ lead to their copies, or are taken out where there is none.
"""

import inspect
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import hedgerow
import hedgerow.dask
from check_docstrings import all_modules, results
from hedgerow import prune, teaching

CHECKOUT = Path(__file__).resolve().parents[1]
DOCS = CHECKOUT / "docs"
SOURCE = CHECKOUT / "build" / "site" / "source"
PLACES = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/README.md": "benchmarks.md",
    "examples/README.rst": "gallery/index.rst",
    "docs/README.md": "index.md",
}  # where files lie in the site that are not in docs/, or have another name there
OWN_PAGES = ["Gallery <gallery/index>", "API <api>"]  # of the menu, after the guides: only the site has them
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")


def place_of(path: Path) -> str | None:
    """Where a file lies in the site; None if it is not there."""
    inside = path.relative_to(CHECKOUT).as_posix() if path.is_relative_to(CHECKOUT) else ""
    if inside in PLACES:
        return PLACES[inside]
    if not (path.is_relative_to(DOCS) and path.is_file()):
        return None
    return re.sub(r"README\.md$", "index.md", path.relative_to(DOCS).as_posix())


def with_links(text: str, page: Path, target: str) -> str:
    """The page with links that lead somewhere from its place in the site."""
    up = "../" * target.count("/")

    def replace(found: re.Match[str]) -> str:
        mark, words, link, anchor = found.groups()
        if re.match(r"[a-z]+:", link):
            return found[0]
        place = place_of((page.parent / link).resolve())
        if place and place.endswith(".html"):  # a page of its own, which Sphinx would offer for download
            return f'<a href="{up}{place}">{words}</a>'
        if place == "index.md" and anchor:  # a heading of docs/README.md is a page
            place, anchor = f"{anchor[1:]}.md", ""
        return f"{mark}[{words}]({up}{place}{anchor or ''})" if place else words

    return LINK.sub(replace, text)


def copy_pages() -> list[str]:
    shutil.copytree(DOCS, SOURCE, ignore=shutil.ignore_patterns("__pycache__", "*.html", "README.md"))
    for page in DOCS.rglob("*.html"):  # lessons: as they are
        copy = SOURCE / "_extra" / page.relative_to(DOCS)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(page, copy)
    pages = []
    for page in [*sorted(DOCS.rglob("*.md")), *(CHECKOUT / name for name in PLACES if name.endswith(".md"))]:
        target = place_of(page)
        if target and target != "index.md":
            text = with_links(page.read_text(encoding="utf-8"), page, target)
            (SOURCE / target).write_text(text, encoding="utf-8")
            pages.append(target)
    return pages


def toctree(entries: list[str]) -> str:
    return "\n```{toctree}\n:hidden:\n\n" + "\n".join(entries) + "\n```\n"


def sections() -> Iterator[tuple[str, str]]:
    """The headings of docs/README.md with what stands below each."""
    readme = DOCS / "README.md"
    text = with_links(readme.read_text(encoding="utf-8"), readme, "index.md")
    for part in text.split("\n## ")[1:]:
        title, _, body = part.partition("\n")
        yield title, body.strip()


def write_menu(pages: list[str]) -> None:
    parts = [
        (title, body, [link for _, _, link, _ in LINK.findall(body) if link in pages])
        for title, body in sections()
    ]
    forgotten = sorted(set(pages) - {link for _, _, links in parts for link in links})
    menu = []
    for title, body, links in parts:
        entries = links + forgotten if title == "Guides" else links
        if links[0].endswith("/index.md"):
            landing, *entries = entries
            with (SOURCE / landing).open("a", encoding="utf-8") as page:
                page.write(toctree([entry.rpartition("/")[2] for entry in entries]))
        else:
            landing = f"{title.lower()}.md"
            (SOURCE / landing).write_text(f"# {title}\n\n{body}\n{toctree(entries)}", encoding="utf-8")
        menu += [f"{title} <{landing}>", *(OWN_PAGES if title == "Guides" else [])]
    front = (DOCS / "_templates" / "front.txt").read_text(encoding="utf-8")
    (SOURCE / "index.md").write_text(front + toctree(menu), encoding="utf-8")


def autosummary(names: list[str]) -> str:
    return "\n".join([".. autosummary::", "   :toctree: ../reference", "", *(f"   {name}" for name in names)])


def names_in(module: ModuleType, wanted: Any = callable) -> list[str]:
    """Full names, shown short."""
    return [f"~{module.__name__}.{name}" for name in module.__all__ if wanted(getattr(module, name))]


def write_reference() -> None:
    all_modules()
    methods = [name for name in dir(prune) if name not in prune.__all__]
    shown = [
        cls for cls in results() if not cls.__name__.startswith("_") and ".teaching." not in cls.__module__
    ]
    parts = {
        "Estimators": ("With scikit-learn's API.", names_in(hedgerow, inspect.isclass)),
        "Functions": ("Of `hedgerow` itself.", names_in(hedgerow, inspect.isfunction)),
        "Results": (
            "What functions and methods return: each prints itself, shows itself in a notebook, and has `to_dict()`.",
            [f"~{cls.__module__}.{cls.__qualname__}" for cls in sorted(shown, key=lambda cls: cls.__name__)],
        ),
        "Prunings": (
            "By name as `prune=`, or made with settings of your own.",
            [f"~hedgerow.prune.{name}" for name in methods],
        ),
        "Datasets": ("Small tables that come along.", names_in(hedgerow.datasets)),
        "Formulas": ("To work examples by hand.", names_in(hedgerow.formulas)),
        "Teaching": ("What lectures show at the blackboard.", names_in(teaching)),
        "Dask": ("Gradient boosting on a cluster.", names_in(hedgerow.dask)),
    }
    (SOURCE / "api").mkdir()
    text = "API reference\n=============\n\n.. toctree::\n   :maxdepth: 2\n\n"
    for title, (words, names) in parts.items():
        body = f"{title}\n{'=' * len(title)}\n\n{words.replace('`', '``')}\n\n{autosummary(names)}\n"
        (SOURCE / "api" / f"{title.lower()}.rst").write_text(body, encoding="utf-8")
        text += f"   api/{title.lower()}\n"
    (SOURCE / "api.rst").write_text(text, encoding="utf-8")


def main() -> None:
    shutil.rmtree(SOURCE.parent, ignore_errors=True)
    write_menu(copy_pages())
    write_reference()
    shutil.copytree(CHECKOUT / "examples", SOURCE / "examples", ignore=shutil.ignore_patterns("__pycache__"))


if __name__ == "__main__":
    main()
