"""Tell which files hold tests."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

__all__ = ["is_test_path"]

# `Tests`, `jvmTest` and `Shop.Tests`, but not `latest`.
_FOLDER: Final = re.compile(
    r"(?i:tests?|testing|__tests__|specs?|e2e)|.*[_.-](?i:tests?|specs?)|.*[a-z0-9]Tests?"
)
_NAME: Final = re.compile(r"(?:test_.*|.*[_.-](?:test|tests|spec)|conftest|.*Tests?)")


def is_test_path(path: str) -> bool:
    """Tell whether a file holds tests, by where it is and what it is called."""
    folder, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0] or name
    return _is_test_folder(folder) or _NAME.fullmatch(stem) is not None


# Files are looked at folder by folder.
@lru_cache(16)
def _is_test_folder(folder: str) -> bool:
    return any(map(_FOLDER.fullmatch, folder.split("/")))
