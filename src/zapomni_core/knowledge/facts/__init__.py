"""Facts that texts state, read by patterns over the names in a sentence."""

from zapomni_core.knowledge.facts.reading import Reading, claims_of

__all__ = ["Reading", "claims_of"]
