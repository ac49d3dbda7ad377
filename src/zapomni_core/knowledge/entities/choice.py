"""Choose what finds the names."""

from concurrent.futures import Executor
from typing import Literal

from zapomni_core.knowledge.entities.spacy import SpacyExtractor
from zapomni_core.knowledge.entities.tagger import TaggerExtractor
from zapomni_core.knowledge.model import EntityExtractor

__all__ = ["open_extractor"]


def open_extractor(choice: Literal["builtin", "spacy"], executor: Executor) -> EntityExtractor:
    """Return the extractor that is wanted; its work runs in the executor."""
    return SpacyExtractor(executor) if choice == "spacy" else TaggerExtractor(executor)
