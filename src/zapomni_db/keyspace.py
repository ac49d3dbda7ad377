"""The database keys of one workspace; the shared hash tag keeps them on one cluster node."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Keyspace"]


@dataclass(frozen=True, slots=True)
class Keyspace:
    """Names every key of a workspace."""

    graph_name: str
    workspace: str = "default"

    def __post_init__(self) -> None:
        for name in (self.graph_name, self.workspace):
            if not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", name):
                raise ValueError("a graph or workspace name takes letters, digits and _ . - only")

    @property
    def _tag(self) -> str:
        return f"{{{self.graph_name}:{self.workspace}}}"

    @property
    def graph(self) -> str:
        """The graph of memories, chunks and, later, entities."""
        return f"{self._tag}:graph"

    @property
    def changes(self) -> str:
        """The stream that tells other processes what changed."""
        return f"{self._tag}:changes"

    @property
    def about(self) -> str:
        """The hash that says which schema and which model wrote the store."""
        return f"{self._tag}:about"

    @property
    def kept_facts(self) -> str:
        """The set of facts that somebody has said to hold on, whatever seems to replace them."""
        return f"{self._tag}:kept"

    def vectors(self, model_id: str) -> str:
        """The vector set of one embedding model."""
        return f"{self._tag}:vectors:{model_id}"
