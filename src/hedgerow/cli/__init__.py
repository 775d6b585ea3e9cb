"""cli: the command `hedgerow`.   In: argv.   Out: text, pictures, model files.

Nothing heavy is imported before a command needs it: `hedgerow --help` must answer at once.
"""

from hedgerow.cli.app import main

__all__ = ["main"]
