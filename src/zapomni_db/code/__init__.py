"""The code index: files, symbols and references of repositories, apart from memories."""

from zapomni_db.code.cleaning import can_be_stored
from zapomni_db.code.found import (
    CallGraph,
    CallLink,
    CodeCensus,
    EmbeddingCounts,
    FileNode,
    GoneFile,
    GoneSymbol,
    Impact,
    ImpactGraph,
    PossibleCall,
    RankedSymbol,
    Relatives,
    Symbol,
)
from zapomni_db.code.index import CodeIndex
from zapomni_db.code.keys import node_key
from zapomni_db.code.records import (
    CallRecord,
    EdgeRecords,
    FileRecord,
    FileStamp,
    FileStatus,
    ImportRecord,
    InheritRecord,
    Moved,
    OverrideRecord,
    RefRecord,
    RepositoryRecord,
    SymbolRecord,
    records_of,
)
from zapomni_db.code.repositories import CodeStore
from zapomni_db.code.texts import pack_texts, unpack_texts
from zapomni_db.code.words import WordLog

__all__ = [
    "CallGraph",
    "CallLink",
    "CallRecord",
    "CodeCensus",
    "CodeIndex",
    "CodeStore",
    "EdgeRecords",
    "EmbeddingCounts",
    "FileNode",
    "FileRecord",
    "FileStamp",
    "FileStatus",
    "GoneFile",
    "GoneSymbol",
    "Impact",
    "ImpactGraph",
    "ImportRecord",
    "InheritRecord",
    "Moved",
    "OverrideRecord",
    "PossibleCall",
    "RankedSymbol",
    "RefRecord",
    "Relatives",
    "RepositoryRecord",
    "Symbol",
    "SymbolRecord",
    "WordLog",
    "can_be_stored",
    "node_key",
    "pack_texts",
    "records_of",
    "unpack_texts",
]
