"""The lines of an export: a header, memories, kept facts, and an end that proves the rest."""

from __future__ import annotations

import re
import uuid
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import orjson

from zapomni_core.errors import ValidationError
from zapomni_core.models import moment_of, public_id
from zapomni_core.validation import (
    ParsedMetadata,
    parse_as_of,
    parse_memory_ids,
    parse_metadata,
    parse_text,
)
from zapomni_db import EmbeddingStamp, MemoryRecord, Vector
from zapomni_db.cypher import Value
from zapomni_db.told import Told, knowledge_of
from zapomni_db.transfer import ChunkPlace, WholeMemory

__all__ = [
    "FORMAT_VERSION",
    "End",
    "Header",
    "KeptFact",
    "ReadMemory",
    "fresh_chunk_id",
    "read_line",
    "write_line",
]

FORMAT_VERSION = 1
_FORMAT = "zapomni-export"
_HEX_ID = re.compile(r"[0-9a-f]{32}")
_PROPERTY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_TOLD = ("entities", "mentions", "facts", "aliases")


@dataclass(frozen=True, slots=True)
class Header:
    """What the file is; the model is that of the store, and of vectors if there are any."""

    stamp: EmbeddingStamp | None
    has_vectors: bool = False


@dataclass(frozen=True, slots=True)
class ReadMemory:
    """A memory as a file gives it; without chunks it has to be divided anew."""

    memory: MemoryRecord
    metadata: ParsedMetadata
    has_setting: bool
    chunks: tuple[ChunkPlace, ...] = ()
    more: Mapping[str, Value] = field(default_factory=dict)
    versions: tuple[Mapping[str, Value], ...] = ()
    told: Told | None = None


@dataclass(frozen=True, slots=True)
class KeptFact:
    """A fact that somebody has said to hold on."""

    id: str


@dataclass(frozen=True, slots=True)
class End:
    """How many memories and kept facts came before, and the hash of all those bytes."""

    memories: int
    kept_facts: int
    sha256: str


type Line = Header | ReadMemory | KeptFact | End


def write_line(line: Header | WholeMemory | KeptFact | End) -> bytes:
    """Write a line of an export, its end included."""
    match line:
        case Header(stamp, has_vectors):
            model = f"{stamp.model_id}/{stamp.dimension}" if stamp else None
            content: dict[str, Any] = {"format": _FORMAT, "version": FORMAT_VERSION}
            content |= {"model": model, "vectors": has_vectors}
        case WholeMemory():
            content = _memory_content(line)
        case KeptFact(fact_id):
            content = {"kept_fact": fact_id}
        case End(memories, kept_facts, sha256):
            content = {"end": {"memories": memories, "kept_facts": kept_facts, "sha256": sha256}}
    return orjson.dumps(content) + b"\n"


def read_line(line: bytes, dimension: int | None = None) -> Line:
    """Read a line of an export; raise ValidationError if it is not one.

    Vectors are read, and checked, only if their dimension is given.
    """
    try:
        content = orjson.loads(line)
        if "id" in content:
            return _read_memory(content, dimension)
        if "kept_fact" in content:
            return KeptFact(_hex_id(content["kept_fact"]))
        if "end" in content:
            end = content["end"]
            return End(int(end["memories"]), int(end["kept_facts"]), str(end["sha256"]))
        return _read_header(content)
    except ValidationError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as exc:
        raise ValidationError("the line", "is no line of a Zapomni export") from exc


def _memory_content(whole: WholeMemory) -> dict[str, Any]:
    memory, told = whole.memory, whole.told
    content: dict[str, Any] = {
        "id": public_id(memory.id),
        "text": memory.text,
        "created": _written(memory.created_ms),
        "timestamp": _written(memory.timestamp_ms),
        "metadata": orjson.Fragment(memory.metadata_json),
        "source": memory.source,
        "tags": memory.tags,
        "thread": memory.thread,
        "place": memory.place,
        "speaker": memory.speaker,
        "code": memory.is_code,
    }
    if memory.identity:
        content["identity"] = memory.identity
    if memory.expires_ms is not None:
        content["expires"] = _written(memory.expires_ms)
    if memory.is_pinned:
        content["pinned"] = True
    if memory.similar_to:
        content["similar_to"] = public_id(memory.similar_to)
    content["chunks"] = [_chunk_content(chunk) for chunk in whole.chunks]
    if whole.more:
        content["more"] = whole.more
    if whole.versions:
        content["history"] = whole.versions
    if told is not None:
        content["knowledge"] = {"extractor": told.extractor}
        content["knowledge"] |= {name: getattr(told, name) for name in _TOLD}
    return content


def _chunk_content(chunk: ChunkPlace) -> dict[str, Any]:
    content: dict[str, Any] = {"id": chunk.id, "start": chunk.start, "end": chunk.end}
    if chunk.vector is not None:
        raw = np.ascontiguousarray(chunk.vector, "<f4").tobytes()
        content["vector"] = b64encode(raw).decode()
    return content


def _read_header(content: dict[str, Any]) -> Header:
    if content["format"] != _FORMAT:
        raise ValidationError("the file", "is no Zapomni export")
    if content["version"] != FORMAT_VERSION:
        raise ValidationError(
            "the file",
            f"has version {content['version']} of the format; this Zapomni knows "
            f"{FORMAT_VERSION}. Upgrade Zapomni.",
        )
    stamp = None
    if (model := content["model"]) is not None:
        model_id, _, dimension = model.rpartition("/")
        stamp = EmbeddingStamp(model_id, int(dimension))
    return Header(stamp, bool(content["vectors"]))


def _read_memory(content: dict[str, Any], dimension: int | None) -> ReadMemory:
    metadata = parse_metadata(content.get("metadata"))
    text = parse_text(content["text"])
    timestamp_ms = _moment(content.get("timestamp") or content["created"])
    memory = MemoryRecord(
        id=_memory_id(content["id"]),
        text=text,
        created_ms=_moment(content["created"]),
        timestamp_ms=timestamp_ms,
        source=_string(content.get("source", metadata.source)),
        tags=tuple(_string(tag) for tag in content.get("tags", metadata.tags)),
        metadata_json=metadata.json,
        thread=_string(content.get("thread", "")),
        place=int(content.get("place", 0)),
        speaker=_string(content.get("speaker", "")),
        is_code=bool(content.get("code")),
        identity=_string(content.get("identity", "")),
        expires_ms=_moment(content["expires"]) if "expires" in content else None,
        is_pinned=bool(content.get("pinned")),
        similar_to=_memory_id(content["similar_to"]) if "similar_to" in content else None,
    )
    chunks = tuple(_read_chunk(each, text, dimension) for each in content.get("chunks", ()))
    if chunks and text != content["text"]:
        raise ValidationError("text", "must have no white space around it if chunks are given")
    told = _read_told(memory.id, content.get("knowledge"))
    return ReadMemory(
        memory=memory,
        metadata=metadata,
        has_setting="thread" in content,
        chunks=chunks,
        more=_properties(content.get("more", {})),
        versions=tuple(_properties(each) for each in content.get("history", ())),
        told=told,
    )


def _read_chunk(content: dict[str, Any], text: str, dimension: int | None) -> ChunkPlace:
    start, end = content["start"], content["end"]
    if not (type(start) is type(end) is int and 0 <= start < end <= len(text)):
        raise ValidationError("chunks", "must lie inside the text")
    vector = None
    if dimension is not None and "vector" in content:
        vector = _vector(content["vector"], dimension)
    return ChunkPlace(_hex_id(content["id"]), start, end, vector)


def _vector(encoded: str, dimension: int) -> Vector:
    vector = np.frombuffer(b64decode(encoded, validate=True), "<f4").astype(np.float32)
    if vector.shape != (dimension,) or not np.isfinite(vector).all() or not vector.any():
        raise ValidationError("vector", f"must be {dimension} numbers that are not all zero")
    return vector


def _read_told(memory_id: str, content: dict[str, Any] | None) -> Told | None:
    if content is None:
        return None
    told = Told(_string(content["extractor"]), *(list(content[name]) for name in _TOLD))
    knowledge = knowledge_of(memory_id, told)
    for known_id in [*(e.id for e in knowledge.entities), *(f.id for f in knowledge.facts)]:
        _hex_id(known_id)
    return told


def _properties(content: dict[str, Any]) -> Mapping[str, Value]:
    for name, value in content.items():
        many = value if isinstance(value, list) else [value]
        if not _PROPERTY.fullmatch(name) or not all(
            isinstance(each, str | int | float) for each in many
        ):
            raise ValidationError("more", "must map names to strings, numbers or lists of them")
        for each in many:
            if isinstance(each, str):
                _string(each)
    return content


def _string(value: object) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise ValidationError("the line", "has something else where a text belongs")
    return value


def _hex_id(value: object) -> str:
    if not isinstance(value, str) or not _HEX_ID.fullmatch(value):
        raise ValidationError("the line", "has an id that is not 32 hexadecimal digits")
    return value


def _memory_id(value: object) -> str:
    if not isinstance(value, str):
        raise ValidationError("id", "must be a text")
    return parse_memory_ids([value])[0]


def _written(milliseconds: int) -> str:
    return moment_of(milliseconds).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _moment(value: object) -> int:
    if not isinstance(value, str):
        raise ValidationError("created", "must be an ISO 8601 time")
    moment = parse_as_of(value)
    assert moment is not None
    return moment


def fresh_chunk_id(memory_id: str, index: int) -> str:
    """Name a chunk of a memory that is divided anew, always the same way."""
    return uuid.uuid5(uuid.UUID(memory_id), str(index)).hex
