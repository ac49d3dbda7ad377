"""Every read and write of one repository's code index in one object."""

from __future__ import annotations

from zapomni_db.code.bulk import BulkGraph
from zapomni_db.code.census import Census
from zapomni_db.code.edges import Edges
from zapomni_db.code.embeddings import Embeddings
from zapomni_db.code.files import Files
from zapomni_db.connection import Connection
from zapomni_db.keyspace import CodeKeys
from zapomni_db.vectors import Vectors

__all__ = ["CodeIndex"]


class CodeIndex(Files, Edges, Census, Embeddings):
    """All of a repository: one writer at a time, any number of readers."""

    def __init__(self, connection: Connection, keys: CodeKeys, vectors: Vectors | None) -> None:
        graph = BulkGraph(connection, keys.graph)
        Files.__init__(self, connection, graph, keys)
        Embeddings.__init__(self, connection, graph, keys.words, vectors)
