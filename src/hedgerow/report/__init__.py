"""report: a StudyResult -> one HTML file that needs nothing else.

A section of the page is a plug-in: one file of sections/ (section.py says what it has). charts/ draws; words.py writes
numbers and sentences; assets/ holds the style and the script of the tree explorer. Everything that comes from the data
is escaped by the templates. The result comes as plain data and is not imported: a study makes its report.
"""

from hedgerow.report.page import MOST_BYTES, render_report

__all__ = ["MOST_BYTES", "render_report"]
