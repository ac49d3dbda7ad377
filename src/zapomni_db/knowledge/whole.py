"""Every read and write of the knowledge graph in one object."""

from __future__ import annotations

from zapomni_db.connection import Connection
from zapomni_db.graph import Graph
from zapomni_db.knowledge.building import Building
from zapomni_db.knowledge.census import Census
from zapomni_db.knowledge.names import Names
from zapomni_db.knowledge.relations import Relations

__all__ = ["Knowledge"]


class Knowledge(Building, Names, Relations, Census):
    """All writes and reads of the knowledge graph."""

    def __init__(self, connection: Connection, graph: Graph) -> None:
        Building.__init__(self, connection, graph)
