"""The site's sources.   In: docs/, examples/, the public names.   Out: build/site/source, which Sphinx reads.

Pages stay as the repository shows them. Every page of docs/ is picked up; the menu follows docs/README.md, pages that
it does not name come last. Links to files outside docs/ lead to their copies, or are taken out where there is none.
"""

import inspect
import re
import shutil
from pathlib import Path

import hedgerow
from hedgerow import teaching

CHECKOUT = Path(__file__).resolve().parents[1]
SOURCE = CHECKOUT / "build" / "site" / "source"
COPIES = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/README.md": "benchmarks.md",
}
PLACES = {
    CHECKOUT / "docs" / "README.md": "index.md",
    **{CHECKOUT / old: new for old, new in COPIES.items()},
}  # where a file of the checkout lies in the site
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")


def place_of(path: Path) -> str | None:
    """Where a file lies in the site; None if it is not there."""
    if path in PLACES:
        return PLACES[path]
    docs = CHECKOUT / "docs"
    return path.relative_to(docs).as_posix() if path.is_relative_to(docs) and path.is_file() else None


def with_links(text: str, page: Path, target: str) -> str:
    """The page with links that lead somewhere from its place in the site."""
    up = "../" * target.count("/")

    def replace(found: re.Match[str]) -> str:
        mark, words, link, anchor = found.groups()
        if re.match(r"[a-z]+:", link):
            return found[0]
        place = place_of((page.parent / link).resolve())
        return f"{mark}[{words}]({up}{place}{anchor or ''})" if place else words

    return LINK.sub(replace, text)


def copy_pages() -> list[str]:
    docs = CHECKOUT / "docs"
    shutil.copytree(docs, SOURCE, ignore=shutil.ignore_patterns("__pycache__"))
    (SOURCE / "README.md").unlink()
    pages = []
    for page in [*sorted(docs.rglob("*.md")), *(CHECKOUT / name for name in COPIES)]:
        target = place_of(page)
        if (target and page.name != "README.md") or target in COPIES.values():
            (SOURCE / target).write_text(
                with_links(page.read_text(encoding="utf-8"), page, target), encoding="utf-8"
            )
            pages.append(target)
    return pages


def toctree(caption: str, entries: list[str]) -> str:
    return f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(entries) + "\n```\n"


def write_index(pages: list[str]) -> None:
    """docs/README.md with the menu: its own order, then what it does not name."""
    readme = CHECKOUT / "docs" / "README.md"
    text = with_links(readme.read_text(encoding="utf-8"), readme, "index.md")
    named = [link for _, _, link, _ in LINK.findall(text) if link in pages]
    order = list(dict.fromkeys([*named, *pages]))
    decisions = [page for page in order if page.startswith("decisions/")]
    course = [page for page in order if page.startswith("course/")]
    guides = [page for page in order if page not in {*decisions, *course}]
    menu = [toctree("Guides", guides)]
    if course:
        menu.append(toctree("Course", course))
    menu += [toctree("Reference", ["Gallery <gallery/index>", "API <api>"]), toctree("Decisions", decisions)]
    text = text.replace("# Documentation\n", "# hedgerow\n\n![The report of a study](images/report.png)\n", 1)
    (SOURCE / "index.md").write_text(text + "\n" + "\n".join(menu), encoding="utf-8")


def autosummary(title: str, module: str, names: list[str]) -> str:
    lines = [
        title,
        "-" * len(title),
        "",
        f".. currentmodule:: {module}",
        "",
        ".. autosummary::",
        "   :toctree: reference",
        "",
    ]
    return "\n".join([*lines, *(f"   {name}" for name in names), "", ""])


def write_reference() -> None:
    public = {name: getattr(hedgerow, name) for name in hedgerow.__all__}
    classes = [name for name, thing in public.items() if inspect.isclass(thing)]
    functions = [name for name, thing in public.items() if inspect.isfunction(thing)]
    text = "API reference\n=============\n\n"
    text += autosummary("Estimators", "hedgerow", classes) + autosummary("Functions", "hedgerow", functions)
    for module in (hedgerow.formulas, hedgerow.datasets, teaching):
        names = [name for name in module.__all__ if callable(getattr(module, name))]
        text += autosummary(module.__name__.removeprefix("hedgerow.").capitalize(), module.__name__, names)
    (SOURCE / "api.rst").write_text(text, encoding="utf-8")


def main() -> None:
    shutil.rmtree(SOURCE.parent, ignore_errors=True)
    pages = copy_pages()
    write_index(pages)
    write_reference()
    shutil.copytree(CHECKOUT / "examples", SOURCE / "examples", ignore=shutil.ignore_patterns("__pycache__"))


if __name__ == "__main__":
    main()
