"""Call the same thing by the same name."""

from zapomni_core.knowledge.names.keys import entity_id, name_key
from zapomni_core.knowledge.names.naming import name_mentions

__all__ = ["entity_id", "name_key", "name_mentions"]
