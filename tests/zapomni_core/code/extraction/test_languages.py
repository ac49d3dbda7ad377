"""Which language a file is in, and what happens without its grammar."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
import semble_grammars  # type: ignore[import-untyped]

from zapomni_core.code.languages import CODE_LANGUAGES, LANGUAGES, language_named, language_of
from zapomni_core.code.parsing import grammars
from zapomni_core.code.parsing.components import COMPONENTS
from zapomni_core.code.parsing.grammars import GrammarUnavailable, grammar
from zapomni_core.code.parsing.readers import READERS


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("Python", "python"),
        ("py", "python"),
        ("js", "javascript"),
        ("TS", "typescript"),
        ("c++", "cpp"),
        ("C#", "csharp"),
        ("golang", "go"),
        ("rs", "rust"),
        ("sh", "bash"),
        (".kt", "kotlin"),
        ("klingon", None),
        ("", None),
    ],
)
def test_a_language_is_known_by_what_people_call_it(name: str, language: str | None) -> None:
    assert language_named(name) == language


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("src/app.py", "python"),
        ("src/App.TSX", "tsx"),
        ("a/b.d.ts", "typescript"),
        ("lib/x.h", "c"),
        ("Dockerfile", "dockerfile"),
        ("Dockerfile.dev", "dockerfile"),
        ("Rakefile", "ruby"),
        ("notes.md", "markdown"),
        ("photo.jpeg", None),
        ("no_extension", None),
    ],
)
def test_the_name_of_a_file_tells_its_language(path: str, language: str | None) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize(
    ("first_line", "language"),
    [
        (b"#!/usr/bin/env -S python3.12 -u", "python"),
        (b"#!/bin/sh", "bash"),
        (b"#!/usr/bin/env node\n", "javascript"),
        (b"#!", None),
        (b"just text", None),
    ],
)
def test_a_script_tells_its_language_on_the_first_line(
    first_line: bytes, language: str | None
) -> None:
    assert language_of("bin/run", first_line) == language


def test_every_language_of_code_has_a_reader() -> None:
    assert set(READERS) | COMPONENTS == set(CODE_LANGUAGES)
    assert set(CODE_LANGUAGES) < set(LANGUAGES)


def test_every_language_of_code_has_a_grammar_in_the_installation() -> None:
    assert set(CODE_LANGUAGES) <= set(semble_grammars.available_languages())


def test_a_missing_grammar_is_an_error_that_names_it() -> None:
    with pytest.raises(GrammarUnavailable, match="klingon"):
        grammar("klingon")


def test_a_folder_that_cannot_be_used_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    code = "from zapomni_core.code.parsing.grammars import grammar; grammar('python')"

    process = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "SEMBLE_GRAMMARS_CACHE_DIR": str(blocked)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert process.returncode != 0
    assert "SEMBLE_GRAMMARS_CACHE_DIR" in process.stderr


@pytest.mark.parametrize("language", ["go", "sql"])
def test_a_grammar_is_unpacked_as_its_package_would_do_it(tmp_path: Path, language: str) -> None:
    ours = "from zapomni_core.code.parsing.grammars import _unpack as unpack"
    theirs = "from semble_grammars import get_language as unpack"

    found = _unpacked_by(tmp_path / "ours", f"{ours}; unpack({language!r})")

    assert len(found) == 1
    assert found == _unpacked_by(tmp_path / "theirs", f"{theirs}; unpack({language!r})")


def test_an_archive_that_cannot_be_read_is_left_to_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_nothing(*_: object) -> bytes:
        raise tarfile.ReadError

    monkeypatch.setenv("SEMBLE_GRAMMARS_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(grammars, "_member", read_nothing)

    assert grammar.__wrapped__("zig").node_kind_count


def _unpacked_by(folder: Path, code: str) -> list[tuple[str, int, bytes]]:
    environment = {**os.environ, "SEMBLE_GRAMMARS_CACHE_DIR": str(folder)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, timeout=60)
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [
        (str(path.relative_to(folder)), path.stat().st_mode, path.read_bytes()) for path in files
    ]
