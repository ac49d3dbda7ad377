"""Fill a memory with thousands of notes in seconds: an export is written and imported.

Texts, words and names are real. Most vectors are blurred copies of real ones: to embed five
thousand texts and to read them for names would take minutes.
"""

from __future__ import annotations

import hashlib
import uuid
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from zapomni_model_small import DIMENSION, MODEL_ID

from tests.page.corpus import HOSTILE, Note, hostile_notes, notes
from zapomni_core import MemoryEngine, Settings
from zapomni_core.embedding.builtin import BuiltinModel
from zapomni_core.embedding.bundled import bundled_model
from zapomni_core.knowledge.names.keys import entity_id, name_key
from zapomni_db import Vector

__all__ = ["fill"]

_REAL_VECTORS = 200
_SPACE = uuid.UUID("5f0c2a52-7a1e-4a53-9d0a-1f5c8a3c7b10")
_HEADER = {"format": "zapomni-export", "version": 1, "model": f"{MODEL_ID}/{DIMENSION}"}


async def fill(settings: Settings, count: int, about_people: int) -> None:
    """Store `count` memories, some of them about people whom the graph knows."""
    made = [*notes(count - len(HOSTILE), about_people), *hostile_notes()]
    async with MemoryEngine(settings) as engine:
        extractor = (await engine.graph_status()).extractor
        path = settings.data_dir / "notes.jsonl"
        _write(path, made, extractor)
        await engine.import_memories(path)
    path.unlink()


def _write(path: Path, made: Sequence[Note], extractor: str) -> None:
    lines = [_line(_HEADER | {"vectors": True})]
    for number, (note, vector) in enumerate(zip(made, _vectors(made), strict=True)):
        lines.append(_line(_content(number, note, vector, extractor)))
    body = b"".join(lines)
    end = {"memories": len(made), "kept_facts": 0, "sha256": hashlib.sha256(body).hexdigest()}
    path.write_bytes(body + _line({"end": end}))


def _content(number: int, note: Note, vector: Vector, extractor: str) -> dict[str, Any]:
    moment = note.moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    chunk_id, raw = uuid.uuid5(_SPACE, f"chunk {number}").hex, vector.astype("<f4").tobytes()
    content: dict[str, Any] = {
        "id": str(uuid.uuid5(_SPACE, str(number))),
        "text": note.text,
        "created": moment,
        "timestamp": moment,
        "metadata": {"source": note.source, "tags": list(note.tags), "timestamp": moment},
        "chunks": [
            {"id": chunk_id, "start": 0, "end": len(note.text), "vector": b64encode(raw).decode()}
        ],
    }
    if note.named:
        content["knowledge"] = {"extractor": extractor, **_knowledge(note, chunk_id)}
    return content


def _knowledge(note: Note, chunk_id: str) -> dict[str, Any]:
    ids = {name: entity_id(name_key(name)) for name, _ in note.named}
    starts = {name: note.text.index(name) for name in ids}
    place = (chunk_id, 0, len(note.text))
    said = int(note.moment.timestamp() * 1000)
    return {
        "entities": [[ids[name], name_key(name)] for name in ids],
        "mentions": [
            [chunk_id, ids[name], name, kind, 0.97, [starts[name], starts[name] + len(name)]]
            for name, kind in note.named
        ],
        "facts": [
            (_fact_id(*fact), ids[fact[0]], fact[1], ids[fact[2]], 0.9, *place, said, None, None)
            for fact in note.facts
        ],
        "aliases": [],
    }


def _fact_id(subject: str, predicate: str, object_: str) -> str:
    return uuid.uuid5(_SPACE, f"{subject} {predicate} {object_}").hex


def _vectors(made: Sequence[Note]) -> Sequence[Vector]:
    texts = [note.text for note in made]
    first = BuiltinModel(bundled_model()).encode(texts[:_REAL_VECTORS], "passage")
    chance = np.random.default_rng(0)
    # Blurred, so that the real ones are found: copies of few would crowd them out.
    others = first[chance.integers(0, len(first), len(texts) - len(first))]
    others += chance.normal(0, 0.1, others.shape).astype(np.float32)
    others /= np.linalg.norm(others, axis=1, keepdims=True)
    return [*first, *others]


def _line(content: dict[str, Any]) -> bytes:
    return orjson.dumps(content) + b"\n"
