"""Have a language model read what the rules have read, for as long as it answers."""

from __future__ import annotations

from collections.abc import Sequence

import structlog

from zapomni_core.errors import LanguageModelUnavailable
from zapomni_core.knowledge.facts import Reading
from zapomni_core.knowledge.language_model import LanguageModel
from zapomni_core.knowledge.statements import with_statements

__all__ = ["SecondReader"]

# One text that is too much for a model must not end the reading of all others, and a service
# that is gone must not be waited for once for each of them.
_FAILURES_IN_A_ROW = 3

_log = structlog.get_logger()


class SecondReader:
    """Reads along in one job; `problem` says why it did not read everything."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._failures = 0
        self.problem = ""
        self.out_of_form = 0

    @property
    def name(self) -> str:
        """Name of the model."""
        return self._model.model

    async def read(
        self, texts: Sequence[str], readings: Sequence[Reading]
    ) -> tuple[list[Reading], bool]:
        """Return the readings with what the model adds, and whether it has read every text."""
        joined = [
            await self._read(text, reading) for text, reading in zip(texts, readings, strict=True)
        ]
        is_complete = None not in joined
        return [new or old for new, old in zip(joined, readings, strict=True)], is_complete

    async def _read(self, text: str, reading: Reading) -> Reading | None:
        if self._failures >= _FAILURES_IN_A_ROW:
            return None
        try:
            statements = await self._model.statements(text)
        except LanguageModelUnavailable as exc:
            self._failures += 1
            self.problem = str(exc)
            _log.warning("language_model_failed", error=self.problem)
            return None
        self._failures = 0
        self.out_of_form += statements is None
        return with_statements(text, reading, statements or [])
