"""`hedgerow show`.   In: a table, a data set's name, a model file, or nothing.   Out: a page about it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hedgerow.cli.options import (
    argument,
    check_file,
    check_range,
    header_option,
    make_command,
    option,
    sheet_option,
    types_option,
)
from hedgerow.errors import ParameterError
from hedgerow.words import listing, quote_shell, to_json
from hedgerow.words import show as safe

DOC = "Show what a table holds, or what a model is: its columns and its tree."
WHAT = "A table, a data set that comes along, or a .hedgerow model. Nothing: lists the data sets."


@dataclass(frozen=True, kw_only=True)
class ShowOptions:
    what: str | None = argument(WHAT, "WHAT", None)
    picture: str | None = option(None, "Where to draw the tree: .svg or .png.", "PATH")
    depth: int | None = option(None, "How deep to show the tree of a model.", "N")
    merged: bool = option(False, "Show sibling leaves that decide alike as one.", None, "--merged")
    types: str | None = types_option()
    sheet: str | None = sheet_option()
    header: int | None = header_option()
    json: bool = option(False, "Results as JSON on standard output.", None, "--json")

    def __post_init__(self) -> None:
        check_file("picture", self.picture, ".svg", ".png")
        check_range("header", self.header, 1)

    @property
    def is_of_a_tree(self) -> bool:
        return self.picture is not None or self.depth is not None or self.merged


def make() -> Callable[..., None]:
    return make_command(ShowOptions, run, DOC)


def run(options: ShowOptions) -> None:
    from hedgerow.cli.inputs import find_model

    what = None if options.what is None else find_model(options.what)
    if what is not None and what.endswith(".hedgerow"):
        show_model(what, options)
        return
    if options.is_of_a_tree:
        raise ParameterError(
            "{picture}, {depth} and {merged} are for a model. First: hedgerow fit DATA, then hedgerow show MODEL."
        )
    if what is None:
        show_datasets(options)
    else:
        show_table(what, options)


def show_datasets(options: ShowOptions) -> None:
    from hedgerow import datasets

    found = [datasets.load(name) for name in datasets.names()]
    if options.json:
        _print({one.name: {"rows": one.table.n_rows, "target": one.target_name} for one in found})
        return
    from hedgerow.cli.console import Page

    page = Page()
    page.heading("Data sets that come along")
    page.facts((one.name, _about(one)) for one in found)
    page.heading("Try", "hedgerow fit titanic,  hedgerow show titanic")


def _about(one: Any) -> str:
    saying = next(line for line in one.note.splitlines()[1:] if line.strip())
    return (
        f"{saying} {one.table.n_rows:,} rows, {len(one.table.columns)} columns, target {one.target_name!r}."
    )


def show_table(what: str, options: ShowOptions) -> None:
    from hedgerow.cli.inputs import column_json
    from hedgerow.display.sentences import many
    from hedgerow.errors import render, spell_as_option
    from hedgerow.intake.prepare import understand_columns
    from hedgerow.intake.read import likely_target, read_source
    from hedgerow.intake.types_file import read_types

    types = read_types(options.types, options.sheet, options.header)
    source = read_source(what, file=types.file)
    table, remarks, useless = understand_columns(source, types)
    left_out = [(name, render(why, spell_as_option)) for name, why in useless]
    if options.json:
        read_as = [{"column": name, "words": words} for name, words in remarks.items()]
        columns = [column_json(column) for column in table.columns]
        _print(
            {
                "rows": table.n_rows,
                "notice": render(source.notice, spell_as_option),
                "notes": list(source.notes),
                "read_as": read_as,
                "left_out": [{"what": name, "why": why} for name, why in left_out],
                "columns": columns,
            }
        )
        return
    from hedgerow.cli.console import Page

    page = Page()
    page.heading(safe(what), f"{many(table.n_rows, 'row')}, {many(len(table.columns), 'column')}")
    page.prose(render(source.notice, spell_as_option), style="yellow")
    page.columns(table, more="", most=10**6)
    if source.notes:
        page.heading("Notes")
        page.facts(("", safe(note, 200)) for note in source.notes)
    if remarks:
        page.heading("Read as")
        page.facts((safe(name), safe(words, 100)) for name, words in remarks.items())
    if left_out:
        page.heading("Left out", "by commands that learn, unless it is the target")
        page.facts((safe(name), safe(why, 100)) for name, why in left_out)
    if source.note:
        page.heading("Note")
        for part in source.note.partition("\n")[2].replace("\n  ", " ").split("\n"):
            page.prose(part)
    names = [column.name for column in table.columns if not column.missing.all()] or list(table.names)
    known = "" if source.target else f" --target {quote_shell(likely_target(names))}"
    page.heading("Next", f"hedgerow study {quote_shell(what)}{known}")


def show_model(file: str, options: ShowOptions) -> None:
    from hedgerow.prune.merge_leaves import merge_leaves
    from hedgerow.store import load_state
    from hedgerow.store.kind import load_kind
    from hedgerow.tree.tree import Tree

    state = load_state(file)
    kind = load_kind(state.model)
    name, tree = kind.ESTIMATORS[state.model], state.body if isinstance(state.body, Tree) else None
    if tree is None and options.is_of_a_tree:
        raise ParameterError(
            "{picture}, {depth} and {merged} are for a single tree, but {} is a {}.", safe(file), name
        )
    if tree is not None and options.merged:
        tree = merge_leaves(tree)
        state = replace(state, body=tree)
    changed = {k: v for k, v in state.parameters.items() if v != kind.DEFAULTS[state.model][k]}
    if options.json:
        _print(_state_json(state, name, changed))
    else:
        _print_model(file, state, name, changed, tree, options)
    if options.picture is not None and tree is not None:
        _write_picture(tree, state.labels, options)


def _print_model(
    file: str, state: Any, name: str, changed: dict[str, Any], tree: Any, options: ShowOptions
) -> None:
    from hedgerow.cli.console import LEFT, Page
    from hedgerow.rules import RuleList
    from hedgerow.rules.table import NARROWEST

    page = Page()
    given = ", ".join(f"{k}={v!r}" for k, v in changed.items() if k != "estimators")  # shown as members
    page.heading(safe(file))
    page.facts([("model", f"{name}({safe(given, 200)})"), *_facts(state)])
    page.heading("Columns it needs")
    page.facts(_column(*column) for column in zip(*_columns(state), strict=True))
    if tree is not None:
        page.heading("Tree", "sibling leaves that decide alike are shown as one" if options.merged else "")
        page.tree(tree, state.labels, options.depth, "--depth N shows more or less.")
    elif isinstance(state.body, RuleList):
        page.heading("Rules")
        page.lines(state.body.to_table().to_text(max(NARROWEST, page.width - len(LEFT))).splitlines())


def _write_picture(tree: Any, labels: Any, options: ShowOptions) -> None:
    from hedgerow.cli.console import Page
    from hedgerow.cli.pictures import write_tree

    file = Path(options.picture or "").expanduser()
    write_tree(tree, labels, file)
    if not options.json:
        Page().heading("Written", str(file))


def _facts(state: Any) -> list[tuple[str, str]]:
    from hedgerow.store import describe_state

    target = [("predicts", safe(state.target))] if state.target else []
    classes = [] if state.classes is None else [("classes", listing(state.classes.tolist(), 12))]
    return [
        *target,
        *classes,
        *describe_state(state),
        ("written by", f"hedgerow {safe(state.version)}"),
    ]


def _columns(state: Any) -> tuple[Any, Any, Any]:
    return state.schema.names, state.schema.kinds, state.schema.levels


def _column(name: str, kind: str, levels: tuple[str, ...]) -> tuple[str, str]:
    shown = ", ".join(safe(level, 24) for level in levels[:6]) + (", …" if len(levels) > 6 else "")
    return safe(name), f"{kind}: {shown}" if levels else kind


def _state_json(state: Any, name: str, changed: dict[str, Any]) -> dict[str, Any]:
    columns = [{"name": n, "kind": k, "levels": list(v)} for n, k, v in zip(*_columns(state), strict=True)]
    return {
        "model": name,
        "parameters": changed,
        "target": state.target,
        "classes": None if state.classes is None else state.classes.tolist(),
        "columns": columns,
        "facts": dict(_facts(state)),
        "library_version": state.version,
    }


def _print(content: Any) -> None:
    print(to_json(content, default=repr))  # repr: of a learner in a parameter
