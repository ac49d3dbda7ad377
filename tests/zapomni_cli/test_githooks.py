"""Blocks in git hooks: put in, taken out, everything else as it was."""

import subprocess
from pathlib import Path

import pytest

from zapomni_cli.githooks import Indexed, NotAShellScript, install_hook, uninstall_hook

PROJECT = Indexed(Path("/srv/project"))
SCRIPTS = [
    b"#!/bin/sh\necho mine\n",
    b"#!/usr/bin/env bash\nset -e\nexec other-tool\n",
    b"#!/bin/bash\r\necho windows\r\n",
    b"#!/bin/sh",
]


@pytest.mark.parametrize("content", SCRIPTS)
def test_what_was_there_is_restored_byte_for_byte(tmp_path: Path, content: bytes) -> None:
    hook = tmp_path / "post-commit"
    hook.write_bytes(content)

    install_hook(hook, PROJECT)
    changed = hook.read_bytes()

    assert b"zapomni_cli index" in changed
    assert uninstall_hook(hook)
    assert hook.read_bytes() in (content, content + b"\n")


def test_a_hook_that_was_not_there_is_gone_again(tmp_path: Path) -> None:
    hook = tmp_path / "post-commit"

    install_hook(hook, PROJECT)
    assert hook.stat().st_mode & 0o111

    assert uninstall_hook(hook)
    assert not hook.exists()
    assert not uninstall_hook(hook)


def test_a_second_time_changes_nothing(tmp_path: Path) -> None:
    hook = tmp_path / "post-commit"
    install_hook(hook, PROJECT)
    once = hook.read_bytes()

    install_hook(hook, PROJECT)

    assert hook.read_bytes() == once


def test_folders_of_one_repository_are_indexed_side_by_side(tmp_path: Path) -> None:
    hook = tmp_path / "post-commit"
    hook.write_bytes(SCRIPTS[0])
    for inside in ("web", "api", "web"):
        install_hook(hook, PROJECT._replace(inside=Path(inside)))
    both = hook.read_bytes()

    assert (both.count(b"/web >"), both.count(b"/api >")) == (1, 1)
    assert uninstall_hook(hook)
    assert hook.read_bytes() == SCRIPTS[0]


def test_a_memory_that_was_named_is_replaced_by_the_next_one(tmp_path: Path) -> None:
    hook = tmp_path / "post-commit"
    install_hook(hook, PROJECT._replace(data_dir=Path("/srv/first memory")))
    assert b"ZAPOMNI_DATA_DIR='/srv/first memory' " in hook.read_bytes()

    install_hook(hook, PROJECT)

    assert b"ZAPOMNI_DATA_DIR" not in hook.read_bytes()


def test_a_hook_in_another_language_is_left_alone(tmp_path: Path) -> None:
    hook = tmp_path / "post-commit"
    hook.write_bytes(b"#!/usr/bin/env python3\nprint('mine')\n")

    with pytest.raises(NotAShellScript):
        install_hook(hook, PROJECT)

    assert hook.read_bytes() == b"#!/usr/bin/env python3\nprint('mine')\n"


@pytest.mark.parametrize("folder", ["with space", "quo'te", "dollar$(touch hacked)", "naïve"])
def test_the_path_of_a_repository_is_only_a_path(tmp_path: Path, folder: str) -> None:
    hook = tmp_path / "post-commit"
    install_hook(hook, Indexed(tmp_path / folder, Path(folder), tmp_path / folder))

    checked = subprocess.run(["sh", "-n", str(hook)], cwd=tmp_path, check=False)

    assert checked.returncode == 0
    assert not (tmp_path / "hacked").exists()
