"""`zapomni index`, `watch` and `hooks` as a person runs them."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import anyio
import pytest

from tests.folders import fresh_settings
from zapomni_core import MemoryEngine, Settings

pytestmark = pytest.mark.anyio

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


def git(folder: Path, *arguments: str, environment: dict[str, str] | None = None) -> None:
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    command = ["git", "-C", str(folder), *who, *arguments]
    subprocess.run(command, check=True, capture_output=True, env=environment, timeout=TIMEOUT_S)


def settings_of(environment: dict[str, str]) -> Settings:
    return fresh_settings(Path(environment["ZAPOMNI_DATA_DIR"]), graph_name="zapomni")


def test_index_says_what_it_has_read(environment: dict[str, str], project: Path) -> None:
    told = zapomni(environment, "index", project)
    as_json = zapomni(environment, "index", "--json", "--quick", project)

    assert told.returncode == 0, told.stderr
    assert "project: 1 files read" in told.stdout
    assert json.loads(as_json.stdout)["unchanged"] == 1


def test_a_folder_that_is_forgotten_is_not_known_and_not_allowed_any_more(
    environment: dict[str, str], project: Path
) -> None:
    zapomni(environment, "index", "--quick", project)

    forgotten = zapomni(environment, "index", "--forget", project)
    again = zapomni(environment, "index", "--forget", project)

    assert forgotten.returncode == 0, forgotten.stderr
    assert (again.returncode, "is not indexed" in again.stderr) == (1, True)
    folders = Path(environment["ZAPOMNI_DATA_DIR"], "code-folders.json").read_text()
    assert str(project) not in folders


def test_what_was_read_is_said_and_kept_before_meanings_are_learned(
    environment: dict[str, str], project: Path
) -> None:
    functions = (f"def step_{n}(wood):\n    return wood[{n}:]\n" for n in range(500))
    (project / "steps.py").write_text("\n\n".join(functions))
    command = [sys.executable, "-m", "zapomni_cli", "index", str(project)]

    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as index:
        assert index.stdout is not None
        told = index.stdout.readline()
        is_learning = index.poll() is None
        index.send_signal(signal.SIGINT)
        index.wait(TIMEOUT_S)
    again = json.loads(zapomni(environment, "index", "--json", "--quick", project).stdout)

    assert "project: 2 files read" in told
    assert is_learning
    assert (again["indexed"], again["unchanged"]) == (0, 2)


def test_what_is_wanted_can_be_narrowed_and_said_in_silence(
    environment: dict[str, str], project: Path
) -> None:
    (project / "page.js").write_text("function show() { return 1 }\n")
    options = ["--quick", "--language", "python", "--exclude", "saw*"]
    (project / "saw.py").write_text("def saw(wood):\n    return wood\n")

    silent = zapomni(environment, "index", "--quiet", *options, project)
    full = json.loads(zapomni(environment, "index", "--json", "--full", "--quick", project).stdout)

    assert (silent.returncode, silent.stdout, silent.stderr) == (0, "", "")
    assert (full["indexed"], full["languages"]) == (1, {"python": 1})
    assert full["skipped"] == {"language not asked for": 1, "excluded": 1}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["index", "--language", "pyton", "."], "languages has no 'pyton'; did you mean python"),
        (["index", "/"], "home folder"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    environment: dict[str, str], arguments: list[str], said: str
) -> None:
    told = zapomni(environment, *arguments)

    assert told.returncode == 1
    assert told.stderr.startswith("Error: ")
    assert said in told.stderr
    assert told.stderr.count("\n") == 1


def test_the_version_is_told(environment: dict[str, str]) -> None:
    assert zapomni(environment, "--version").stdout == f"zapomni {version('zapomni')}\n"


def test_a_folder_that_is_not_there_is_an_error(environment: dict[str, str]) -> None:
    told = zapomni(environment, "index", "/no/such/folder")

    assert told.returncode != 0
    assert "does not exist" in told.stderr
    assert "Traceback" not in told.stderr


def test_a_misspelt_command_is_guessed(environment: dict[str, str]) -> None:
    told = zapomni(environment, "indx")

    assert told.returncode != 0
    assert "Did you mean 'index'?" in told.stderr


async def test_hooks_index_after_a_commit(environment: dict[str, str], project: Path) -> None:
    git(project, "init", "--quiet")
    assert zapomni(environment, "index", "--quick", project).returncode == 0
    installed = zapomni(environment, "hooks", "install", project)
    (project / "tool.py").write_text("def screwdriver(screw):\n    return screw\n")

    async with MemoryEngine(settings_of(environment)) as engine:
        git(project, "add", ".", environment=environment)
        git(project, "commit", "--quiet", "-m", "Change", environment=environment)
        with anyio.fail_after(TIMEOUT_S):
            while (await engine.get_symbol("screwdriver")).symbol is None:  # noqa: ASYNC110
                await anyio.sleep(0.05)
    removed = zapomni(environment, "hooks", "uninstall", project)
    again = zapomni(environment, "hooks", "uninstall", project)

    assert "post-commit" in installed.stdout
    assert removed.returncode == again.returncode == 0
    assert again.stdout == "Nothing was installed.\n"
    assert not (project / ".git" / "hooks" / "post-commit").exists()


async def test_hooks_index_the_work_tree_that_was_committed_to(
    environment: dict[str, str], project: Path, tmp_path: Path
) -> None:
    git(project, "init", "--quiet")
    git(project, "config", "core.hooksPath", ".config/shared/hooks")
    git(project, "add", ".", environment=environment)
    git(project, "commit", "--quiet", "-m", "First", environment=environment)
    other = tmp_path / "beside"
    git(project, "worktree", "add", "--quiet", str(other), environment=environment)
    assert zapomni(environment, "hooks", "install", project).returncode == 0
    hooks = project / ".config" / "shared" / "hooks"
    git(other, "config", "core.hooksPath", str(hooks))
    (other / "tool.py").write_text("def screwdriver(screw):\n    return screw\n")

    async with MemoryEngine(settings_of(environment)) as engine:
        git(other, "add", ".", environment=environment)
        git(other, "commit", "--quiet", "-m", "Change", environment=environment)
        with anyio.fail_after(TIMEOUT_S):
            while (await engine.get_symbol("screwdriver")).symbol is None:  # noqa: ASYNC110
                await anyio.sleep(0.05)
        status = await engine.code_status()

    assert [each.root for each in status.repositories] == [str(other)]


async def test_hooks_index_the_folder_and_the_memory_that_were_named(
    environment: dict[str, str], project: Path
) -> None:
    git(project, "init", "--quiet")
    part = project / "the part"
    part.mkdir()
    assert zapomni(environment, "hooks", "install", part).returncode == 0
    (part / "tool.py").write_text("def screwdriver(screw):\n    return screw\n")
    elsewhere = environment | {"ZAPOMNI_DATA_DIR": str(project.parent / "elsewhere")}

    async with MemoryEngine(settings_of(environment)) as engine:
        git(project, "add", ".", environment=elsewhere)
        git(project, "commit", "--quiet", "-m", "Change", environment=elsewhere)
        with anyio.fail_after(TIMEOUT_S):
            while (await engine.get_symbol("screwdriver")).symbol is None:  # noqa: ASYNC110
                await anyio.sleep(0.05)
        status = await engine.code_status()

    assert [each.root for each in status.repositories] == [str(part)]


def test_hooks_leave_other_repositories_alone(
    environment: dict[str, str], project: Path, tmp_path: Path
) -> None:
    git(project, "init", "--quiet")
    assert zapomni(environment, "hooks", "install", project).returncode == 0
    hook = project / ".git" / "hooks" / "post-commit"
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    git(stranger, "init", "--quiet")
    marked = re.sub(r"^ *\(.*zapomni_cli.*&\)$", "touch ran", hook.read_text(), flags=re.MULTILINE)

    for folder in (project, stranger):
        subprocess.run(["sh", "-c", marked], cwd=folder, check=True, timeout=TIMEOUT_S)

    assert (project / "ran").exists()
    assert not (stranger / "ran").exists()


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
    (project / "saw.py").unlink()
    assert "0 files read, 0 unchanged, 1 gone" in watching.stdout.readline()

    watching.send_signal(signal.SIGINT)
    assert watching.wait(TIMEOUT_S) == 0
    assert watching.stderr is not None
    assert watching.stderr.read() == ""
