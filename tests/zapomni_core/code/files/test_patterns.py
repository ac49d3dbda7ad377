"""Patterns of ignored files mean here what they mean to git."""

import os
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.zapomni_core.code.files.trees import git
from zapomni_core.code.files.patterns import parsed, verdict
from zapomni_core.code.files.walk import walk

PATHS = [
    *("a", "b.py", "ab", "aab.py", "a b", "a ", "#a", "!a", "a\\b", "é", "[a", "-", "]", "z"),
    *("d/a", "d/b.py", "d/ab", "d/e/a", "d/e/b.py", "d/e/f/a", "d/-", "d/]", "d/[a", "d/é"),
    *("e/a", "e/d/a", "e/d/b.py", "e/d/e/d/ab", "f/a.b.c", "f/A", "f/aa", "f/d/e/a b"),
]
PIECES = st.sampled_from(
    [
        *"abdefz.-!#*?/[]^\\ :A",
        *("**", "/**/", "**/", "/**", "[a-e]", "[!a]", "[^a]", "[]a]", "[[:alpha:]]", ".py", "d/"),
        *("[[:upper:]_]", "[a-", "[z-a]", "\\ ", "é", "[--a]", "[\\]a]"),
    ]
)
LINES = st.lists(PIECES, min_size=1, max_size=5).map("".join)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planted").resolve()
    for path in PATHS:
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x\n")
    git(folder, "init", "-q")
    return folder


def kept_by_git(folder: Path) -> set[str]:
    listed = git(folder, "ls-files", "-coz", "--exclude-standard")
    return set(os.fsdecode(listed).split("\0")[:-1])


@given(st.lists(LINES, max_size=4), st.lists(LINES, max_size=3), st.lists(LINES, max_size=2))
@example([], [], ["d**/a"])
@settings(max_examples=120)
def test_nested_patterns_keep_the_very_files_that_git_keeps(
    folder: Path, top: list[str], nested: list[str], own: list[str]
) -> None:
    (folder / ".gitignore").write_text("\n".join(top), encoding="utf-8")
    (folder / "d" / ".gitignore").write_text("\r\n".join(nested), encoding="utf-8")
    (folder / ".git" / "info" / "exclude").write_text("\n".join(own), encoding="utf-8")

    kept = {file.path for file in walk(folder, git=None).files}

    assert kept == kept_by_git(folder)


@given(LINES, st.sampled_from(PATHS))
def test_any_line_is_read_without_an_error(line: str, path: str) -> None:
    assert verdict(parsed(line.encode()), path.encode(), is_folder=False) in {True, False, None}


def test_many_stars_are_matched_at_once() -> None:
    patterns = parsed(b"*a" * 40 + b"b\n")

    started = time.process_time()
    decided = verdict(patterns, b"a" * 255, is_folder=False)

    assert decided is None
    assert time.process_time() - started < 5  # backtracking would take longer than the universe


def test_the_last_matching_pattern_decides() -> None:
    patterns = parsed(b"*.log\n!keep.log\n")

    assert verdict(patterns, b"x/other.log", is_folder=False) is True
    assert verdict(patterns, b"x/keep.log", is_folder=False) is False
    assert verdict(patterns, b"x/keep.txt", is_folder=False) is None
