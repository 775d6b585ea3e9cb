"""`hedgerow show`.   In: a table, a data set's name, a model file, or nothing.   Out: a page about it."""

import json
from shlex import quote as shell
from typing import Any

from hedgerow.cli.page import LEFT, Page
from hedgerow.cli.predict import model_file
from hedgerow.prune.merge_leaves import merge_leaves
from hedgerow.rules import RuleList
from hedgerow.rules.table import NARROWEST
from hedgerow.table import to_table
from hedgerow.tree.tree import Tree
from hedgerow.words import listing
from hedgerow.words import show as safe


def show(what: str | None, picture: str | None, depth: int | None, merged: bool, as_json: bool) -> None:
    what = None if what is None else model_file(what)
    if what is not None and what.endswith(".hedgerow"):
        show_model(what, picture, depth, merged, as_json)
        return
    if picture is not None or depth is not None or merged:
        raise ValueError(
            "--picture, --depth and --merged are for a model. First: hedgerow fit DATA, then hedgerow show MODEL."
        )
    if what is None:
        show_datasets(as_json)
    else:
        show_table(what, as_json)


def show_datasets(as_json: bool) -> None:
    from hedgerow import datasets

    found = [datasets.load(name) for name in datasets.names()]
    if as_json:
        _print({one.name: {"rows": one.table.n_rows, "target": one.target_name} for one in found})
        return
    page = Page()
    page.heading("Data sets that come along")
    page.facts((one.name, _about(one)) for one in found)
    page.heading("Try", "hedgerow fit titanic,  hedgerow show titanic")


def _about(one: Any) -> str:
    saying = next(line for line in one.note.splitlines()[1:] if line.strip())
    return (
        f"{saying} {one.table.n_rows:,} rows, {len(one.table.columns)} columns, target {one.target_name!r}."
    )


def show_table(what: str, as_json: bool) -> None:
    from hedgerow.errors import render, spell_as_option
    from hedgerow.intake.clean import coerce_types, flatten_nested
    from hedgerow.intake.read import likely_target, read_source

    source = read_source(what)
    frame, nested = flatten_nested(source.frame)
    frame, remarks = coerce_types(frame)
    table, remarks = to_table(frame), {**remarks, **nested}
    if as_json:
        from hedgerow.cli.as_json import plain_column

        read_as = [{"column": name, "words": words} for name, words in remarks.items()]
        columns = [plain_column(column) for column in table.columns]
        _print(
            {
                "rows": table.n_rows,
                "notice": render(source.notice, spell_as_option),
                "read_as": read_as,
                "columns": columns,
            }
        )
        return
    page = Page()
    page.heading(safe(what), f"{table.n_rows:,} rows, {len(table.columns)} columns")
    page.prose(render(source.notice, spell_as_option), style="yellow")
    page.columns(table, more="", most=10**6)
    if remarks:
        page.heading("Read as")
        page.facts((safe(name), safe(words, 100)) for name, words in remarks.items())
    if source.note:
        page.heading("Note")
        for part in source.note.partition("\n")[2].replace("\n  ", " ").split("\n"):
            page.prose(part)
    known = "" if source.target else f" --target {shell(likely_target(list(table.names)))}"
    page.heading("Next", f"hedgerow study {shell(what)}{known}")


def show_model(what: str, picture: str | None, depth: int | None, merged: bool, as_json: bool) -> None:
    from hedgerow.cli.picture import write_picture
    from hedgerow.store import load_state
    from hedgerow.store.kind import load_kind

    parts = load_state(what)
    kind = load_kind(parts.model)
    tree = parts.body if isinstance(parts.body, Tree) else None
    if tree is not None and merged:
        tree = merge_leaves(tree)
    changed = {k: v for k, v in parts.parameters.items() if v != kind.DEFAULTS[parts.model][k]}
    name = kind.ESTIMATORS[parts.model]
    if tree is None and (picture is not None or depth is not None or merged):
        raise ValueError(
            f"--picture, --depth and --merged are for a single tree, but {safe(what)} is a {name}."
        )
    if as_json:
        _print(_plain(parts, name, changed))
    else:
        page = Page()
        told = ", ".join(f"{k}={v!r}" for k, v in changed.items() if k != "estimators")  # told as members
        page.heading(safe(what))
        page.facts([("model", f"{name}({safe(told, 200)})"), *_facts(parts)])
        page.heading("Columns it needs")
        page.facts(_column(*column) for column in zip(*_columns(parts), strict=True))
        if tree is not None:
            page.heading("Tree", "sibling leaves that decide alike are shown as one" if merged else "")
            page.tree(tree, parts.labels, depth, "--depth N shows more or less.")
        elif isinstance(parts.body, RuleList):
            page.heading("Rules")
            page.lines(parts.body.to_table().to_text(max(NARROWEST, page.width - len(LEFT))).splitlines())
    if picture is not None and tree is not None:
        written = write_picture(tree, parts.labels, picture)
        if not as_json:
            page.heading("Written", str(written))


def _facts(parts: Any) -> list[tuple[str, str]]:
    from hedgerow.store import describe_state

    target = [("predicts", safe(parts.target))] if parts.target else []
    classes = [] if parts.classes is None else [("classes", listing(parts.classes.tolist(), 12))]
    return [
        *target,
        *classes,
        *describe_state(parts),
        ("written by", f"hedgerow {safe(parts.version)}"),
    ]


def _columns(parts: Any) -> tuple[Any, Any, Any]:
    return parts.schema.names, parts.schema.kinds, parts.schema.levels


def _column(name: str, kind: str, levels: tuple[str, ...]) -> tuple[str, str]:
    shown = ", ".join(safe(level, 24) for level in levels[:6]) + (", …" if len(levels) > 6 else "")
    return safe(name), f"{kind}: {shown}" if levels else kind


def _plain(parts: Any, name: str, changed: dict[str, Any]) -> dict[str, Any]:
    columns = [{"name": n, "kind": k, "levels": list(v)} for n, k, v in zip(*_columns(parts), strict=True)]
    return {
        "model": name,
        "parameters": changed,
        "target": parts.target,
        "classes": None if parts.classes is None else parts.classes.tolist(),
        "columns": columns,
        "facts": dict(_facts(parts)),
        "library_version": parts.version,
    }


def _print(content: Any) -> None:
    print(
        json.dumps(content, indent=2, ensure_ascii=False, default=repr)
    )  # repr: of a learner in a parameter
