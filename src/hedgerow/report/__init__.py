"""report: a StudyResult -> one HTML file that needs nothing else.

The page and its sections are templates (page.html, sections/, one file each); charts.py draws; assets/ holds the
style and the script of the tree explorer. Everything that comes from the data is escaped by the templates.
"""

from hedgerow.report.page import MOST_BYTES, page

__all__ = ["MOST_BYTES", "page"]
