"""Single memories: read whole, listed, replaced by another version, and what they leave behind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import LiteralString

from zapomni_db.connection import Command
from zapomni_db.cypher import Value
from zapomni_db.graph import Graph
from zapomni_db.records import (
    ListedMemory,
    MemoryRecord,
    Removed,
    StoredMemory,
    StoredVersion,
)
from zapomni_db.replies import Row

__all__ = ["Life"]

_WHOLE: LiteralString = """
MATCH (m:Memory {id: $id}) WHERE m.ready AND (coalesce(m.expires, $now + 1) > $now OR m.pinned)
MATCH (m)-[:HAS]->(c:Chunk)
WITH m, c ORDER BY c.i
WITH m, collect([c.id, c.first, c.last]) AS chunks,
     collect(CASE WHEN m.text IS NULL THEN c.text END) AS texts
RETURN coalesce(m.text, texts[0]), m.created, m.ts, m.source, m.tags, m.meta,
       coalesce(m.thread, ''), coalesce(m.place, 0), coalesce(m.speaker, ''),
       coalesce(m.code, false), coalesce(m.hash, ''), m.expires, coalesce(m.pinned, false),
       m.similar, m.changed, chunks
"""
_VERSIONS: LiteralString = """
MATCH (v:Version {memory: $id})
RETURN v.text, v.meta, v.ts, v.since, v.until ORDER BY v.until DESC
"""
_SAID_SINCE: LiteralString = """
MATCH (v:Version {memory: $id}) WHERE v.until >= $since
RETURN min(v.since), sum(CASE WHEN v.text = $text THEN 0 ELSE 1 END)
"""
_LISTED: LiteralString = """
MATCH (m:Memory) WHERE m.id IN $ids AND m.ready
MATCH (m)-[:HAS]->(c:Chunk)
WITH m, count(c) AS chunks,
     collect(CASE WHEN m.text IS NULL THEN c.text END)[0] AS only
WITH m, chunks, coalesce(m.text, only) AS text
RETURN m.id, left(text, $most), size(text), chunks, m.ts, m.created, m.changed, m.expires,
       coalesce(m.pinned, false), m.source, m.tags, m.meta
"""
_IDENTICAL: LiteralString = """
MATCH (m:Memory) WHERE m.hash IN $hashes AND m.ready
  AND (coalesce(m.expires, $now + 1) > $now OR m.pinned)
RETURN m.hash, m.id ORDER BY m.created DESC
"""
# STARTS WITH does not use the index in FalkorDB 4.22: 80 ms with 100,000 memories instead of 1.
_BEGINNING_WITH: LiteralString = """
MATCH (m:Memory) WHERE m.id >= $first AND m.id < $behind AND m.ready
  AND (coalesce(m.expires, $now + 1) > $now OR m.pinned)
RETURN m.id ORDER BY m.id LIMIT $most
"""
# In one query, so that a failure changes nothing: the old version is kept, its chunks give way to
# those that were written beforehand under another id.
_REPLACE: LiteralString = """
MATCH (m:Memory {id: $id}), (staged:Memory {id: $staged})
WHERE $known IS NULL OR (m.meta = $known AND coalesce(m.hash, '') = $identity)
MATCH (m)-[:HAS]->(old:Chunk)
WITH m, staged, old ORDER BY old.i
WITH m, staged, collect(old) AS olds, collect(old.text) AS texts
MATCH (staged)-[:HAS]->(new:Chunk)
WITH m, staged, olds, texts, collect(new) AS news
CREATE (:Version {
    memory: m.id, text: coalesce(m.text, texts[0]), meta: m.meta, ts: m.ts,
    since: coalesce(m.changed, m.created), until: $now
})
SET m.text = $text, m.ts = staged.ts, m.source = staged.source, m.tags = staged.tags,
    m.meta = staged.meta, m.thread = staged.thread, m.place = staged.place,
    m.speaker = staged.speaker, m.code = staged.code, m.hash = staged.hash,
    m.expires = staged.expires, m.pinned = staged.pinned, m.similar = staged.similar,
    m.changed = $now, m.graph = NULL
WITH m, staged, olds, news
FOREACH (new IN news | CREATE (m)-[:HAS]->(new))
FOREACH (old IN olds | DELETE old)
DELETE staged
RETURN size(news)
"""
_LOSSES: LiteralString = """
MATCH (m:Memory {id: $id})-[:HAS]->(c:Chunk)
WITH count(c) AS chunks
OPTIONAL MATCH (v:Version {memory: $id})
RETURN chunks, count(v)
"""
_LOST_FACTS: LiteralString = "MATCH ()-[f:FACT]->() WHERE f.memory = $id RETURN count(f)"
_LOST_ENTITIES: LiteralString = """
MATCH (m:Memory {id: $id})-[:HAS]->(:Chunk)-[r:MENTIONS]->(e:Entity)
WITH e, count(r) AS mine WHERE e.n <= mine
RETURN count(e)
"""
_NAMED: LiteralString = """
MATCH (m:Memory {id: $id})-[:HAS]->(:Chunk)-[:MENTIONS]->(e:Entity)
RETURN DISTINCT e.name, e.n ORDER BY e.n DESC LIMIT $most
"""
_EXPIRED: LiteralString = """
MATCH (m:Memory) WHERE m.expires <= $now
WITH m WHERE NOT coalesce(m.pinned, false)
RETURN m.id LIMIT $most
"""
_OLD_VERSIONS: LiteralString = """
MATCH (v:Version) WHERE v.until < $before
MATCH (m:Memory {id: v.memory}) WHERE NOT coalesce(m.pinned, false)
"""
_LOST_VERSIONS: LiteralString = """
MATCH (v:Version) OPTIONAL MATCH (m:Memory {id: v.memory})
WITH v, count(m) AS known WHERE known = 0
"""
_UNNAMED: LiteralString = """
MATCH (e:Entity) OPTIONAL MATCH (e)<-[r:MENTIONS]-()
WITH e, count(r) AS mentions WHERE mentions = 0
OPTIONAL MATCH (e)-[f:FACT]-()
WITH e, count(f) AS facts WHERE facts = 0
"""
# FalkorDB's official image cuts an answer off behind 10,000 rows, without a word.
_MOST_ROWS = 10_000


class Life:
    """Reads of single memories, and the writes that change or clean up."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    async def whole(self, memory_id: str, now_ms: int) -> StoredMemory | None:
        """Fetch a memory, unless it is gone, unfinished or expired."""
        found = await self._graph.read(_WHOLE, id=memory_id, now=now_ms)
        return _stored(memory_id, found[0]) if found else None

    async def versions(self, memory_id: str) -> list[StoredVersion]:
        """Fetch what a memory said before, the latest first."""
        found = await self._graph.read(_VERSIONS, id=memory_id)
        return [StoredVersion(*row) for row in found]

    async def has_said(self, memory_id: str, text: str, since_ms: int) -> bool:
        """Tell whether every version since a time has this text; False if one may be pruned."""
        ((first_ms, others),) = await self._graph.read(
            _SAID_SINCE, id=memory_id, text=text, since=since_ms
        )
        return first_ms is not None and first_ms <= since_ms and not others

    async def names_in(self, memory_id: str, most: int) -> list[str]:
        """Tell whom and what a memory names, the best known first."""
        return [row[0] for row in await self._graph.read(_NAMED, id=memory_id, most=most)]

    async def listed(self, memory_ids: Sequence[str], chars: int) -> list[ListedMemory]:
        """Fetch memories with the beginnings of their texts, in no particular order."""
        found = await self._graph.read(_LISTED, ids=list(memory_ids), most=chars)
        return [_listed(row) for row in found]

    async def identical(self, identities: Sequence[str], now_ms: int) -> dict[str, str]:
        """Find the oldest memory of each of these identities."""
        found = await self._graph.read(_IDENTICAL, hashes=list(identities), now=now_ms)
        return dict(found)

    async def beginning_with(self, digits: str, now_ms: int, most: int) -> list[str]:
        """List the ids of memories that begin with these hexadecimal digits."""
        # Behind every digit comes a "g".
        bounds: dict[str, Value] = {"first": digits, "behind": f"{digits}g"}
        found = await self._graph.read(_BEGINNING_WITH, **bounds, now=now_ms, most=most)
        return [row[0] for row in found]

    def replacement(
        self, memory: MemoryRecord, staged: str, old: MemoryRecord | None, *, has_own_text: bool
    ) -> Command:
        """Build the exchange of a memory for its next version, staged under another id.

        `memory.created_ms` is when the exchange takes place. The answer is empty if the memory
        is gone by then, or not as `old`.
        """
        given: dict[str, Value] = {
            "id": memory.id,
            "staged": staged,
            "text": memory.text if has_own_text else None,
            "known": None if old is None else old.metadata_json,
            "identity": "" if old is None else old.identity,
            "now": memory.created_ms,
        }
        return self._graph.command(_REPLACE, given)

    async def losses(self, memory_id: str) -> Removed:
        """Count what goes with a memory: chunks, facts, and what nothing else mentions."""
        counted = await self._graph.read(_LOSSES, id=memory_id)
        chunks, versions = counted[0] if counted else (0, 0)
        ((facts,),) = await self._graph.read(_LOST_FACTS, id=memory_id)
        entities = await self._graph.read(_LOST_ENTITIES, id=memory_id)
        return Removed(1 if chunks else 0, chunks, facts, entities[0][0], versions)

    async def expired(self, now_ms: int) -> list[str]:
        """List memories whose time is over, at most as many as one answer holds."""
        found = await self._graph.read(_EXPIRED, now=now_ms, most=_MOST_ROWS)
        return [row[0] for row in found]

    async def old_versions(self, before_ms: int) -> int:
        """Count versions that were replaced before a time, but not those of pinned memories."""
        found = await self._graph.read(_OLD_VERSIONS + "RETURN count(v)", before=before_ms)
        return int(found[0][0])

    async def drop_old_versions(self, before_ms: int) -> None:
        """Remove what `old_versions` counts."""
        await self._graph.write(_OLD_VERSIONS + "DELETE v", before=before_ms)

    async def lost_versions(self) -> int:
        """Count versions of memories that are gone."""
        return int((await self._graph.read(_LOST_VERSIONS + "RETURN count(v)"))[0][0])

    async def unnamed_entities(self) -> list[str]:
        """Tell the names of entities that nothing mentions and no fact is about."""
        found = await self._graph.read(_UNNAMED + "RETURN e.name LIMIT 10000")
        return [row[0] for row in found]

    async def drop_orphans(self) -> None:
        """Remove versions without a memory and entities that nothing mentions."""
        await self._graph.write(_LOST_VERSIONS + "DELETE v")
        await self._graph.write(_UNNAMED + "DELETE e")


def _stored(memory_id: str, row: Row) -> StoredMemory:
    text, created_ms, timestamp_ms, source, tags, metadata, *others, changed_ms, chunks = row
    record = MemoryRecord(
        memory_id, text, created_ms, timestamp_ms, source, tuple(tags), metadata, *others
    )
    return StoredMemory(record, changed_ms, tuple((c[0], c[1], c[2]) for c in chunks))


def _listed(row: Row) -> ListedMemory:
    memory_id, beginning, length, chunk_count, said_ms, created_ms, changed_ms, *others = row
    expires_ms, is_pinned, source, tags, metadata = others
    return ListedMemory(
        id=memory_id,
        beginning=beginning,
        length=length,
        chunk_count=chunk_count,
        timestamp_ms=said_ms,
        created_ms=created_ms,
        changed_ms=changed_ms,
        expires_ms=expires_ms,
        is_pinned=is_pinned,
        source=source,
        tags=tuple(tags),
        metadata_json=metadata,
    )
