"""Run the commands of the tutorial, and put what they print into it.

In a `console` block the lines after a command are its output; `sh` blocks are for reading.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import starmap
from pathlib import Path

__all__ = ["TUTORIAL", "masked", "replayed"]

TUTORIAL = Path(__file__).parent.parent / "docs" / "tutorial.md"
_BLOCK = re.compile(r"```console\n(?P<body>.*?)```", re.DOTALL)
_ID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
# What differs from run to run: ids, days, times, sizes, how long something took.
_MASKS = (
    (_ID, "ID"),
    (re.compile(r"\d{4}-\d{2}-\d{2}( \d{2}:\d{2}(:\d{2})?)?( UTC)?"), "DATE"),
    (re.compile(r"\d+(\.\d+)? (MB|kB|s|ms)\b"), "AMOUNT"),
    # The last digit of a score depends on the processor.
    (re.compile(r"^[01]\.\d\d  ", re.MULTILINE), "SCORE  "),
)
_LONGEST_S = 60


def main() -> None:
    """Write the tutorial anew."""
    TUTORIAL.write_text(replayed(TUTORIAL.read_text()))


def replayed(page: str) -> str:
    """Return the page with what its commands print now, one after another in an empty folder."""
    # Its name is short everywhere, so that long paths are cut off at the same place.
    with tempfile.TemporaryDirectory(prefix="z") as folder:
        return _replayed(page, Path(folder).resolve())


def _replayed(page: str, folder: Path) -> str:
    known: dict[str, str] = {}
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "ZAPOMNI_DATA_DIR": str(folder / "memory"),
        "HOME": str(folder),
        "NO_COLOR": "1",
    }

    def run(command: str, told: str) -> str:
        for old, new in known.items():
            command = command.replace(old, new)
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=_LONGEST_S,
            check=False,
        )
        printed = done.stdout + done.stderr
        if done.returncode:
            raise RuntimeError(f"{command}: {printed}")
        # The ids that the page shows stand for those of this run, in the same order.
        known.update(zip(_ID.findall(told), _ID.findall(printed), strict=False))
        return f"$ {command}\n{printed}"

    def block(match: re.Match[str]) -> str:
        return "```console\n" + "".join(starmap(run, _commands(match["body"]))) + "```"

    written = _BLOCK.sub(block, page)
    return written.replace(str(folder), "~")


def masked(page: str) -> str:
    """Return the page without what differs from run to run."""
    for pattern, name in _MASKS:
        page = pattern.sub(name, page)
    return page


def _commands(body: str) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, told = part.partition("\n")
        yield command, told


if __name__ == "__main__":
    main()
