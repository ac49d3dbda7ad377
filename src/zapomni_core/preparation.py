"""Turn a text into chunks with their search terms: the CPU work before embedding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from zapomni_core.chunking import ChunkLimits, split_text
from zapomni_core.retrieval.terms import document_terms
from zapomni_core.setting import Setting

__all__ = ["PreparedChunk", "chunk_limits", "prepare_chunks"]

# Long enough for a thought, short enough that one vector can stand for it.
_CHUNK_TOKENS = 256
_OVERLAP_TOKENS = 32
# Room for the model's own marks and the prefix that some models want.
_RESERVED_TOKENS = 16


@dataclass(frozen=True, slots=True)
class PreparedChunk:
    """A chunk that waits for its vector."""

    start: int
    end: int
    text: str
    terms: str
    embedded: str


def chunk_limits(model_tokens: int) -> ChunkLimits:
    """Return the limits of a chunk for a model's window."""
    max_tokens = min(_CHUNK_TOKENS, model_tokens - _RESERVED_TOKENS)
    return ChunkLimits(max_tokens=max_tokens, overlap_tokens=min(_OVERLAP_TOKENS, max_tokens // 4))


def prepare_chunks(
    text: str,
    count_tokens: Callable[[str], int],
    limits: ChunkLimits,
    language: str | None,
    setting: Setting,
) -> list[PreparedChunk]:
    """Split a text, find the terms of every piece, and say what of it to embed."""
    return [
        PreparedChunk(
            start=span.start,
            end=span.end,
            text=part,
            terms=" ".join(document_terms(setting.to_index(part))),
            embedded=setting.to_embed(part, span.start),
        )
        for span in split_text(text, count_tokens, limits, language)
        for part in (text[span.start : span.end],)
    ]
