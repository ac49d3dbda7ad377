"""Have others judge the code index: `python -m benchmarks.code [PART ...] [--show N]`."""

from __future__ import annotations

import argparse
import importlib
import sys

from benchmarks.code.measures import show

PARTS = {
    "python": ("oracle_python", "Python, judged by CPython's own parser"),
    "typescript": ("oracle_typescript", "TypeScript and JavaScript, judged by tsc"),
    "ctags": ("oracle_ctags", "Other languages, judged by universal-ctags"),
    "calls": ("calls", "Call edges, judged by the calls that tests make"),
    "bound": ("bound", "Call edges, judged by the TypeScript compiler"),
    "search": ("search", "Search, judged by questions whose answers are known"),
    "speed": ("speed", "Times parsing alone"),
    "answering": ("answering", "The whole engine on Django"),
}


def main() -> int:
    """Print the figures of the parts that are named, or of all; fail if a target is missed."""
    parser = argparse.ArgumentParser(prog="benchmarks.code", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--show", type=int, default=0, help="how many mismatches to print of each")
    arguments = parser.parse_args()
    if unknown := set(arguments.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    are_met = True
    for name in arguments.parts or PARTS:
        module, title = PARTS[name]
        # Each needs programs of its own that the others do without.
        figures = list(
            importlib.import_module(f"benchmarks.code.{module}").figures(arguments.show)
        )
        show(title, figures)
        are_met = are_met and all(figure.is_met for figure in figures)
    return 0 if are_met else 1


if __name__ == "__main__":
    sys.exit(main())
