"""What the `.gitattributes` of a repository call generated or foreign."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, Literal

from zapomni_core.code.files.ignoring import small_file
from zapomni_core.code.files.patterns import Pattern, pattern

__all__ = ["Attributes"]

_GENERATED: Final = b"linguist-generated"
_VENDORED: Final = b"linguist-vendored"


class Attributes:
    """Reads the file at the top only; nested ones are rare."""

    def __init__(self, root: Path) -> None:
        self._rules: list[tuple[Pattern, bytes, bool]] = []
        for line in small_file(root / ".gitattributes").splitlines():
            words = line.split()
            if not words or words[0].startswith((b"#", b"!", b"[", b'"')):
                continue
            read = pattern(words[0])
            if read is not None and not read.is_for_folders:
                self._rules += [(read, *each) for each in map(_setting, words[1:]) if each]

    def reason_against(self, path: str) -> Literal["generated", "vendored"] | None:
        """Tell why a file is not the project's own source."""
        if not self._rules:
            return None
        encoded = os.fsencode(path)
        matching = [
            (name, is_set)
            for rule, name, is_set in self._rules
            if rule.matches(encoded, is_folder=False)
        ]
        settings = dict(matching)
        if settings.get(_GENERATED):
            return "generated"
        return "vendored" if settings.get(_VENDORED) else None


def _setting(word: bytes) -> tuple[bytes, bool] | None:
    name, _, value = word.lstrip(b"-!").partition(b"=")
    if name not in {_GENERATED, _VENDORED}:
        return None
    return name, not word.startswith((b"-", b"!")) and value != b"false"
