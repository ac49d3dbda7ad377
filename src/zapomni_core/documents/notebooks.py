"""Notebooks: the cells of Jupyter in their order, without what they printed."""

from __future__ import annotations

from typing import Any

import orjson

from zapomni_core.documents.cleaning import fenced
from zapomni_core.documents.draft import Draft
from zapomni_core.documents.outline import Outline
from zapomni_core.documents.plain import add_markdown

__all__ = ["read_notebook"]


def read_notebook(raw: bytes, draft: Draft) -> None:
    """Read the text and the code of every cell."""
    book = _parsed(raw)
    cells = book.get("cells") if isinstance(book, dict) else None
    if not isinstance(cells, list):
        raise draft.refused("is no notebook; save it again with Jupyter")
    language = _language(book)
    outline = Outline(draft, gap="\n")
    for cell in cells:
        if isinstance(cell, dict):
            _add_cell(cell, language, outline, draft)
    outline.close()


def _add_cell(cell: dict[str, Any], language: str, outline: Outline, draft: Draft) -> None:
    text = _joined(cell.get("source"))
    if cell.get("cell_type") == "code":
        if text.strip():
            outline.block(f"\n{fenced(text, language)}\n")
        if outputs := cell.get("outputs"):
            draft.leave_out("outputs of cells", len(outputs) if isinstance(outputs, list) else 1)
    elif cell.get("cell_type") == "markdown":
        add_markdown(text, outline, draft)
    else:
        outline.block(text)


def _parsed(raw: bytes) -> Any:
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None


def _joined(source: Any) -> str:
    if isinstance(source, list):
        return "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""


def _language(book: dict[str, Any]) -> str:
    facts: Any = book.get("metadata")
    for key in ("kernelspec", "language"):
        facts = facts.get(key) if isinstance(facts, dict) else None
    return facts if isinstance(facts, str) and facts.isalnum() else "python"
