"""The course.   In: tools/course/*.md.in.   Out: docs/course: a page for each lecture, its pictures, the lessons.

    python tools/build_course.py [FOLDER]          make course

A source is Markdown; its ```python blocks are run, one after the other, and what they print, draw and compare stands
below the code that a reader may type. Lines that begin with `course.` belong to the page and are not shown:

    course.figure(ax, "caption")                   a picture
    course.show(result)                            what a result prints
    course.compare(("alpha", "0.42", alpha), ...)  the lecture's value beside ours; a difference stops the build
"""

import io
import re
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from hedgerow import teaching

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "tools" / "course"
DOTS = 100  # an inch
LESSONS = ("boosting", "margin", "pruning", "tree")
BLOCK = re.compile(r"^```python( hide)?\n(.*?)^```\n", re.DOTALL | re.MULTILINE)


class Course:
    """What blocks call; collects what stands below a block."""

    def __init__(self, page: str, folder: Path, *, pictures: bool) -> None:
        self.page, self.folder, self.pictures = page, folder, pictures
        self.parts: list[str] = []
        self.n_figures = 0

    def figure(self, drawn: Any, caption: str) -> None:
        self.n_figures += 1
        name = f"{self.page}-{self.n_figures}.png"
        figure = getattr(drawn, "figure", drawn)
        figure = getattr(figure, "figure", figure)
        if self.pictures:
            (self.folder / "images").mkdir(parents=True, exist_ok=True)
            figure.savefig(self.folder / "images" / name, dpi=DOTS, pil_kwargs={"optimize": True})
        self.parts.append(f"![{caption}](images/{name})\n\n*{caption}*\n")

    def show(self, result: Any) -> None:
        self.parts.append(f"```text\n{str(result).rstrip()}\n```\n")

    def compare(self, *lines: tuple[Any, ...]) -> None:
        """(what, the lecture's value as it prints it, ours, a remark): ours is rounded to the lecture's digits; without
        a remark it must be the same."""
        has_remarks = any(remark for _, _, _, *remark in lines)
        rows = ["| | lecture | hedgerow |" + " |" * has_remarks, "|---|---|---|" + "---|" * has_remarks]
        for what, theirs, ours, *remark in lines:
            text = ours if isinstance(ours, str) else _like(theirs, float(ours))
            if not remark and text != theirs:
                raise AssertionError(
                    f"{self.page}: {what}: the lecture has {theirs}, we have {text} ({ours!r})"
                )
            last = f" {remark[0] if remark else ''} |" if has_remarks else ""
            rows.append(f"| {what} | {theirs} | {text} |{last}")
        self.parts.append("\n".join(rows) + "\n")


def _like(theirs: str, value: float) -> str:
    """The value with as many decimals as the lecture prints, and its percent sign."""
    number = theirs.rstrip(" %")
    decimals = len(number.partition(".")[2])
    text = f"{100 * value if theirs.endswith('%') else value:.{decimals}f}"
    text = text.removeprefix("0") if number.startswith(".") else text
    return text + theirs[len(number) :]


def build_page(source: Path, folder: Path, *, pictures: bool = True) -> str:
    """The page as Markdown; its pictures are written."""
    course = Course(source.name.partition(".")[0], folder, pictures=pictures)
    names: dict[str, Any] = {"course": course, "__name__": "course"}

    def run(block: re.Match[str]) -> str:
        hide, code = block[1], block[2]
        course.parts = []
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile(code, str(source), "exec"), names)
        shown = _visible(code)
        below = [f"```text\n{printed.getvalue().rstrip()}\n```\n"] if printed.getvalue() else []
        code_part = [] if hide or not shown.strip() else [f"```python\n{shown.rstrip()}\n```\n"]
        return "\n".join([*code_part, *below, *course.parts])

    return BLOCK.sub(run, source.read_text(encoding="utf-8"))


def _visible(code: str) -> str:
    """Without the calls of `course`, which may go on over several lines."""
    kept, open_brackets = [], 0
    for line in code.splitlines():
        if open_brackets or line.startswith("course."):
            open_brackets += line.count("(") - line.count(")")
            continue
        kept.append(line)
    return "\n".join(kept)


def build(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for source in sorted(SOURCES.glob("*.md.in")):
        name = source.name.removesuffix(".in")
        (folder / name).write_text(build_page(source, folder), encoding="utf-8", newline="\n")
        print(name, flush=True)
    lessons = folder / "lessons"
    lessons.mkdir(exist_ok=True)
    for name in LESSONS:
        (lessons / f"{name}.html").write_text(teaching.make_lesson(name), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "course")
