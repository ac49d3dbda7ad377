"""Find memories: words, vectors, circumstances, and how they are joined."""

from zapomni_core.retrieval.excerpt import excerpt
from zapomni_core.retrieval.index import WordIndex
from zapomni_core.retrieval.lexicon import Filters
from zapomni_core.retrieval.recipe import Recipe, recipe_for
from zapomni_core.retrieval.search import Hit, Searcher

__all__ = ["Filters", "Hit", "Recipe", "Searcher", "WordIndex", "excerpt", "recipe_for"]
