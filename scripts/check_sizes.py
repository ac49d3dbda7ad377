"""Fail when a source file has grown beyond what one can read in one go."""

from __future__ import annotations

import sys
from pathlib import Path

LONGEST = 400
ROOT = Path(__file__).parents[1]


def main() -> int:
    """Print every file that is too long."""
    folders = [ROOT / name for name in ("src", "tests", "benchmarks", "scripts")]
    files = [path for folder in folders for path in folder.rglob("*.py")]
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    too_long = {path: lines for path, lines in lengths.items() if lines > LONGEST}
    for path, lines in sorted(too_long.items()):
        print(f"{path.relative_to(ROOT)} has {lines} lines, more than {LONGEST}: split it")
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main())
