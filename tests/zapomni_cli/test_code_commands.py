"""`zapomni index`, `watch` and `hooks` as a person runs them."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

TIMEOUT_S = 60


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {**kept, "ZAPOMNI_DATA_DIR": str(tmp_path / "memory"), "GIT_CONFIG_GLOBAL": os.devnull}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "tool.py").write_text("def hammer(nail):\n    return nail\n")
    return folder


def zapomni(
    environment: dict[str, str], *arguments: str | Path
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "zapomni_cli", *map(str, arguments)]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True, capture_output=True)


def test_index_says_what_it_has_read(environment: dict[str, str], project: Path) -> None:
    told = zapomni(environment, "index", project)
    as_json = zapomni(environment, "index", "--json", "--quick", project)

    assert told.returncode == 0, told.stderr
    assert "project: 1 files read" in told.stdout
    assert json.loads(as_json.stdout)["unchanged"] == 1


def test_a_folder_that_is_not_there_is_an_error(environment: dict[str, str]) -> None:
    told = zapomni(environment, "index", "/no/such/folder")

    assert told.returncode != 0
    assert "does not exist" in told.stderr
    assert "Traceback" not in told.stderr


def test_a_misspelt_command_is_guessed(environment: dict[str, str]) -> None:
    told = zapomni(environment, "indx")

    assert told.returncode != 0
    assert "Did you mean 'index'?" in told.stderr


def test_hooks_index_after_a_commit(environment: dict[str, str], project: Path) -> None:
    git(project, "init", "--quiet")
    assert zapomni(environment, "hooks", "install", project).returncode == 0
    assert zapomni(environment, "index", "--quick", project).returncode == 0
    (project / "tool.py").write_text("def screwdriver(screw):\n    return screw\n")

    git_environment = {**environment, "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "a@b.example"}
    git_environment |= {"GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "a@b.example"}
    for arguments in (["add", "."], ["commit", "--quiet", "-m", "Change"]):
        subprocess.run(
            ["git", "-C", str(project), *arguments], check=True, env=git_environment, timeout=30
        )

    assert _eventually(lambda: _has_read(environment, project))
    told = zapomni(environment, "hooks", "uninstall", project)
    assert told.returncode == 0
    assert not (project / ".git" / "hooks" / "post-commit").exists()


def test_hooks_need_a_repository(environment: dict[str, str], project: Path) -> None:
    told = zapomni(environment, "hooks", "install", project)

    assert told.returncode != 0
    assert "not inside a git work tree" in told.stderr


@pytest.fixture
def watching(environment: dict[str, str], project: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-u", "-m", "zapomni_cli", "watch", str(project)]
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    yield process
    if process.poll() is None:
        process.kill()
    process.communicate()


def test_watch_takes_in_changes_until_it_is_stopped(
    watching: subprocess.Popen[str], project: Path
) -> None:
    assert watching.stdout is not None
    assert "1 files read" in watching.stdout.readline()
    assert watching.stdout.readline().startswith("Watching")

    (project / "tool.py").write_text("def screwdriver(screw):\n    return screw\n")
    assert "project: 1 files read" in watching.stdout.readline()
    (project / "saw.py").write_text("def saw(wood):\n    return wood\n")
    assert "project: 1 files read" in watching.stdout.readline()

    watching.send_signal(signal.SIGINT)
    assert watching.wait(TIMEOUT_S) == 1


def _has_read(environment: dict[str, str], project: Path) -> bool:
    told = zapomni(environment, "index", "--json", "--quick", project)
    return told.returncode == 0 and json.loads(told.stdout)["indexed"] == 0


def _eventually(is_so: object) -> bool:
    assert callable(is_so)
    deadline = time.monotonic() + TIMEOUT_S
    while time.monotonic() < deadline:
        if is_so():
            return True
        time.sleep(0.5)
    return False
