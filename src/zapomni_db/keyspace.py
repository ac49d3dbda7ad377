"""The database keys of one workspace; the shared hash tag keeps them on one cluster node."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["CodeKeys", "Keyspace"]

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")


@dataclass(frozen=True, slots=True)
class CodeKeys:
    """Names every key of one repository's code index."""

    root: str

    @property
    def graph(self) -> str:
        """The graph of files, symbols and what they refer to."""
        return f"{self.root}:graph"

    @property
    def facts(self) -> str:
        """The hash of what was read out of each file, by path."""
        return f"{self.root}:facts"

    @property
    def words(self) -> str:
        """The hash of the search terms of each version of a file."""
        return f"{self.root}:words"

    @property
    def changes(self) -> str:
        """The stream that tells which versions of files came and went."""
        return f"{self.root}:changes"

    def vectors(self, model_id: str) -> str:
        """The vector set of one embedding model."""
        return f"{self.root}:vectors:{model_id}"


@dataclass(frozen=True, slots=True)
class Keyspace:
    """Names every key of a workspace."""

    graph_name: str
    workspace: str = "default"

    def __post_init__(self) -> None:
        for name in (self.graph_name, self.workspace):
            if not _NAME.fullmatch(name):
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

    @property
    def code_repositories(self) -> str:
        """The hash that says which repositories have a code index."""
        return f"{self._tag}:code:repos"

    def code(self, repository_id: str) -> CodeKeys:
        """The keys of one repository's code index."""
        if not _NAME.fullmatch(repository_id):
            raise ValueError("a repository id takes letters, digits and _ . - only")
        return CodeKeys(f"{self._tag}:code:{repository_id}")
