"""Remember recent embeddings by content, so that a repeated text is not embedded again."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from zapomni_core.embedding.protocol import Embedder, Role, Vectors

__all__ = ["CachedEmbedder"]


class CachedEmbedder:
    """An embedder with a least-recently-used cache in front of it."""

    def __init__(self, embedder: Embedder, capacity: int) -> None:
        self._embedder = embedder
        self._capacity = capacity
        self._vectors: OrderedDict[bytes, Vectors] = OrderedDict()
        self.hits = 0
        self.misses = 0

    @property
    def model_id(self) -> str:
        """Name of the model, stamped in the store."""
        return self._embedder.model_id

    @property
    def max_tokens(self) -> int:
        """Longest text that the model reads whole, in its own tokens."""
        return self._embedder.max_tokens

    @property
    def hit_rate(self) -> float | None:
        """Share of texts that needed no embedding; None before the first one."""
        asked = self.hits + self.misses
        return self.hits / asked if asked else None

    async def dimension(self) -> int:
        """Return the length of the vectors."""
        return await self._embedder.dimension()

    def count_tokens(self, text: str) -> int:
        """Count or estimate the tokens of a text."""
        return self._embedder.count_tokens(text)

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return one row per text, embedding only what is not known."""
        keys = [_key(text, role) for text in texts]
        found = {key: self._vectors[key] for key in keys if key in self._vectors}
        unknown = {k: text for k, text in zip(keys, texts, strict=True) if k not in found}
        if unknown:
            fresh = await self._embedder.embed(list(unknown.values()), role)
            found |= dict(zip(unknown, fresh, strict=True))
        self.hits += len(keys) - len(unknown)
        self.misses += len(unknown)
        self._remember(found)
        return np.stack([found[key] for key in keys])

    async def close(self) -> None:
        """Release the embedder and forget everything."""
        self._vectors.clear()
        await self._embedder.close()

    def _remember(self, vectors: dict[bytes, Vectors]) -> None:
        for key, vector in vectors.items():
            # A row of a batch is a view that would keep the whole batch alive.
            self._vectors[key] = self._vectors.get(key, vector.copy())
            self._vectors.move_to_end(key)
        while len(self._vectors) > self._capacity:
            self._vectors.popitem(last=False)


def _key(text: str, role: Role) -> bytes:
    return hashlib.blake2b(text.encode("utf-8"), digest_size=16, salt=role.encode()).digest()
