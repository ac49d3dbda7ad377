"""docs/cli.md is what the commands say, and its examples work."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.cli_reference import PAGE, commands, page

TIMEOUT_S = 100


def blocks(kind: str) -> list[str]:
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def test_the_page_is_what_the_commands_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python -m scripts.cli_reference`"


@pytest.mark.parametrize("name", [name for name, _ in commands()])
def test_every_command_has_a_section(name: str) -> None:
    assert f"\n## {name}\n" in page()


def zapomni(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in ("PATH",) if name in os.environ}
    settings = {
        "HOME": str(folder),
        "ZAPOMNI_DATA_DIR": str(folder / "memory"),
        "ZAPOMNI_SSE_PORT": "0",
    }
    return subprocess.run(
        [sys.executable, "-m", "zapomni_cli", *arguments],
        env={**kept, **settings},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )


@pytest.mark.timeout(240)
def test_the_examples_work(tmp_path: Path) -> None:
    lines = [line for block in blocks("console") for line in block.splitlines()]
    calls = [shlex.split(line.removeprefix("$ ")) for line in lines]
    found = {}
    for program, *arguments in calls:
        assert program == "zapomni"
        before_pipe = arguments[: arguments.index(">")] if ">" in arguments else arguments
        done = zapomni(tmp_path, *before_pipe)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        found[arguments[0]] = done.stdout
    assert "PostgreSQL" in found["search"]
    assert "PostgreSQL" in found["list"]
    assert "_ZAPOMNI_COMPLETE" in found["completion"]

    questions = tmp_path / "questions.jsonl"
    questions.write_text("".join(blocks("jsonl")))
    measured = json.loads(zapomni(tmp_path, "eval", "--json", str(questions)).stdout)

    assert measured["recall"]["1"] == 1
