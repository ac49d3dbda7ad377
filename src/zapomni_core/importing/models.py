"""What an import hands over: memories to add, and what was left out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from zapomni_core.models import Metadata

__all__ = ["Extra", "Found", "ImportKind", "ImportedItem", "ImportedMemory", "Skipped"]


class ImportKind(StrEnum):
    """A program whose data can be read; the value is also the source of its memories."""

    BASIC_MEMORY = "basic-memory"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    MCP_MEMORY = "mcp-memory"
    MEM0 = "mem0"


class Extra(StrEnum):
    """A part of a conversation that is left out unless asked for."""

    BRANCHES = "branches"
    REASONING = "reasoning"
    SUBAGENTS = "subagents"
    SYSTEM = "system"
    TOOLS = "tools"


@dataclass(frozen=True, slots=True)
class ImportedMemory:
    """A memory to add; the same item has the same external id in every import."""

    text: str
    metadata: Metadata
    external_id: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that became no memory; by design means a choice, else it could not be read.

    The reasons are few and fixed, so that they can be counted.
    """

    reason: str
    where: str
    by_design: bool = False


type ImportedItem = ImportedMemory | Skipped


@dataclass(frozen=True, slots=True)
class Found:
    """Data of another program on this machine."""

    kind: ImportKind
    path: Path
    files: int
    size_bytes: int
