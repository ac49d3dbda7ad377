"""Embed text on the CPU with a model whose files lie on this machine."""

import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zapomni_core.embedding.bundled import BundledModel
from zapomni_core.embedding.protocol import Role, Vectors
from zapomni_core.embedding.runtime import ort
from zapomni_core.embedding.wordpiece import WordPiece

__all__ = ["BuiltinModel", "Tokens", "open_session", "padded"]

MOST_DEFAULT_THREADS = 4
# Larger batches are not faster (2 threads: 6.8 ms for each text of 14 tokens in batches of
# 448 and of 1792 tokens) and leave the process larger after texts of 512 tokens: 299 MB with
# batches of 4096 tokens, 142 MB with these.
BATCH_TOKENS = 512


class Tokens(NamedTuple):
    """A text for label(): its tokens, and how the word of each is written."""

    ids: list[int]
    cases: list[int]


class BuiltinModel:
    """Turn texts into unit vectors; loads on first use, safe to share between threads."""

    def __init__(self, files: BundledModel, threads: int | None = None) -> None:
        """Use this many threads for one batch, by default one for each core up to 4."""
        self._files = files
        self._threads = threads or min(os.cpu_count() or 1, MOST_DEFAULT_THREADS)
        self._lock = threading.Lock()
        self._tokenizer: WordPiece | None = None
        self._session: ort.InferenceSession | None = None

    @property
    def tokenizer(self) -> WordPiece:
        """Return the tokenizer; reading it does not load the model."""
        with self._lock:
            if self._tokenizer is None:
                self._tokenizer = WordPiece(self._files.vocab_path)
            return self._tokenizer

    def warm(self) -> None:
        """Load what encode() needs."""
        self.encode([""], "query")

    def encode(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return one unit vector for each text, in order; what the model cannot read is cut."""
        tokenizer, prefix = self.tokenizer, self._files.prefix(role)
        token_ids = [tokenizer.encode(prefix + text, self._files.max_tokens) for text in texts]
        vectors = np.empty((len(texts), self._files.dimension), np.float32)
        for batch in _batches([len(ids) for ids in token_ids]):
            vectors[batch] = self._encode_batch([token_ids[index] for index in batch])
        return vectors

    def label(self, texts: Sequence[Tokens]) -> list[Vectors]:
        """Return the probabilities of all labels for each token; only some models can."""
        probabilities: list[Vectors] = [np.empty((0, 0), np.float32)] * len(texts)
        for batch in _batches([len(text.ids) for text in texts]):
            chosen = [texts[index] for index in batch]
            feed = padded([text.ids for text in chosen])
            feed["cases"] = padded([text.cases for text in chosen])["input_ids"]
            rows = self._loaded_session().run(["labels"], feed)[0]
            for index, row, text in zip(batch, rows, chosen, strict=True):
                probabilities[index] = row[: len(text.ids)]
        return probabilities

    def _encode_batch(self, token_ids: list[list[int]]) -> Vectors:
        session, feed = self._loaded_session(), padded(token_ids)
        if any(each.name == "cases" for each in session.get_inputs()):
            feed["cases"] = np.zeros_like(feed["input_ids"])
        vectors: Vectors = session.run(["embedding"], feed)[0]
        return vectors

    def _loaded_session(self) -> ort.InferenceSession:
        with self._lock:
            if self._session is None:
                self._session = open_session(self._files.model_path, self._threads)
            return self._session


def padded(token_ids: Sequence[Sequence[int]]) -> dict[str, NDArray[np.int64]]:
    """Line up texts of different lengths, and say where each ends."""
    shape = (len(token_ids), max(map(len, token_ids)))
    padded, mask = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for row, ids in enumerate(token_ids):
        padded[row, : len(ids)] = ids
        mask[row, : len(ids)] = 1
    return {"input_ids": padded, "attention_mask": mask}


def open_session(path: Path, threads: int) -> ort.InferenceSession:
    """Load a model for the CPU."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    # Spinning threads wait for work at full speed: 20 queries in 2 s cost 1.46 s of CPU
    # with spinning, 0.34 s without.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Group the indexes of texts of similar length, within the bound of padded tokens."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and lengths[index] * (len(batch) + 1) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
