"""Read a question and a text together: a cross-encoder that the user brings."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path
from threading import Lock

import numpy as np

from zapomni_core.embedding.builtin import open_session, padded
from zapomni_core.embedding.runtime import ort
from zapomni_core.embedding.wordpiece import WordPiece
from zapomni_core.errors import ConfigurationError

__all__ = ["CrossEncoder"]

_QUESTION_TOKENS, _MOST_TOKENS = 130, 512
_TEXTS_PER_BATCH = 4
_KNOWN_INPUTS = {"input_ids", "attention_mask", "token_type_ids"}


class CrossEncoder:
    """Judges texts in the shared executor; the model loads on first use.

    Its folder holds `model.onnx`, which gives one number for a pair of texts, and the
    `vocab.txt` of an uncased BERT.
    """

    def __init__(self, folder: Path, executor: Executor) -> None:
        self._folder = folder
        self._executor = executor
        self._lock = Lock()
        self._opened: tuple[WordPiece, ort.InferenceSession] | None = None

    async def judge(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return from 0 to 1 how well each text answers the question."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, self._judge, question, texts)

    def _judge(self, question: str, texts: Sequence[str]) -> list[float]:
        tokenizer, session = self._open()
        asked = tokenizer.encode(question, _QUESTION_TOKENS)
        # The text follows the question, without a beginning of its own.
        rest = _MOST_TOKENS - len(asked) + 1
        pairs = [asked + tokenizer.encode(text, rest)[1:] for text in texts]
        order = sorted(range(len(pairs)), key=lambda index: len(pairs[index]))
        judged = np.zeros(len(pairs))
        for first in range(0, len(order), _TEXTS_PER_BATCH):
            batch = order[first : first + _TEXTS_PER_BATCH]
            judged[batch] = _judge_batch(session, [pairs[index] for index in batch], len(asked))
        return [float(value) for value in judged]

    def _open(self) -> tuple[WordPiece, ort.InferenceSession]:
        with self._lock:
            if self._opened is None:
                session = open_session(self._folder / "model.onnx", threads=2)
                unknown = {each.name for each in session.get_inputs()} - _KNOWN_INPUTS
                if unknown:
                    raise ConfigurationError(
                        f"RERANKER_MODEL: the model wants {', '.join(sorted(unknown))}; only "
                        f"{', '.join(sorted(_KNOWN_INPUTS))} can be given."
                    )
                self._opened = WordPiece(self._folder / "vocab.txt"), session
            return self._opened


def _judge_batch(
    session: ort.InferenceSession, pairs: list[list[int]], asked: int
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    feed = padded(pairs)
    segments = np.zeros_like(feed["input_ids"])
    segments[:, asked:] = feed["attention_mask"][:, asked:]
    feed["token_type_ids"] = segments
    wanted = {each.name for each in session.get_inputs()}
    logits = session.run(None, {name: feed[name] for name in wanted})[0]
    return 1.0 / (1.0 + np.exp(-np.asarray(logits, np.float64).reshape(len(pairs))))
