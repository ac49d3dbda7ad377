"""Tables of separated values, every section with the names of the columns."""

from __future__ import annotations

import csv
from io import StringIO
from typing import Final

from zapomni_core.documents.decoding import decoded
from zapomni_core.documents.draft import Draft
from zapomni_core.documents.model import Section
from zapomni_core.documents.rows import row_of

__all__ = ["read_table"]

_SECTION_ROWS: Final = 100


def read_table(raw: bytes, draft: Draft) -> None:
    """Read CSV or TSV."""
    text = decoded(raw)
    delimiter = "\t" if draft.name.lower().endswith(".tsv") else _delimiter(text)
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    header, rows, start = "", list[str](), 1
    try:
        for cells in reader:
            row = row_of(cells)
            if not header:
                header, start = row, reader.line_num
            elif row:
                rows.append(row)
            if len(rows) == _SECTION_ROWS:
                draft.add(Section("\n".join((header, *rows)), lines=(start, reader.line_num)))
                rows, start = [], reader.line_num + 1
    except csv.Error as exc:
        raise draft.refused("has a cell that never ends; check its quotation marks") from exc
    if rows or start == 1:
        draft.add(Section("\n".join((header, *rows)), lines=(start, max(start, reader.line_num))))


def _delimiter(text: str) -> str:
    first = text.partition("\n")[0]
    return max((",", ";", "\t", "|"), key=first.count)
