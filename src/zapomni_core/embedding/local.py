"""A bundled model as an embedder: its work runs in the shared executor."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from functools import cache

from zapomni_core.embedding.builtin import BuiltinModel
from zapomni_core.embedding.bundled import BundledModel
from zapomni_core.embedding.protocol import Role, Vectors

__all__ = ["LocalEmbedder", "shared_model"]


@cache
def shared_model(files: BundledModel) -> BuiltinModel:
    """Return the one model of this process that has these files."""
    return BuiltinModel(files)


class LocalEmbedder:
    """Embeds on this machine, in this process, off the event loop."""

    def __init__(self, executor: Executor, files: BundledModel) -> None:
        self._executor = executor
        self._files = files
        self._model = shared_model(files)
        self._loading: Future[None] | None = None

    @property
    def model_id(self) -> str:
        """Name of the model, stamped in the store."""
        return self._files.model_id

    @property
    def max_tokens(self) -> int:
        """Longest text that the model reads whole, in its own tokens."""
        return self._files.max_tokens

    def load(self) -> Future[None]:
        """Begin to load the model, if this was not done before."""
        if self._loading is None:
            self._loading = self._executor.submit(self._model.warm)
        return self._loading

    async def dimension(self) -> int:
        """Return the length of the vectors, after loading the model."""
        await asyncio.wrap_future(self.load())
        return self._files.dimension

    def count_tokens(self, text: str) -> int:
        """Count the tokens of a text."""
        return self._model.tokenizer.count(text)

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return one unit vector per text."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, self._model.encode, texts, role)

    async def close(self) -> None:
        """Release nothing: the model lives as long as the process."""
