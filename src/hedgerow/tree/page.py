"""HTML around tables.   In: tables as HTML, their names already escaped.   Out: the same in one plain style, for a
notebook; or a page that needs nothing else."""

from html import escape

STYLE = """<style>
.hedgerow { font: 14px/1.5 system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; color: #1f2933; background: #fff;
  overflow-x: auto; }
.hedgerow table { border-collapse: collapse; margin: 0 0 1.4em; font: inherit; color: inherit; }
.hedgerow caption { text-align: left; font-weight: 600; padding: .3em 0; }
.hedgerow th, .hedgerow td { text-align: right; padding: .2em .9em; border: 0; border-bottom: 1px solid #e4e7eb; }
.hedgerow th { font-weight: 400; color: #7b8794; }
.hedgerow .words { text-align: left; }
.hedgerow .chosen td { background: #e3f0e3; font-weight: 600; }
.hedgerow p { color: #52606d; }
</style>
"""


def styled(tables: str) -> str:
    return f'<div class="hedgerow">{STYLE}{tables}</div>'


def page(title: str, body: str) -> str:
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
    return f'{head}<body style="margin:2em">{body}</body></html>\n'
