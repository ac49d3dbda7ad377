"""The knowledge graph: entities, the chunks that mention them, and what is stated about them."""

from zapomni_db.knowledge.whole import Knowledge

__all__ = ["Knowledge"]
