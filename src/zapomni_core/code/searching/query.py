"""What a query for code asks for: a symbol by its name, a file by its path, or a meaning."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from zapomni_core.code.searching.terms import code_query_terms

__all__ = ["CodeQuery", "QueryKind", "read_query"]

type QueryKind = Literal["symbol", "path", "sentence"]

_SYMBOL: Final = re.compile(r"[\w$]+(?:(?:::|->|[.#])~?[\w$]+)*[!?=]?(?:\(\))?")
_PATH: Final = re.compile(r"\.{0,2}/?[\w.@+-]+(?:/[\w.@+-]+)+/?|[\w@+-]+\.[a-z][a-z\d]{0,4}")
_QUALIFIED: Final = re.compile(r"(?:[A-Za-z_$][\w$]*)(?:(?:::|->|[.#])[A-Za-z_$][\w$]*)*")
_SEPARATOR: Final = re.compile(r"::|->|[.#]")
_WRITTEN_AS_NAME: Final = re.compile(r"[a-z\d][A-Z]|[A-Z]{2}[a-z]|\w_\w|::|->|\w[.#]\w")
_FILE_ENDINGS: Final = frozenset(
    [
        "py",
        "pyi",
        "js",
        "jsx",
        "mjs",
        "cjs",
        "ts",
        "tsx",
        "go",
        "rs",
        "java",
        "kt",
        "kts",
        "c",
        "h",
        "cc",
        "cpp",
        "hpp",
        "cs",
        "rb",
        "php",
        "swift",
        "scala",
        "lua",
        "ex",
        "exs",
        "zig",
        "hs",
        "dart",
        "vue",
        "svelte",
        "astro",
        "sql",
        "r",
        "jl",
        "sh",
        "bash",
        "md",
        "toml",
        "yaml",
        "yml",
        "json",
    ]
)


@dataclass(frozen=True, slots=True)
class CodeQuery:
    """A query that was read: dotted names written in it, and the words of its sentence."""

    text: str
    kind: QueryKind
    terms: tuple[str, ...]
    names: tuple[str, ...]
    words: frozenset[str]


def read_query(text: str) -> CodeQuery:
    """Tell what a query asks for."""
    text = text.strip().strip("`\"'")
    kind = _kind(text)
    names = (_dotted(text),) if kind == "symbol" else _names_in(text)
    terms = tuple(code_query_terms(text))
    return CodeQuery(text, kind, terms, names, frozenset(terms))


def _kind(text: str) -> QueryKind:
    if _PATH.fullmatch(text) and ("/" in text or text.rpartition(".")[2] in _FILE_ENDINGS):
        return "path"
    return "symbol" if _SYMBOL.fullmatch(text) else "sentence"


def _names_in(text: str) -> tuple[str, ...]:
    found = [name for name in _QUALIFIED.findall(text) if _WRITTEN_AS_NAME.search(name)]
    return tuple(dict.fromkeys(map(_dotted, found)))


def _dotted(name: str) -> str:
    return _SEPARATOR.sub(".", name.removesuffix("()")).replace("~", "")
