"""The life of single memories: stored once, read, listed, changed, deleted, cleaned up."""

from zapomni_core.life.adding import Adding
from zapomni_core.life.memories import Life
from zapomni_core.life.writing import Writer

__all__ = ["Adding", "Life", "Writer"]
