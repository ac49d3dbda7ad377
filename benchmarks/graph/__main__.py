"""Run measurements of the graph: `python -m benchmarks.graph [NAME [options]]`."""

import importlib
import sys

MEASUREMENTS = ("entities", "facts", "scale", "building")


def main() -> None:
    """Hand the options to the measurement that is named first; without a name, read and judge."""
    if len(sys.argv) > 1 and sys.argv[1] not in MEASUREMENTS:
        sys.exit(f"usage: python -m benchmarks.graph [{'|'.join(MEASUREMENTS)} [options]]")
    names = [sys.argv.pop(1)] if len(sys.argv) > 1 else ["entities", "facts"]
    for name in names:
        # Each brings imports of its own that the others do not need.
        importlib.import_module(f"benchmarks.graph.{name}").main()


if __name__ == "__main__":
    main()
