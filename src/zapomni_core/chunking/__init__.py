"""Split text by its structure into spans that fit an embedding model's window."""

from zapomni_core.chunking.language import is_code
from zapomni_core.chunking.spans import ChunkLimits, Span
from zapomni_core.chunking.splitting import split_text

__all__ = ["ChunkLimits", "Span", "is_code", "split_text"]
