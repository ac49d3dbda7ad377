"""Run constant Cypher with written parameters on one graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import LiteralString

from zapomni_db.connection import Command, Connection
from zapomni_db.cypher import Value, with_parameters
from zapomni_db.replies import Row, rows

__all__ = ["Graph"]


class Graph:
    """A named graph in the database."""

    def __init__(self, connection: Connection, key: str) -> None:
        self._connection = connection
        self._key = key

    async def read(self, query: LiteralString, /, **parameters: Value) -> list[Row]:
        """Run a query that changes nothing; an absent graph is an empty one."""
        return rows(await self._connection.execute(*self.reading(query, parameters)))

    async def write(self, query: LiteralString, /, **parameters: Value) -> list[Row]:
        """Run a query that changes the graph."""
        return rows(await self._connection.execute(*self.command(query, parameters)))

    def reading(self, query: LiteralString, parameters: Mapping[str, Value]) -> Command:
        """Build the read as a command for a pipeline."""
        return ("GRAPH.RO_QUERY", self._key, with_parameters(query, parameters), "--compact")

    def command(self, query: LiteralString, parameters: Mapping[str, Value]) -> Command:
        """Build the write as a command for a transaction."""
        return ("GRAPH.QUERY", self._key, with_parameters(query, parameters), "--compact")
