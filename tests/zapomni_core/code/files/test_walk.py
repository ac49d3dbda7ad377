"""Every file of a folder is found, or listed with a reason, or ignored as git ignores it."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.zapomni_core.code.files.trees import commit, git, robustness_corpus, write
from zapomni_core.code.files.walk import Walk, walk

NOBODY = 65534
IGNORED = {
    "": "*.log\n!keep.log\n/only_top\nsub/*.tmp\n**/deep/x\na/**/b\ncache/\n\\#hash\n\\!bang\n"
    "space\\ \ndoc/*\n!doc/keep.md\nfoo[0-9].c\n?.one\nout.d/**\n!*/\n*.[oa]\nweird]\n",
    "sub": "!*.log\n/local\n*.c\n!main.c\nnested/\n",
    "sub/nested2": "*\n!.gitignore\n!here.py\n",
}
TORTURE = [
    *("a.log", "keep.log", "x/keep.log", "x/b.log", "only_top", "x/only_top", "sub/t.tmp"),
    *("x/sub/t.tmp", "q/deep/x", "deep/x", "a/b", "a/1/b", "a/1/2/b", "a/1/c", "cache/f"),
    *("x/cache/f", "y/cache", "#hash", "!bang", "space ", "space", "doc/a.md", "doc/keep.md"),
    *("foo1.c", "foox.c", "x.one", "xx.one", "out.d/1", "out.d/2/3", "lib.o", "lib.a", "lib.so"),
    *("weird]", "sub/c.log", "sub/local", "sub/x/local", "sub/main.c", "sub/other.c"),
    *("sub/nested/f", "sub/nested2/here.py", "sub/nested2/gone.py", "ok.py", "é/ü.py"),
]


def files(found: Walk) -> list[str]:
    return [file.path for file in found.files]


@pytest.fixture(autouse=True)
def _no_settings_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/nonexistent")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path.resolve()


@pytest.fixture
def tortured(root: Path) -> Path:
    for path in TORTURE:
        write(root, path)
    for folder, lines in IGNORED.items():
        write(root, f"{folder}/.gitignore" if folder else ".gitignore", lines)
    git(root, "init", "-q")
    write(root, ".git/info/exclude", "xx.one\n")
    return root


def test_a_torture_set_is_kept_exactly_as_git_keeps_it(tortured: Path) -> None:
    listed = os.fsdecode(git(tortured, "ls-files", "-coz", "--exclude-standard"))
    truth = sorted(listed.split("\0")[:-1])

    assert files(walk(tortured)) == truth
    assert walk(tortured) == walk(tortured, git=None)


@pytest.mark.parametrize("folder", ["sub", "sub/nested2", "x", "doc"])
def test_a_folder_of_a_work_tree_obeys_the_files_above_it(tortured: Path, folder: str) -> None:
    listed = os.fsdecode(git(tortured / folder, "ls-files", "-coz", "--exclude-standard"))

    assert files(walk(tortured / folder)) == sorted(listed.split("\0")[:-1])
    assert walk(tortured / folder) == walk(tortured / folder, git=None)


@pytest.mark.parametrize("program", ["git", None])
def test_an_ignored_folder_is_read_when_it_is_asked_for(root: Path, program: str | None) -> None:
    git(root, "init", "-q")
    write(root, ".gitignore", "downloads/\n*.txt\n")
    write(root, "downloads/project/a.py")
    write(root, "downloads/project/b.txt")
    write(root, "downloads/project/c.md")
    write(root, "downloads/project/.gitignore", "*.md\n")

    assert files(walk(root / "downloads/project", git=program)) == [".gitignore", "a.py", "b.txt"]


def test_a_tracked_file_is_found_even_if_it_is_ignored(root: Path) -> None:
    git(root, "init", "-q")
    write(root, ".gitignore", "*.py\n")
    write(root, "tracked.py")
    write(root, "other.py")
    commit(root, "tracked.py")

    assert files(walk(root)) == [".gitignore", "tracked.py"]


def test_a_tracked_file_that_was_deleted_is_not_found(root: Path) -> None:
    git(root, "init", "-q")
    write(root, "gone.py")
    commit(root, "gone.py")
    (root / "gone.py").unlink()

    assert walk(root) == Walk([], [])


def test_a_tracked_folder_that_became_a_symlink_is_not_entered(root: Path) -> None:
    git(root, "init", "-q")
    write(root, "folder/a.py")
    write(root, "elsewhere/a.py")
    commit(root, "folder")
    shutil.rmtree(root / "folder")
    (root / "folder").symlink_to("elsewhere")

    found = walk(root)

    assert files(found) == ["elsewhere/a.py"]
    assert ("folder", "symlink") in found.skipped


@pytest.mark.parametrize("program", ["git", None])
@pytest.mark.parametrize("is_repository", [True, False])
def test_every_strange_file_is_found_or_listed_with_a_reason(
    root: Path, program: str | None, is_repository: bool
) -> None:
    expected = robustness_corpus(root)
    if is_repository:
        git(root, "init", "-q")

    found = walk(root, git=program)

    by_name = dict(found.skipped)
    assert by_name.items() <= expected.items()
    assert sorted([*by_name, *files(found)]) == sorted(expected)
    assert {"loop", "pipe.py", "socket.py", "inner", ".env", "huge.py", "bad\\xff.py"} <= set(
        by_name
    )


@pytest.mark.parametrize("program", ["git", None])
def test_output_is_left_out_without_any_ignore_file(root: Path, program: str | None) -> None:
    git(root, "init", "-q")
    write(root, "package.json", "{}")
    for path in ["node_modules/x/index.js", "web/node_modules/y.js", "dist/app.js", "env2/a.py"]:
        write(root, path)
    write(root, "env2/pyvenv.cfg", "home = x\n")
    write(root, "src/build/steps.py")

    found = walk(root, git=program)

    assert files(found) == ["package.json", "src/build/steps.py"]
    assert dict(found.skipped) == dict.fromkeys(
        ["dist", "env2", "node_modules", "web/node_modules"], "dependencies or build output"
    )


def test_a_tracked_folder_named_like_output_is_source(root: Path) -> None:
    git(root, "init", "-q")
    write(root, "setup.py")
    write(root, "build/steps.py")
    write(root, "node_modules/x.js")
    write(root, "vendor/modules.txt")
    commit(root, ".")

    found = walk(root)

    assert files(found) == ["build/steps.py", "setup.py"]
    assert [skipped.path for skipped in found.skipped] == ["node_modules", "vendor"]


@pytest.mark.parametrize("program", ["git", None])
def test_a_submodule_is_listed_as_a_nested_repository(root: Path, program: str | None) -> None:
    write(root, "library/a.py")
    git(root / "library", "init", "-q")
    commit(root / "library", "a.py")
    write(root, "project/b.py")
    git(root / "project", "init", "-q")
    add = ["submodule", "add", "-q", "../library", "used"]
    git(root / "project", "-c", "protocol.file.allow=always", *add)

    found = walk(root / "project", git=program)

    assert files(found) == [".gitmodules", "b.py"]
    assert found.skipped == [("used", "nested repository")]


@pytest.mark.parametrize("program", ["git", None])
def test_excluded_paths_are_listed_as_excluded(root: Path, program: str | None) -> None:
    git(root, "init", "-q")
    for path in ["tests/a.py", "src/tests/b.py", "src/c.py", "src/d.sql"]:
        write(root, path)

    found = walk(root, ["/tests/", "*.sql"], git=program)

    assert files(found) == ["src/c.py", "src/tests/b.py"]
    assert found.skipped == [("src/d.sql", "excluded"), ("tests", "excluded")]


def test_attributes_tell_what_is_generated_or_foreign(root: Path) -> None:
    lines = ["*.gen.py linguist-generated", "lib/** linguist-vendored=true"]
    write(root, ".gitattributes", "\n".join([*lines, "lib/own.py -linguist-vendored"]))
    for path in ["a.gen.py", "lib/x.py", "lib/own.py", "a.py"]:
        write(root, path)

    found = walk(root)

    assert files(found) == [".gitattributes", "a.py", "lib/own.py"]
    assert found.skipped == [
        ("a.gen.py", "generated"),
        ("lib/x.py", "dependencies or build output"),
    ]


def test_a_repository_cannot_have_its_programs_run(root: Path) -> None:
    git(root, "init", "-q")
    write(root, "a.py")
    commit(root, "a.py")
    spy = write(root, "spy", f"#!/bin/sh\ntouch {root}/was_run\n")
    spy.chmod(0o755)
    git(root, "config", "core.fsmonitor", str(spy))

    assert files(walk(root)) == ["a.py", "spy"]
    assert not (root / "was_run").exists()


def test_a_root_that_vanished_is_listed(root: Path) -> None:
    assert walk(root / "gone").skipped == [(".", "unreadable folder")]


@contextmanager
def unprivileged() -> Iterator[None]:
    """Do without the right to read everything, which root has."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("program", ["git", None])
@pytest.mark.parametrize("is_repository", [True, False])
def test_an_unreadable_folder_is_listed(program: str | None, is_repository: bool) -> None:
    with unprivileged(), tempfile.TemporaryDirectory(dir="/tmp") as name:
        root = Path(name).resolve()
        write(root, "a.py")
        write(root, "closed/b.py")
        if is_repository:
            git(root, "init", "-q")
        (root / "closed").chmod(0)

        found = walk(root, git=program)
        (root / "closed").chmod(0o700)

    assert files(found) == ["a.py"]
    assert found.skipped == [("closed", "unreadable folder")]
