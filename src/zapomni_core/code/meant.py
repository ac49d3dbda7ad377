"""Find the symbol or file that somebody means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import PurePosixPath
from typing import Final

from zapomni_core.code.searching.terms import name_words
from zapomni_db.code import CodeStore, FileNode, RepositoryRecord, Symbol

__all__ = ["Found", "as_symbol", "bare", "left_out", "likeness", "meant_by"]

_NAMESAKES: Final = 50
_SUGGESTIONS: Final = 10
_ALIKE: Final = 0.7
_LINES_BEHIND: Final = re.compile(r":(\d+)(?:-\d+)?$")
_SEPARATORS: Final = re.compile(r"::|->|#(?!\d+$)")


@dataclass(frozen=True, slots=True)
class Found:
    """A symbol and the repository that defines it.

    `overloads` are the ids of the others that are defined under the same name.
    """

    repository: RepositoryRecord
    symbol: Symbol
    overloads: tuple[str, ...] = ()


async def meant_by(
    store: CodeStore, wanted: str, repositories: Sequence[RepositoryRecord]
) -> tuple[Found | None, list[Found]]:
    """Find what is meant, or those between which nothing decides."""
    for name in dict.fromkeys((wanted, bare(wanted))):
        # Of `__init__` there are a thousand, and an id names one.
        found = await _by_id(store, name, repositories) if "::" in name else []
        found = found or await _by_name(store, name, repositories)
        found = found or await _files(store, name, repositories)
        if found:
            meant = _meant(name, found)
            if meant is None:
                return None, found[:_SUGGESTIONS]
            return await _at_line(store, await _whole(store, meant), wanted), []
    return None, []


async def _at_line(store: CodeStore, meant: Found, wanted: str) -> Found:
    """Take what stands at a line that is written behind a file."""
    behind = _LINES_BEHIND.search(wanted.strip().strip("`'\""))
    if behind is None or meant.symbol.kind != "file":
        return meant
    line = int(behind.group(1))
    inside = await store.index(meant.repository.id).symbols_in(meant.symbol.path)
    around = [each for each in inside if each.qname and each.line <= line <= each.end_line]
    innermost = min(around, key=lambda each: each.end_line - each.line, default=meant.symbol)
    return replace(meant, symbol=innermost)


async def _whole(store: CodeStore, meant: Found) -> Found:
    """Take the file for its code outside of definitions: who imports it depends on all of it."""
    symbol = meant.symbol
    if symbol.qname or symbol.kind != "module":
        return meant
    nodes = await store.index(meant.repository.id).file_nodes([symbol.path])
    return replace(meant, symbol=as_symbol(nodes[0])) if nodes else meant


def bare(wanted: str) -> str:
    """Take off what people and agents write around a name."""
    name = wanted.strip().strip("`'\"").removesuffix("()")
    return _LINES_BEHIND.sub("", name).removeprefix("./") or wanted


async def left_out(
    store: CodeStore, wanted: str, repositories: Sequence[RepositoryRecord]
) -> str | None:
    """Tell why a file that somebody asks for is not in the index, if it is left out."""
    for record in repositories:
        path = bare(wanted).removeprefix(f"{record.root}/")
        for node in await store.index(record.id).find_files(path, 1):
            if node.status == "skipped":
                return f"{node.path} is left out of the index of {record.name}: {node.reason}."
    return None


def likeness(symbol: Symbol, wanted: str) -> float:
    """Tell how near a symbol comes to a name that is not quite its own; 0 if it is another."""
    name = bare(wanted).replace("::", ".").rpartition(".")[2].casefold()
    alike = SequenceMatcher(None, name, symbol.name.casefold()).ratio()
    shares_word = not name_words(name).isdisjoint(name_words(symbol.name))
    return alike if shares_word or alike >= _ALIKE else 0.0


def as_symbol(node: FileNode) -> Symbol:
    """Show a file as what a question may be about."""
    name = PurePosixPath(node.path).name
    return Symbol(
        id=node.path,
        path=node.path,
        name=name,
        qname=name,
        kind="file",
        language=node.language,
        line=1,
        end_line=max(node.lines, 1),
        signature="",
        doc="",
        hash=node.hash,
        is_exported=True,
        is_test=node.is_test,
        changed_ms=node.changed_ms,
    )


async def _by_id(
    store: CodeStore, wanted: str, repositories: Sequence[RepositoryRecord]
) -> list[Found]:
    return [
        Found(record, symbol)
        for record in repositories
        for symbol in (await store.index(record.id).symbols([wanted])).values()
    ]


async def _by_name(
    store: CodeStore, wanted: str, repositories: Sequence[RepositoryRecord]
) -> list[Found]:
    return [
        Found(record, symbol)
        for record in repositories
        for symbol in await store.index(record.id).find(wanted, _NAMESAKES)
    ]


async def _files(
    store: CodeStore, wanted: str, repositories: Sequence[RepositoryRecord]
) -> list[Found]:
    found = []
    for record in repositories:
        end = wanted.removeprefix(f"{record.root}/")
        nodes = await store.index(record.id).find_files(end, _NAMESAKES)
        found += [Found(record, as_symbol(node)) for node in nodes if node.status != "skipped"]
    return found


def _meant(wanted: str, found: Sequence[Found]) -> Found | None:
    """Choose if only one can be meant: the id, code before tests, a class before its parts."""
    if len(found) == 1:
        return found[0]
    exact = [each for each in found if wanted in (each.symbol.id, each.symbol.path)]
    if len(exact) == 1:
        return exact[0]
    dotted = _SEPARATORS.sub(".", wanted)
    close = [each for each in found if {wanted, dotted} & {each.symbol.name, _qname(each)}]
    close = close or [each for each in found if _qname(each).endswith(f".{dotted}")] or list(found)
    close = [each for each in close if not each.symbol.is_test] or close
    close = [each for each in close if each.symbol.qname] or close
    # Constructors have the name of their class in many languages.
    around = {(each.repository.id, f"{_qname(each)}.{each.symbol.name}") for each in close}
    close = [each for each in close if (each.repository.id, _qname(each)) not in around]
    if len({(each.repository.id, each.symbol.path, _qname(each)) for each in close}) != 1:
        return None
    # Beside overloads that are only declared stands the one that does something.
    longest = max(close, key=lambda each: each.symbol.end_line - each.symbol.line)
    others = [each.symbol.id for each in close if each is not longest]
    return replace(longest, overloads=tuple(others))


def _qname(found: Found) -> str:
    return found.symbol.qname.partition("#")[0]
