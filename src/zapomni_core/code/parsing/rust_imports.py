"""Rust's `use` declarations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from zapomni_core.code.model import Import
from zapomni_core.code.parsing.text import SourceText

__all__ = ["read_use"]

_HEAD: Final = re.compile(
    r"\s*(pub(?:\s*\([^)]*\))?\s+)?(use|extern\s+crate)\s+(.*?);?\s*", re.DOTALL
)
_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TOKEN: Final = re.compile(r"[{},]|[^{},]+")


def read_use(node: Node, text: SourceText) -> Iterator[Import]:
    """Read one declaration, name by name; `a::{b, c}` is two."""
    matched = _HEAD.fullmatch(_COMMENT.sub(" ", text.of(node)))
    if matched is None:
        return
    for path in _paths(matched.group(3)):
        imported = _import(path)
        if imported is not None:
            yield imported._replace(is_export=matched.group(1) is not None)


def _paths(tree: str) -> Iterator[str]:
    prefixes, waiting = [""], ""
    for part in _TOKEN.findall(tree):
        if part == "{":
            prefixes.append(prefixes[-1] + waiting.strip())
            waiting = ""
        elif part in {",", "}"}:
            if waiting.strip():
                yield prefixes[-1] + waiting.strip()
            waiting = ""
            if part == "}" and len(prefixes) > 1:
                prefixes.pop()
        else:
            waiting = part
    if waiting.strip():
        yield prefixes[-1] + waiting.strip()


def _import(path: str) -> Import | None:
    path, _, alias = path.partition(" as ")
    links = [link.strip() for link in path.split("::") if link.strip()]
    if links and links[-1] == "self":
        links.pop()
    if not links:
        return None
    *front, name = links
    if name == "*":
        return Import(".".join(front), "*", "", 0)
    return Import(".".join(front), name, alias.strip() or name, 0)
