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
        code = _code(end)
    except OSError as exc:  # a full disk, a folder that may not be written
        print(f"Error: {exc}", file=sys.stderr)  # noqa: T201
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = 1  # whoever read it has gone, or there is no more room
    # Everything is closed and durable; do not wait for a thread that is still reading for the
    # graph, nor for the interpreter to take itself apart (40 ms).
    os._exit(code)


def _code(end: SystemExit) -> int:
    """Tell how a command has ended; as the interpreter would, show a text in place of a code."""
    if isinstance(end.code, str):
        print(end.code, file=sys.stderr)  # noqa: T201
    return end.code if isinstance(end.code, int) else int(end.code is not None)


if __name__ == "__main__":
    main()
