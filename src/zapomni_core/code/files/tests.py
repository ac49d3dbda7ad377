"""Tell which files hold tests."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["is_test_path"]

_FOLDERS: Final = frozenset({"test", "tests", "testing", "__tests__", "spec", "specs", "e2e"})
_NAME: Final = re.compile(r"(?:test_.*|.*[_.-](?:test|tests|spec)|conftest|.*Tests?)")


def is_test_path(path: str) -> bool:
    """Tell whether a file holds tests, by where it is and what it is called."""
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0] or name
    return not _FOLDERS.isdisjoint(folders) or _NAME.fullmatch(stem) is not None
