"""Many memories at a glance: which are there, which come from documents, what all of them hold."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import LiteralString, NamedTuple

from zapomni_db.cypher import Value
from zapomni_db.graph import Graph

__all__ = ["AuditedMemory", "DocumentPart", "Intake"]

_PRESENT: LiteralString = "MATCH (m:Memory) WHERE m.id IN $ids RETURN m.id, m.ready"
# Part of every memory that was read out of a document, and of hardly any other.
_MARK: LiteralString = '"document":{'
_PARTS: LiteralString = """
MATCH (m:Memory) WHERE id(m) >= $from AND id(m) < $to AND m.ready
  AND m.source IN $sources AND m.meta CONTAINS $mark
RETURN m.id, m.source, m.meta
"""
# What was handed in under a name says so; it is no file, even if it is called like one.
_HANDED_IN: LiteralString = '"is_handed_in":true'
_FILE_PARTS: LiteralString = """
MATCH (m:Memory) WHERE id(m) >= $from AND id(m) < $to AND m.ready
  AND m.source STARTS WITH $folder AND NOT coalesce(m.pinned, false)
  AND m.meta CONTAINS $mark AND NOT m.meta CONTAINS $other
RETURN m.id, m.source, m.meta
"""
# Most memories are one chunk, and their text is there alone.
_AUDITED: LiteralString = """
MATCH (m:Memory) WHERE id(m) >= $from AND id(m) < $to
MATCH (m)-[:HAS]->(c:Chunk) WHERE c.i = 0
RETURN m.id, m.ready, left(coalesce(m.text, c.text), $most), m.source, coalesce(m.hash, ''),
       coalesce(m.thread, ''), m.expires, coalesce(m.pinned, false), m.similar IS NOT NULL
"""
# FalkorDB's official image cuts an answer off behind 10,000 rows, without a word.
_PAGE = 10_000
# Some texts are long.
_AUDIT_PAGE = 2_000


class DocumentPart(NamedTuple):
    """A memory that was read out of a document."""

    memory_id: str
    source: str
    metadata_json: str


class AuditedMemory(NamedTuple):
    """What an audit looks at; the text is cut."""

    id: str
    is_whole: bool
    text: str
    source: str
    identity: str
    thread: str
    expires_ms: int | None
    is_pinned: bool
    is_similar: bool


class Intake:
    """Reads over many memories."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    async def present(self, memory_ids: Sequence[str]) -> dict[str, bool]:
        """Tell which memories are there, and of each whether it was written to its end."""
        found = await self._graph.read(_PRESENT, ids=list(memory_ids))
        return {memory_id: bool(is_ready) for memory_id, is_ready in found}

    async def parts_of(self, sources: Sequence[str]) -> list[DocumentPart]:
        """List the memories that were read out of documents."""
        return await self._parts(_PARTS, sources=list(sources), mark=_MARK)

    async def file_parts(self, folder: str) -> list[DocumentPart]:
        """List the memories that were read out of files below a folder, but for pinned ones."""
        return await self._parts(_FILE_PARTS, folder=folder, mark=_MARK, other=_HANDED_IN)

    async def all(self, most_chars: int) -> AsyncIterator[list[AuditedMemory]]:
        """Fetch every memory, page by page, with the beginning of its text."""
        for first in range(0, await self._end(), _AUDIT_PAGE):
            page = {"from": first, "to": first + _AUDIT_PAGE}
            found = await self._graph.read(_AUDITED, most=most_chars, **page)
            yield [AuditedMemory(*row) for row in found]

    async def _parts(self, query: LiteralString, **given: Value) -> list[DocumentPart]:
        parts: list[DocumentPart] = []
        for first in range(0, await self._end(), _PAGE):
            page = {"from": first, "to": first + _PAGE}
            found = await self._graph.read(query, **given, **page)
            parts += (DocumentPart(*row) for row in found)
        return parts

    async def _end(self) -> int:
        found = await self._graph.read("MATCH (m:Memory) RETURN max(id(m))")
        return 0 if found[0][0] is None else int(found[0][0]) + 1
