"""The database keys of one workspace; the shared hash tag keeps them on one cluster node."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["DEFAULT_WORKSPACE", "CodeKeys", "Keyspace", "check_name"]

DEFAULT_WORKSPACE = "default"
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def check_name(name: str) -> str:
    """Refuse what cannot be the name of a graph or a workspace."""
    if not _NAME.fullmatch(name):
        raise ValueError("a graph or workspace name takes 1-64 letters, digits and _ . - only")
    return name


class CodeKeys(NamedTuple):
    """Names every key of one repository's code index."""

    root: str

    @property
    def graph(self) -> str:
        """The graph of what refers to what."""
        return f"{self.root}:graph"

    @property
    def stamps(self) -> str:
        """The hash of what is known of each file, by path."""
        return f"{self.root}:stamps"

    @property
    def due(self) -> str:
        """The set of paths whose edges are still to be written."""
        return f"{self.root}:due"

    @property
    def held(self) -> str:
        """The hash of the symbols of each file, by path: their keys, one after another."""
        return f"{self.root}:held"

    @property
    def symbols(self) -> str:
        """The hash of what is known of each symbol, by key."""
        return f"{self.root}:symbols"

    @property
    def ranks(self) -> str:
        """The hash of how important symbols are, by key."""
        return f"{self.root}:ranks"

    @property
    def names(self) -> str:
        """The sorted set that finds symbols by the key of a name in front of their own."""
        return f"{self.root}:names"

    @property
    def texts(self) -> str:
        """The sorted set that finds symbols by the hash of the text that is embedded."""
        return f"{self.root}:texts"

    @property
    def refs(self) -> str:
        """The sorted set of unbound calls: the key of the name, the path, and the calls."""
        return f"{self.root}:refs"

    @property
    def refs_held(self) -> str:
        """The hash of the names of the unbound calls of each file, by path."""
        return f"{self.root}:refs_held"

    @property
    def gone(self) -> str:
        """The hash of the symbols that have disappeared, by key."""
        return f"{self.root}:gone"

    @property
    def gone_names(self) -> str:
        """The sorted set that finds what has disappeared by the key of its name."""
        return f"{self.root}:gone_names"

    @property
    def gone_since(self) -> str:
        """The sorted set of when symbols have disappeared."""
        return f"{self.root}:gone_since"

    @property
    def gone_files(self) -> str:
        """The hash of the files that have disappeared, by path."""
        return f"{self.root}:gone_files"

    @property
    def writer(self) -> str:
        """The token of whoever wrote last."""
        return f"{self.root}:writer"

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

    def all_but_vectors(self) -> tuple[str, ...]:
        """Every key that does not belong to a model."""
        files = (self.stamps, self.due, self.held, self.facts, self.words, self.changes)
        symbols = (self.symbols, self.ranks, self.names, self.texts, self.refs, self.refs_held)
        gone = (self.gone, self.gone_names, self.gone_since, self.gone_files)
        return (self.graph, *files, *symbols, *gone, self.writer)


@dataclass(frozen=True, slots=True)
class Keyspace:
    """Names every key of a workspace."""

    graph_name: str
    workspace: str = DEFAULT_WORKSPACE

    def __post_init__(self) -> None:
        for name in (self.graph_name, self.workspace):
            check_name(name)

    @property
    def _tag(self) -> str:
        return f"{{{self.graph_name}:{self.workspace}}}"

    @property
    def pattern(self) -> str:
        """What every key of the workspace looks like, and no other key."""
        return f"{self._tag}:*"

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

    @property
    def forgotten(self) -> str:
        """The set of memories that were deleted on purpose and must not be read in again."""
        return f"{self._tag}:forgotten"

    @property
    def jobs(self) -> str:
        """The hash of long work, by id."""
        return f"{self._tag}:jobs"

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
