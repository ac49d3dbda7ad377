"""The built-in model as an embedder: its work runs in the shared executor."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor

from zapomni_core.embedding.builtin import PREFIXES, BuiltinModel
from zapomni_core.embedding.protocol import Role, Vectors

__all__ = ["LocalEmbedder"]


class LocalEmbedder:
    """Embeds on this machine, in this process, off the event loop."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._model = BuiltinModel()

    @property
    def model_id(self) -> str:
        """Name of the model, stamped in the store."""
        return self._model.model_id

    @property
    def max_tokens(self) -> int:
        """Longest text that the model reads whole, in its own tokens."""
        return self._model.max_tokens

    async def dimension(self) -> int:
        """Return the length of the vectors, after loading the model."""
        await asyncio.get_running_loop().run_in_executor(self._executor, self._model.warm)
        return self._model.dimension

    def count_tokens(self, text: str) -> int:
        """Count the tokens of a text."""
        return self._model.count_tokens(text)

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return one unit vector per text."""
        loop = asyncio.get_running_loop()
        work = self._model.encode
        return await loop.run_in_executor(self._executor, work, texts, PREFIXES[role])

    async def close(self) -> None:
        """Release nothing: the model lives as long as the process."""
