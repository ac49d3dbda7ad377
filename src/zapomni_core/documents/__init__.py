"""Read documents of many kinds into text that knows where it stands."""

from zapomni_core.documents.finding import (
    FoundDocument,
    FoundDocuments,
    LeftOut,
    find_documents,
)
from zapomni_core.documents.isolation import DocumentReader
from zapomni_core.documents.model import Document, DocumentLimits, DocumentRefused, Section
from zapomni_core.documents.reading import file_content, read_document

__all__ = [
    "Document",
    "DocumentLimits",
    "DocumentReader",
    "DocumentRefused",
    "FoundDocument",
    "FoundDocuments",
    "LeftOut",
    "Section",
    "file_content",
    "find_documents",
    "read_document",
]
