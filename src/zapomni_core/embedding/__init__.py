"""Embedding models behind one protocol: the built-in one and Ollama."""

from zapomni_core.embedding.cache import CachedEmbedder
from zapomni_core.embedding.choice import open_embedder
from zapomni_core.embedding.crossing import CrossEncoder
from zapomni_core.embedding.protocol import Embedder, Role, Vectors

__all__ = ["CachedEmbedder", "CrossEncoder", "Embedder", "Role", "Vectors", "open_embedder"]
