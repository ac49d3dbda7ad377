"""Find memories: words, vectors, and how they are joined."""

from zapomni_core.retrieval.excerpt import excerpt
from zapomni_core.retrieval.fusion import similarity_scale
from zapomni_core.retrieval.index import WordIndex
from zapomni_core.retrieval.lexicon import Filters
from zapomni_core.retrieval.search import Hit, Searcher

__all__ = ["Filters", "Hit", "Searcher", "WordIndex", "excerpt", "similarity_scale"]
