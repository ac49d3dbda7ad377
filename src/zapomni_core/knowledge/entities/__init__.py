"""Find the names in a text: a model for what needs reading, rules for what has a form."""

from zapomni_core.knowledge.entities.choice import open_extractor
from zapomni_core.knowledge.entities.spacy import SpacyExtractor
from zapomni_core.knowledge.entities.tagger import TaggerExtractor

__all__ = ["SpacyExtractor", "TaggerExtractor", "open_extractor"]
