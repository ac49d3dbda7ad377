"""Run a command: `python -m zapomni_cli`."""

from __future__ import annotations

import os
import sys

from zapomni_cli.commands import zapomni

__all__ = ["main"]


def main() -> None:
    """Read the command line, do what it says, and leave at once."""
    code = 1
    try:
        zapomni(prog_name="zapomni")
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            code = 1  # whoever read it has gone
    # Everything is closed and durable; do not wait for a thread that is still reading for the
    # graph, nor for the interpreter to take itself apart (40 ms).
    os._exit(code)


if __name__ == "__main__":
    main()
