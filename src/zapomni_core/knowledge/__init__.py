"""Knowledge in texts: names, facts, and when they hold."""

from zapomni_core.knowledge.entities.choice import open_extractor
from zapomni_core.knowledge.facts.predicates import PREDICATES
from zapomni_core.knowledge.graph import KnowledgeGraph
from zapomni_core.knowledge.language_model import LanguageModel
from zapomni_core.knowledge.results import (
    EntityDetails,
    Evidence,
    ExportFormat,
    GraphBuilt,
    GraphExport,
    GraphStatus,
    Related,
    Relation,
)

__all__ = [
    "PREDICATES",
    "EntityDetails",
    "Evidence",
    "ExportFormat",
    "GraphBuilt",
    "GraphExport",
    "GraphStatus",
    "KnowledgeGraph",
    "LanguageModel",
    "Related",
    "Relation",
    "open_extractor",
]
