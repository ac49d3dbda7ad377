"""Arguments and answers of the tools for code."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from zapomni_core import MAX_DEPTH, MAX_LIMIT, MAX_NAME_CHARS, MAX_QUERY_CHARS, MIN_TOKENS
from zapomni_mcp.schemas.forms import Answer, Arguments
from zapomni_mcp.schemas.graph import GraphJob

__all__ = [
    "CodeCallSite",
    "CodeMemory",
    "CodeOverviewRequest",
    "CodeOverviewResponse",
    "CodeRepository",
    "CodeResult",
    "CodeStatusRequest",
    "CodeStatusResponse",
    "CodeSymbol",
    "CodeUse",
    "GetCallGraphRequest",
    "GetCallGraphResponse",
    "GetSymbolRequest",
    "GetSymbolResponse",
    "IndexCodebaseRequest",
    "IndexCodebaseResponse",
    "SearchCodeRequest",
    "SearchCodeResponse",
    "SkippedCodeFile",
]

_HITS, _SITES, _TOKENS = 10, 50, 2000
_LONGEST_PATH = 4096
_NO_ERROR = "Always null: a failed call answers with isError and a text instead"


def _unless_null(default: object) -> BeforeValidator:
    # Many clients send null for what they mean to leave out.
    return BeforeValidator(lambda value: default if value is None else value)


type Name = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME_CHARS)]
type Names = Annotated[list[Name], Field(max_length=100)]
type Limit = Annotated[int, Field(ge=1, le=MAX_LIMIT)]


class _AboutRepository(Arguments):
    repository: Name | None = Field(
        default=None,
        description="Name or folder of an indexed repository; all of them if left out",
    )


class IndexCodebaseRequest(Arguments):
    """Arguments of index_codebase."""

    path: Annotated[str, StringConstraints(min_length=1, max_length=_LONGEST_PATH)] | None = Field(
        default=None, description="Absolute path of the folder to index"
    )
    languages: Names | None = Field(
        default=None, description="Only these languages, e.g. 'python', 'typescript'; all if none"
    )
    exclude: Names | None = Field(
        default=None, description="Patterns to leave out besides .gitignore, in its notation"
    )
    full: Annotated[bool, _unless_null(default=False)] = Field(
        default=False, description="Read every file again, not only those that changed"
    )
    cancel_job: Name | None = Field(
        default=None, description="Id of a running job to give up; what it has done stays"
    )


class SearchCodeRequest(_AboutRepository):
    """Arguments of search_code."""

    query: Annotated[str, StringConstraints(min_length=1, max_length=MAX_QUERY_CHARS)] = Field(
        description="What the code does, in words, or a name: 'where are sessions saved', "
        "'parse_config', 'UserStore.load'"
    )
    kinds: Names | None = Field(
        default=None, description="Only these kinds, e.g. 'function', 'method', 'class'"
    )
    languages: Names | None = Field(default=None, description="Only these languages")
    path: Name | None = Field(
        default=None, description="Only files whose path matches, e.g. 'src/api/**' or '*.ts'"
    )
    limit: Annotated[Limit, _unless_null(_HITS)] = Field(
        default=_HITS, description=f"Maximum results (1-{MAX_LIMIT})"
    )
    explain: Annotated[bool, _unless_null(default=False)] = Field(
        default=False, description="Say of each result why it was found"
    )


class GetSymbolRequest(_AboutRepository):
    """Arguments of get_symbol."""

    symbol: Name = Field(
        description="Name, qualified name ('Flask.run') or id of a symbol, the path of a file, or "
        "a line of it ('src/app.py:39')"
    )


class GetCallGraphRequest(_AboutRepository):
    """Arguments of get_call_graph."""

    symbol: Name = Field(description="Name, qualified name or id of a symbol")
    direction: Annotated[Literal["callers", "callees", "impact"], _unless_null("callers")] = Field(
        default="callers",
        description="callers: who calls it; callees: what it calls; impact: what a change of "
        "it may break, through calls, subclasses and imports",
    )
    depth: Annotated[int, Field(ge=1, le=MAX_DEPTH)] | None = Field(
        default=None, description=f"How many steps to go, 1-{MAX_DEPTH}; 3 for impact, else 1"
    )
    guesses: Annotated[bool, _unless_null(default=True)] = Field(
        default=True,
        description="Also calls that only the name speaks for and those a subclass may take; "
        "each is marked as such",
    )
    limit: Annotated[Limit, _unless_null(_SITES)] = Field(
        default=_SITES, description=f"Maximum calls to return (1-{MAX_LIMIT})"
    )


class CodeOverviewRequest(_AboutRepository):
    """Arguments of code_overview."""

    repository: Name | None = Field(
        default=None,
        description="Name or folder of an indexed repository; needed if there are several",
    )
    max_tokens: Annotated[int, Field(ge=MIN_TOKENS), _unless_null(_TOKENS)] = Field(
        default=_TOKENS, description="Most tokens of the answer"
    )


class CodeStatusRequest(Arguments):
    """Arguments of code_status: none."""


class CodeSymbol(Answer):
    """A definition and where it stands."""

    id: str = Field(description="Id of the symbol; it stays while lines move")
    name: str = Field(description="Name")
    qualified_name: str = Field(description="Name with what it stands in, e.g. 'Flask.run'")
    kind: str = Field(description="function, method, class, interface, ... or module")
    language: str = Field(description="Language of the file")
    repository: str = Field(description="Name of the repository")
    path: str = Field(description="File, relative to the repository")
    line: int = Field(ge=1, description="First line")
    end_line: int = Field(ge=1, description="Last line")
    signature: str = Field(description="How it is declared")
    doc: str = Field(description="Its docstring or the comment above it")


class SkippedCodeFile(Answer):
    """A file that is not in the index."""

    path: str = Field(description="File or folder, relative to the repository")
    reason: str = Field(description="Why it was left out")


class IndexCodebaseResponse(Answer):
    """What indexing has done."""

    status: Literal["success"] = "success"
    job: GraphJob = Field(description="The job that reads; it goes on if it is still running")
    repository: str = Field(description="Name of the repository")
    root: str = Field(description="Its folder")
    indexed: int = Field(ge=0, description="Files that were read")
    unchanged: int = Field(ge=0, description="Files that are as they were")
    removed: int = Field(ge=0, description="Files that are gone")
    skipped: dict[str, int] = Field(description="Files that were left out, by reason")
    skipped_examples: list[SkippedCodeFile] = Field(description="Some of those files")
    symbols: int = Field(ge=0, description="Symbols in the repository")
    calls: int = Field(ge=0, description="Calls in it that lead to a symbol")
    unresolved: int = Field(ge=0, description="Calls whose target is not known")
    languages: dict[str, int] = Field(description="Files of each language")
    secrets_hidden: int = Field(ge=0, description="Keys and passwords that were blacked out")
    notice: str | None = Field(description="What went wrong or goes on, if anything")
    error: None = Field(default=None, description=_NO_ERROR)


class CodeResult(Answer):
    """A symbol that answers the query."""

    symbol: CodeSymbol = Field(description="The symbol")
    score: float = Field(description="How well it fits; comparable within one answer")
    source: str = Field(description="Its source, shortened")
    is_stale: bool = Field(description="True if the file has changed since it was indexed")
    why: list[str] = Field(description="What speaks for it, if explain was asked for")


class SearchCodeResponse(Answer):
    """Code that answers a query, best first."""

    status: Literal["success"] = "success"
    results: list[CodeResult] = Field(description="Symbols, best first")
    notice: str | None = Field(description="In what way the answer may be incomplete, if so")
    error: None = Field(default=None, description=_NO_ERROR)


class CodeCallSite(Answer):
    """One step of a call graph."""

    symbol: CodeSymbol = Field(description="The symbol that is reached")
    depth: int = Field(ge=1, description="Number of steps")
    relation: str = Field(description="calls, inherits, overrides or imports")
    via: str = Field(description="Id of the symbol from which it is reached")
    line: int = Field(
        ge=0,
        description="Line of the call or import, with impact the first of several; 0 without one",
    )
    how: str = Field(
        description="What binds the call: local, import, self or typed; dispatch if a subclass "
        "may take it; unique if only the name speaks for it"
    )
    confidence: float = Field(ge=0.0, le=1.0, description="How sure that is, 1 is certain")


class CodeUse(Answer):
    """A line that names a symbol."""

    path: str = Field(description="Path of the file in the repository")
    line: int = Field(ge=1, description="Line, counted from 1")
    text: str = Field(description="What stands there, shortened, without secrets")


class GetCallGraphResponse(Answer):
    """Who calls whom."""

    status: Literal["success"] = "success"
    symbol: CodeSymbol | None = Field(description="What was asked for; null if it is not known")
    direction: str = Field(description="The direction that was asked for")
    sites: list[CodeCallSite] = Field(description="Steps, nearest first")
    externals: list[str] = Field(description="What is called outside of the repository")
    possible: list[str] = Field(
        description="Places that call something of this name on an object of unknown type"
    )
    uses: list[CodeUse] = Field(
        description="Lines that name it without a call that is known: they may hand it on, read "
        "it or only speak of it. Looked for with direction 'impact'"
    )
    files: list[str] = Field(description="Files of all these symbols")
    tests: list[str] = Field(description="Those of the files that are tests")
    is_cut: bool = Field(description="True if there is more than the limit let through")
    suggestions: list[CodeSymbol] = Field(description="Symbols that may be meant, if not one is")
    notice: str | None = Field(description="In what way the answer may be incomplete, if so")
    error: None = Field(default=None, description=_NO_ERROR)


class CodeMemory(Answer):
    """A memory about code."""

    memory_id: str = Field(description="UUID of the memory")
    text: str = Field(description="The passage that mentions it")
    timestamp: datetime = Field(description="When the memory was said or stored")
    source: str = Field(description="Source of the memory")
    is_stale: bool = Field(description="True if the code has changed since")
    why: str | None = Field(description="What has changed, if so")


class GetSymbolResponse(Answer):
    """A symbol and its surroundings."""

    status: Literal["success"] = "success"
    symbol: CodeSymbol | None = Field(description="What was asked for; null if it is not known")
    source: str = Field(description="Its source as it is now")
    is_stale: bool = Field(description="True if the file has changed since it was indexed")
    members: list[CodeSymbol] = Field(description="What is defined in it")
    bases: list[str] = Field(description="What it inherits from")
    subclasses: list[str] = Field(description="What inherits from it")
    callers: list[CodeCallSite] = Field(description="Who calls it")
    callees: list[CodeCallSite] = Field(description="What it calls")
    memories: list[CodeMemory] = Field(description="Memories that mention it")
    suggestions: list[CodeSymbol] = Field(description="Symbols that may be meant, if not one is")
    notice: str | None = Field(description="In what way the answer may be incomplete, if so")
    error: None = Field(default=None, description=_NO_ERROR)


class CodeOverviewResponse(Answer):
    """A repository at a glance."""

    status: Literal["success"] = "success"
    repository: str = Field(description="Name of the repository")
    root: str = Field(description="Its folder")
    files: int = Field(ge=0, description="Files in the index")
    symbols: int = Field(ge=0, description="Symbols")
    calls: int = Field(ge=0, description="Calls that lead to a symbol")
    languages: dict[str, int] = Field(description="Files of each language")
    kinds: dict[str, int] = Field(description="Symbols of each kind")
    folders: dict[str, int] = Field(description="Files in the largest folders")
    central: list[CodeSymbol] = Field(description="Symbols that the others rest on, first of all")
    entry_points: list[CodeSymbol] = Field(description="Where execution begins")
    notice: str | None = Field(description="In what way the answer may be incomplete, if so")
    error: None = Field(default=None, description=_NO_ERROR)


class CodeRepository(Answer):
    """A repository in the index."""

    name: str = Field(description="Name")
    root: str = Field(description="Folder")
    files: int = Field(ge=0, description="Files in the index")
    symbols: int = Field(ge=0, description="Symbols")
    indexed_at: datetime | None = Field(
        description="When it was last indexed to the end; null if it never was"
    )
    embedded: int = Field(ge=0, description="Symbols that are found by meaning already")
    to_embed: int = Field(ge=0, description="Symbols that are found by words only, until they are")
    skipped: dict[str, int] = Field(description="Files that were left out, by reason")


class CodeStatusResponse(Answer):
    """What code is known."""

    status: Literal["success"] = "success"
    repositories: list[CodeRepository] = Field(description="Indexed repositories")
    jobs: list[GraphJob] = Field(description="Jobs of this server, oldest first")
    error: None = Field(default=None, description=_NO_ERROR)
