"""cli: the command `hedgerow`.   In: argv.   Out: text, pictures, model files.

    main.py       the command and its sub-commands; each is imported when it is called
    commands/     one file each: its options, its work, its page and its JSON
    options.py    options that commands share, and how a dataclass of options becomes a command
    inputs.py     tables and model files, read and checked
    console.py    a page of text      pictures.py   drawings      scores.py   of held-out rows
    errors.py     how a command ends  progress.py   what it does meanwhile

Nothing heavy is imported before a command needs it: `hedgerow --help` must answer at once.
"""

from hedgerow.cli.main import main

__all__ = ["main"]
