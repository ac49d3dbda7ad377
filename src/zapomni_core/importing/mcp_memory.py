"""Read the file of the official MCP memory server: a graph as JSON lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from zapomni_core.importing.items import leave_out, reject, remember
from zapomni_core.importing.json_stream import Value
from zapomni_core.importing.models import ImportedItem, ImportKind, Skipped
from zapomni_core.importing.values import as_list, as_object, as_text, label

__all__ = ["WANTED", "read_mcp_memory"]

WANTED = re.compile(r"\.jsonl?$")
_KIND = ImportKind.MCP_MEMORY


def read_mcp_memory(values: Iterable[Value | Skipped]) -> Iterator[ImportedItem]:
    """Read entities and relations, one to a line or all in one object."""
    for value in values:
        if isinstance(value, Skipped):
            yield value
            continue
        match value.data:
            case {"entities": _} | {"relations": _}:
                graph = as_object(value.data)
                for entity in as_list(graph.get("entities")):
                    yield from _read_entity(entity, value.where)
                for relation in as_list(graph.get("relations")):
                    yield _read_relation(relation, value.where)
            case {"type": "entity"}:
                yield from _read_entity(value.data, value.where)
            case {"type": "relation"}:
                yield _read_relation(value.data, value.where)
            case _:
                yield reject("neither an entity nor a relation", value.where)


def _read_entity(data: object, where: str) -> Iterator[ImportedItem]:
    entity = as_object(data)
    name = as_text(entity.get("name"))
    observations = entity.get("observations")
    if name is None or not isinstance(observations, list):
        yield reject("neither an entity nor a relation", where)
        return
    kind = as_text(entity.get("entityType"))
    if not observations:
        yield leave_out("an entity without observations", where)
    for position, observation in enumerate(observations):
        text = observation
        if as_text(observation):
            text = f"{name} ({kind}): {observation}" if kind else f"{name}: {observation}"
        metadata = {"title": label(name), "entity_type": label(kind), "position": position}
        yield remember(_KIND, ("observation", name, as_text(observation)), text, metadata, where)


def _read_relation(data: object, where: str) -> ImportedItem:
    relation = as_object(data)
    words = [as_text(relation.get(name)) for name in ("from", "relationType", "to")]
    if None in words:
        return reject("neither an entity nor a relation", where)
    text = " ".join(word for word in words if word)
    metadata = {"from": label(words[0]), "relation": label(words[1]), "to": label(words[2])}
    return remember(_KIND, ("relation", *words), text, metadata, where)
