"""Find names with the tagging head of the built-in model, which the embedder loads anyway."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor

from zapomni_model_small import LABELS

from zapomni_core.embedding.bundled import bundled_model
from zapomni_core.embedding.local import shared_model
from zapomni_core.knowledge.entities.decoding import Decoder
from zapomni_core.knowledge.entities.merging import with_rules
from zapomni_core.knowledge.entities.windows import WindowCutter
from zapomni_core.knowledge.model import Mention

__all__ = ["TaggerExtractor"]

# Changes whenever the same model finds other names, so that graphs are built anew.
VERSION = 1


class TaggerExtractor:
    """Finds names on this machine, in this process, off the event loop."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._files = bundled_model()
        self._model = shared_model(self._files)
        self._decoder = Decoder(LABELS)

    @property
    def name(self) -> str:
        """Name of the model, and of what is done with its output."""
        return f"{self._files.model_id}-names-{VERSION}"

    async def extract_entities(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Return the mentions of each text, in order, none inside another."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, self._extract_entities_sync, texts)

    def _extract_entities_sync(self, texts: Sequence[str]) -> list[list[Mention]]:
        return [
            with_rules(text, mentions)
            for text, mentions in zip(texts, self._tagged(texts), strict=True)
        ]

    def _tagged(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Return what the model alone says."""
        files = self._files
        cutter = WindowCutter(self._model.tokenizer, files.passage_prefix, files.max_tokens)
        windows = [
            (place, window) for place, text in enumerate(texts) for window in cutter.cut(text)
        ]
        labelled = self._model.label([window.tokens for _, window in windows])
        found: list[list[Mention]] = [[] for _ in texts]
        for (place, window), rows in zip(windows, labelled, strict=True):
            read = rows[window.places]
            found[place] += self._decoder.mentions(texts[place], window.words, read)
        return found
