"""Tell which files hold tests."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["is_test_path"]

# `Tests`, `jvmTest` and `Shop.Tests`, but not `latest`.
_FOLDER: Final = re.compile(
    r"(?i:tests?|testing|__tests__|specs?|e2e)|.*[_.-](?i:tests?|specs?)|.*[a-z0-9]Tests?"
)
_NAME: Final = re.compile(r"(?:test_.*|.*[_.-](?:test|tests|spec)|conftest|.*Tests?)")


def is_test_path(path: str) -> bool:
    """Tell whether a file holds tests, by where it is and what it is called."""
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0] or name
    return any(map(_FOLDER.fullmatch, folders)) or _NAME.fullmatch(stem) is not None
