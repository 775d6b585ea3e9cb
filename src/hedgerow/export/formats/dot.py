"""A Tree as DOT, for Graphviz.   In: a Tree, its Labels.   Out: a digraph; the words are those of the SVG."""

from hedgerow.export.exporter import ExportState
from hedgerow.tree.labels import LabeledTree, Labels, label_tree
from hedgerow.tree.picture.colours import LINE, PAPER, fill_of
from hedgerow.tree.tree import LEAF, NONE, Tree
from hedgerow.tree.view import Item, view
from hedgerow.tree.wording import decision, question_in_words, rows_in_words, values_in_words, way_in_words

TITLE, SUFFIX, TAKES = "DOT, for Graphviz", ".dot", ("tree",)
SHOWN, DEEPEST, WIDEST = 500, 20, 60  # when no depth is given


def export(state: ExportState, *, max_depth: int | None = None) -> str:
    return to_dot(state.body, state.labels, max_depth=max_depth)


def to_dot(tree: Tree, labels: Labels, *, max_depth: int | None = None) -> str:
    """The tree as a DOT digraph. Without `max_depth`, as much of it as Graphviz draws readably."""
    words = label_tree(tree, labels)
    items = view(tree, max_depth, budget=SHOWN, deepest=DEEPEST, widest=WIDEST)
    lines = [
        "digraph tree {",
        '  node [shape=box, style="rounded,filled", fontname="Helvetica"];',
        f'  node [color="{LINE}", fillcolor="{PAPER}"];',
        '  edge [fontname="Helvetica", color="#7b8794"];',
        *(_node(words, k, item) for k, item in enumerate(items)),
        *(_edge(words, items, k) for k in range(1, len(items))),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _node(words: LabeledTree, k: int, item: Item) -> str:
    if item.node == NONE:
        return f"  n{k} [label={_quoted(f'… {item.hidden:,} more nodes')}, style=dashed];"
    facts = (values_in_words(words, item.node, 3), rows_in_words(words, item.node))
    if words.tree.kind[item.node] != LEAF:
        return f"  n{k} [label={_quoted(question_in_words(words, item.node), *facts)}];"
    fill = fill_of(words, item.node)
    return f'  n{k} [label={_quoted(decision(words, item.node), *facts)}, fillcolor="{fill}"];'


def _edge(words: LabeledTree, items: tuple[Item, ...], k: int) -> str:
    item = items[k]
    label = way_in_words(words, items[item.up].node, item.place) if item.node != NONE else ""
    return f"  n{item.up} -> n{k} [label={_quoted(label)}];"


def _quoted(*lines: str) -> str:
    """The lines as one DOT string: backslash and quote escaped, lines centred."""
    return '"' + "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines) + '"'
