"""Every read and write of one repository's code index in one object."""

from __future__ import annotations

from zapomni_db.code.census import Census
from zapomni_db.code.edges import Edges
from zapomni_db.code.embeddings import Embeddings
from zapomni_db.code.files import Files

__all__ = ["CodeIndex"]


class CodeIndex(Files, Edges, Census, Embeddings):
    """All of a repository: one writer at a time, any number of readers."""
