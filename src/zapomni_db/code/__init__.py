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
    NO_SYMBOLS,
    EdgeColumns,
    FileRecord,
    FileStamp,
    FileStatus,
    Moved,
    NumberedEdges,
    RepositoryRecord,
    SymbolRecord,
    WrittenSymbols,
    records_of,
)
from zapomni_db.code.repositories import CodeStore
from zapomni_db.code.texts import unpack_words
from zapomni_db.code.words import WordLog
from zapomni_db.code.written import written_symbols

__all__ = [
    "NO_SYMBOLS",
    "CallGraph",
    "CallLink",
    "CodeCensus",
    "CodeIndex",
    "CodeStore",
    "EdgeColumns",
    "EmbeddingCounts",
    "FileNode",
    "FileRecord",
    "FileStamp",
    "FileStatus",
    "GoneFile",
    "GoneSymbol",
    "Impact",
    "ImpactGraph",
    "Moved",
    "NumberedEdges",
    "PossibleCall",
    "RankedSymbol",
    "Relatives",
    "RepositoryRecord",
    "Symbol",
    "SymbolRecord",
    "WordLog",
    "WrittenSymbols",
    "can_be_stored",
    "node_key",
    "records_of",
    "unpack_words",
    "written_symbols",
]
