"""Find the chunks that name what a query names, or what a fact connects it with."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Iterator

from zapomni_core.knowledge.names.keys import entity_id, name_key, shown_name
from zapomni_core.retrieval.stop_words import ENGLISH
from zapomni_db import EntityNode, Knowledge

__all__ = ["named_chunks"]

_WORD = re.compile(r"[^\s,;:!?()\[\]\"“”]+")
_LONGEST_NAME_WORDS = 4
_FUNCTION_WORDS = frozenset(ENGLISH.split())
_MOST_NAMES = 60
_CHUNKS, _FACTS = 100, 50
# What is only connected with a name tells less than the name.
_ONE_STEP = 0.5
# Someone who is named in half of all texts tells nothing; ten namings tell a lot.
_TELLING = 200
_VAGUE = frozenset({"concept", "date"})


async def named_chunks(knowledge: Knowledge, query: str) -> dict[str, float]:
    """Return chunks that name the same things as a query, and how much of it, from 0 to 1."""
    wanted = {entity_id(key): key for key in _possible_keys(query)}
    nodes = await knowledge.entities_by_id(list(wanted)) if wanted else []
    weights = {node.id: weight for node in nodes if (weight := _weight(node)) > 0}
    if not weights:
        return {}
    wider = await _one_step_away(knowledge, weights)
    named, reached = await asyncio.gather(
        _weighed(knowledge, weights), _weighed(knowledge, wider, share=_ONE_STEP)
    )
    return {
        chunk: max(named.get(chunk, 0.0), reached.get(chunk, 0.0)) for chunk in named | reached
    }


async def _one_step_away(knowledge: Knowledge, weights: dict[str, float]) -> dict[str, float]:
    """Find what has another name, and what a fact connects with the names of the query."""
    aliases, facts = await asyncio.gather(
        knowledge.aliases_of(list(weights)), knowledge.facts_around(list(weights), _FACTS)
    )
    pairs = [(link.short.id, link.full.id) for link in aliases]
    pairs += [(fact.subject.id, fact.object.id) for fact in facts]
    found: dict[str, float] = {}
    for one, other in pairs:
        for here, there in ((one, other), (other, one)):
            if here in weights and there not in weights:
                found[there] = max(found.get(there, 0.0), weights[here])
    return found


async def _weighed(
    knowledge: Knowledge, weights: dict[str, float], share: float = 1.0
) -> dict[str, float]:
    if not weights:
        return {}
    chunks = await knowledge.chunks_mentioning(list(weights), _CHUNKS)
    return {chunk.chunk_id: chunk.entities * share / len(weights) for chunk in chunks}


def _possible_keys(query: str) -> Iterator[str]:
    """Yield the key of every run of words that may be a name, longest first."""
    words = [word.strip(".'’") for word in _WORD.findall(query)]
    is_stop = [word.casefold() in _FUNCTION_WORDS for word in words]
    runs = (
        " ".join(words[first : first + length])
        for length in range(min(_LONGEST_NAME_WORDS, len(words)), 0, -1)
        for first in range(len(words) - length + 1)
        # Hardly a name begins or ends with such a word; looking them all up takes time.
        if not (is_stop[first] or is_stop[first + length - 1])
    )
    keys = dict.fromkeys(name_key(shown_name(run)) for run in runs if run.strip())
    yield from list(keys)[:_MOST_NAMES]


def _weight(node: EntityNode) -> float:
    if node.type in _VAGUE and " " not in node.key:
        return 0.0
    return max(0.0, 1.0 - math.log(max(node.mentions, 1)) / math.log(_TELLING))
