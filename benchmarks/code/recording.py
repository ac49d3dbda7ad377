"""Run the tests of a project and keep the calls that happened."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.code.sources import FOLDER, project

__all__ = ["Recorded", "recorded"]

PLUGIN = "call_recorder"
LONGEST_S = 300
REQUIREMENTS = {
    "click": ["click==8.3.0", "pytest==8.4.2"],
    "flask": ["flask[async,dotenv]==3.1.2", "pytest==8.4.2", "werkzeug==3.1.3"],
    "jinja2": ["jinja2==3.1.6", "pytest==8.4.2", "trio"],
}


@dataclass(frozen=True, slots=True)
class Recorded:
    """One call that happened: where it ends, and the symbols any of which it may be bound to."""

    path: str
    end_line: int
    end_column: int
    reached: tuple[str, ...]


def recorded(name: str) -> list[Recorded]:
    """Return the calls of a project's tests; run them if they were not run before."""
    target = FOLDER / "calls" / f"{name}.json"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        _record(name, project(name).resolve(), target.resolve())
    rows: Iterable[tuple[tuple[str, int, int], list[str]]] = json.loads(target.read_text("utf-8"))
    return [Recorded(*place, tuple(reached)) for place, reached in rows]


def _record(name: str, folder: Path, target: Path) -> None:
    print(f"running the tests of {name} ...", file=sys.stderr, flush=True)
    python = _environment(name)
    # The sources before the installed package: that one brings only its dependencies.
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(folder / "src"), str(Path(__file__).parent)]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "RECORDED_FOLDER": str(folder),
        "RECORDED_CALLS": str(target),
    }
    command = [str(python), "-m", "pytest", "-q", "-p", PLUGIN, "-p", "no:cacheprovider", "tests"]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=LONGEST_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise SystemExit(f"the tests of {name} took longer than {LONGEST_S} s") from error
    summary = done.stdout.strip().splitlines()[-1:] or [done.stderr.strip()]
    print(f"  {summary[0]}", file=sys.stderr)
    if not target.exists():
        raise SystemExit(f"the tests of {name} did not run: {done.stdout[-2000:]}{done.stderr}")


def _environment(name: str) -> Path:
    place = (FOLDER / "environments" / name).resolve()
    python = place / "bin" / "python"
    if not python.exists():
        _uv(name, ["venv", "--quiet", "--python", sys.executable, str(place)])
        _uv(name, ["pip", "install", "--quiet", "--python", str(python), *REQUIREMENTS[name]])
    return python


def _uv(name: str, arguments: list[str]) -> None:
    done = subprocess.run(
        ["sh", "scripts/uv.sh", *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"no environment for the tests of {name}: {done.stderr.strip()}")
