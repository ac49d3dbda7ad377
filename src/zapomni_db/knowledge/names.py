"""Find entities by what they are called."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import LiteralString

from zapomni_db.connection import Connection
from zapomni_db.graph import Graph
from zapomni_db.knowledge.records import EntityNode
from zapomni_db.knowledge.terms import words_of
from zapomni_db.replies import rows

__all__ = ["Names"]

_ENTITY: LiteralString = "RETURN e.id, e.key, e.name, e.type, e.n"
_BY_KEY = "MATCH (e:Entity) WHERE e.key IN $keys " + _ENTITY
_BY_ID = "MATCH (e:Entity) WHERE e.id IN $ids " + _ENTITY
# The cut comes before the sort: a name that thousands share is answered by any of them.
_BY_WORDS = (
    "CALL db.idx.fulltext.queryNodes('Entity', $words) YIELD node "
    "WITH node AS e LIMIT $most WITH e ORDER BY e.n DESC LIMIT $limit " + _ENTITY
)
_MOST_MATCHES = 1000
_CANDIDATES = 50
_SHORTEST_PREFIX = 2  # bytes; one Chinese character is a beginning
_SHORTEST_TYPO = 4


class Names:
    """Look-ups of entities."""

    def __init__(self, connection: Connection, graph: Graph) -> None:
        self._connection = connection
        self._graph = graph

    async def entities_by_key(self, keys: Sequence[str]) -> list[EntityNode]:
        """Fetch the entities that have these keys, in no particular order."""
        wanted = set(keys)
        found = await self._graph.read(_BY_KEY, keys=sorted(wanted))
        # The index ignores spaces around a key.
        return [EntityNode(*row) for row in found if row[1] in wanted]

    async def entities_by_id(self, entity_ids: Sequence[str]) -> list[EntityNode]:
        """Fetch entities by their ids, in no particular order."""
        found = await self._graph.read(_BY_ID, ids=list(entity_ids))
        return [EntityNode(*row) for row in found]

    async def similar_names(self, name: str, limit: int) -> list[EntityNode]:
        """Find entities called nearly like this, best first: by words, beginnings and typos."""
        words = words_of(name)
        if not words:
            return []
        parameters = {"most": _MOST_MATCHES, "limit": _CANDIDATES}
        commands = [
            self._graph.reading(_BY_WORDS, {"words": query, **parameters})
            for query in _word_queries(words)
        ]
        replies = await self._connection.pipeline(commands)
        found = {row[0]: EntityNode(*row) for reply in replies for row in rows(reply)}
        wanted = " ".join(words)
        return sorted(found.values(), key=lambda e: (-_likeness(wanted, e), -e.mentions, e.key))[
            :limit
        ]


def _word_queries(words: Sequence[str]) -> list[str]:
    """Write full-text queries; words hold nothing but letters and digits, so none is syntax."""
    prefixes = [f"{word}*" for word in words if len(word.encode()) >= _SHORTEST_PREFIX]
    typos = [f"%{word}%" for word in words if len(word) >= _SHORTEST_TYPO]
    typos += [f"%%{word}%%" for word in words if len(word) >= 2 * _SHORTEST_TYPO]
    queries = [" ".join(words), "|".join(words), "|".join(prefixes), "|".join(typos)]
    return list(dict.fromkeys(query for query in queries if query))


def _likeness(wanted: str, entity: EntityNode) -> float:
    return SequenceMatcher(None, wanted, " ".join(words_of(entity.key)), autojunk=False).ratio()
