"""What the engine expects of an embedding model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Embedder", "Role", "Vectors"]

type Vectors = NDArray[np.float32]
type Role = Literal["passage", "query"]


class Embedder(Protocol):
    """Turns texts into unit vectors; texts to find and questions may be embedded differently."""

    @property
    def model_id(self) -> str:
        """Name of the model, stamped in the store."""

    @property
    def max_tokens(self) -> int:
        """Longest text that the model reads whole, in its own tokens."""

    async def dimension(self) -> int:
        """Return the length of its vectors, loading the model if need be."""

    def count_tokens(self, text: str) -> int:
        """Count or estimate the tokens of a text."""

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return one row per text."""

    async def close(self) -> None:
        """Release what the embedder holds."""
