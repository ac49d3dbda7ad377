"""Keep embeddings on disk, so that a text is embedded once and not once a run."""

from __future__ import annotations

import fcntl
import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from zapomni_core.embedding import Embedder, Role, Vectors

__all__ = ["StoredEmbedder"]

_KEY_BYTES = 16


class StoredEmbedder:
    """An embedder that looks into a file first and adds to it what it did not find.

    Any number of processes may share the file; each sees what was there when it first looked.
    """

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self._embedder = embedder
        self._path = folder / f"{re.sub(r'[^\w.-]', '_', embedder.model_id)}.vectors"
        self._vectors: dict[bytes, Vectors] | None = None

    @property
    def model_id(self) -> str:
        """Name of the model, stamped in the store."""
        return self._embedder.model_id

    @property
    def max_tokens(self) -> int:
        """Longest text that the model reads whole, in its own tokens."""
        return self._embedder.max_tokens

    async def dimension(self) -> int:
        """Return the length of the vectors."""
        return await self._embedder.dimension()

    def count_tokens(self, text: str) -> int:
        """Count or estimate the tokens of a text."""
        return self._embedder.count_tokens(text)

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return one row per text, embedding only what was never embedded before."""
        if self._vectors is None:
            self._vectors = _read(self._path, await self.dimension())
        keys = [self._key(text, role) for text in texts]
        unknown = {
            key: text for key, text in zip(keys, texts, strict=True) if key not in self._vectors
        }
        if unknown:
            fresh = await self._embedder.embed(list(unknown.values()), role)
            found = dict(zip(unknown, fresh.astype(np.float32), strict=True))
            _append(self._path, found.items())
            self._vectors |= found
        return np.stack([self._vectors[key] for key in keys])

    async def close(self) -> None:
        """Release nothing: one embedder serves many engines, and each closes it."""

    def _key(self, text: str, role: Role) -> bytes:
        content = f"{self.model_id}\0{role}\0{text}".encode()
        return hashlib.blake2b(content, digest_size=_KEY_BYTES).digest()


def _read(path: Path, dimension: int) -> dict[bytes, Vectors]:
    path.parent.mkdir(parents=True, exist_ok=True)
    entry = np.dtype([("key", f"V{_KEY_BYTES}"), ("vector", np.float32, (dimension,))])
    with path.open("ab+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        size = file.tell()
        # What a killed process left half written would shift everything that follows.
        file.truncate(size - size % entry.itemsize)
        file.seek(0)
        entries = np.frombuffer(file.read(), entry)
    return {
        key.tobytes(): vector
        for key, vector in zip(entries["key"], entries["vector"], strict=True)
    }


def _append(path: Path, vectors: Iterable[tuple[bytes, Vectors]]) -> None:
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(b"".join(key + vector.tobytes() for key, vector in vectors))
