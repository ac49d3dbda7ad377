"""The data layer of Zapomni: one store on FalkorDB, embedded, remote or clustered."""

import importlib
from typing import TYPE_CHECKING

from zapomni_db.connection import Address, Connection, EmbeddedAddress, ServerAddress
from zapomni_db.embedded import FsyncPolicy
from zapomni_db.errors import (
    DataFolderUnusable,
    StoreError,
    StoreMismatch,
    StoreRefused,
    StoreUnavailable,
)

if TYPE_CHECKING:
    from zapomni_db.changes import START
    from zapomni_db.cypher import Vector
    from zapomni_db.jobs import JobRecord, JobRecords
    from zapomni_db.keyspace import DEFAULT_WORKSPACE, Keyspace
    from zapomni_db.knowledge import Knowledge
    from zapomni_db.knowledge.records import (
        AliasLink,
        AliasRecord,
        Assertion,
        ChunkText,
        Companion,
        EntityEnd,
        EntityNode,
        EntityRecord,
        Evidence,
        FactRecord,
        GraphCensus,
        MemoryKnowledge,
        MemoryText,
        MentioningChunk,
        MentionRecord,
        WriteCounts,
    )
    from zapomni_db.records import (
        Change,
        ChunkRecord,
        EmbeddingStamp,
        HitRecord,
        IndexEntry,
        ListedMemory,
        MemoryRecord,
        Neighbour,
        PoolUse,
        Removed,
        StoreCounts,
        StoredMemory,
        StoredVersion,
    )
    from zapomni_db.repair import RepairReport
    from zapomni_db.store import Store
    from zapomni_db.workspaces import WorkspaceRecord, WorkspaceRegistry

__all__ = [
    "DEFAULT_WORKSPACE",
    "START",
    "Address",
    "AliasLink",
    "AliasRecord",
    "Assertion",
    "Change",
    "ChunkRecord",
    "ChunkText",
    "Companion",
    "Connection",
    "DataFolderUnusable",
    "EmbeddedAddress",
    "EmbeddingStamp",
    "EntityEnd",
    "EntityNode",
    "EntityRecord",
    "Evidence",
    "FactRecord",
    "FsyncPolicy",
    "GraphCensus",
    "HitRecord",
    "IndexEntry",
    "JobRecord",
    "JobRecords",
    "Keyspace",
    "Knowledge",
    "ListedMemory",
    "MemoryKnowledge",
    "MemoryRecord",
    "MemoryText",
    "MentionRecord",
    "MentioningChunk",
    "Neighbour",
    "PoolUse",
    "Removed",
    "RepairReport",
    "ServerAddress",
    "Store",
    "StoreCounts",
    "StoreError",
    "StoreMismatch",
    "StoreRefused",
    "StoreUnavailable",
    "StoredMemory",
    "StoredVersion",
    "Vector",
    "WorkspaceRecord",
    "WorkspaceRegistry",
    "WriteCounts",
]

_OTHER_MODULES = (
    *("keyspace", "records", "changes", "cypher", "jobs", "workspaces", "repair", "store"),
    *("knowledge.records", "knowledge"),
)


def __getattr__(name: str) -> object:
    # Imported when they are first asked for: a database starts in less time than they, numpy
    # among them, take to import.
    if name in __all__:
        for each in _OTHER_MODULES:
            module = importlib.import_module(f"zapomni_db.{each}")
            if name in module.__all__:
                return globals().setdefault(name, getattr(module, name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
