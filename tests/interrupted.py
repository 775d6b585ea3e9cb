"""Ctrl-C half a second after a fit has begun, in a process of its own.

In: code that makes `model` and `given`, what it is fitted to; the attribute that a fit leaves; words for sys.argv.
Out: what the process says.
"""

import subprocess
import sys

SCRIPT = """
import signal, sys, threading
import numpy as np
{code}
print("ready", flush=True)
sys.stdin.readline()
threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
try:
    model.fit(*given)
except KeyboardInterrupt:
    print("interrupted", hasattr(model, {left!r}), flush=True)
else:
    print("finished", flush=True)
"""


def said_when_interrupted(code: str, left: str, *words: str) -> str:
    command = [sys.executable, "-c", SCRIPT.format(code=code, left=left), *words]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        out, _ = child.communicate("go\n", timeout=120)
    return out
