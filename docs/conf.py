"""Sphinx: how the site is built. `make docs` prepares its sources (tools/make_site.py); warnings are errors."""

import warnings
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

import matplotlib as mpl
from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sphinx_gallery.scrapers import figure_rst

mpl.use("agg")
warnings.filterwarnings("ignore", category=UserWarning)  # those of example programs

project = "hedgerow"
author = "the hedgerow contributors"
version = release = version_of("hedgerow")
extensions = [
    "myst_parser",
    "sphinx_design",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
]
templates_path = ["_templates"]
html_theme = "pydata_sphinx_theme"
html_title = "hedgerow"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_search_scorer = str(Path(__file__).with_name("search_order.js"))
html_extra_path = ["_extra"]
html_theme_options = {
    "show_toc_level": 2,
    "header_links_before_dropdown": 6,
    "navigation_with_keys": True,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_show_sourcelink = False
html_copy_source = False
html_math_renderer = "mathml"
html_sidebars = {"index": []}
toc_object_entries_show_parents = "hide"
exclude_patterns = ["_templates", "_extra", "examples"]
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist"]
suppress_warnings = ["config.cache", "myst.xref_missing_header"]
autosummary_generate = True
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
autodoc_typehints = "none"
highlight_language = "python"


def find_pictures(block: Any, variables: dict[str, Any], settings: dict[str, Any]) -> str:
    """Pictures of an example: figures and axes it has names for. (hedgerow draws without pyplot.)"""
    known = variables["example_globals"]
    figures = []
    for value in known.values():
        figure = value if isinstance(value, Figure) else value.figure if isinstance(value, Axes) else None
        if figure is not None and figure not in figures:
            figures.append(figure)
    paths = []
    for figure in figures:
        path = next(variables["image_path_iterator"])
        figure.savefig(path, dpi=110, bbox_inches="tight")
        paths.append(path)
    return figure_rst(paths, settings["src_dir"])


sphinx_gallery_conf = {
    "write_computation_times": False,
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "image_scrapers": [find_pictures],
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "show_memory": False,
    "min_reported_time": 1e9,
    "plot_gallery": True,
    "abort_on_example_error": True,
    "remove_config_comments": True,
    "show_signature": False,
}


def write_math(writer: Any, node: Any) -> None:
    """Formulas as MathML, which browsers draw without a script or the network."""
    block = isinstance(node, nodes.math_block)
    writer.body.append(tex2mathml(node.astext(), as_block=block))
    raise nodes.SkipNode


def skip_member(app: Any, what: str, name: str, thing: Any, skip: bool, options: Any) -> bool | None:
    """Only what is written here: what scikit-learn adds to every estimator is documented there."""
    function = getattr(thing, "fget", None) or getattr(thing, "func", None) or thing
    module = getattr(function, "__module__", None) or ""
    return True if callable(function) and not module.startswith("hedgerow") else None


def setup(app: Any) -> None:
    app.add_html_math_renderer("mathml", (write_math, None), (write_math, None))
    app.connect("autodoc-skip-member", skip_member)
