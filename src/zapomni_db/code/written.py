"""The symbols of a file as they are stored, written down where the file is read.

Nobody in between looks inside: a symbol that is new goes to the database as it came.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import orjson

from zapomni_db.code.cleaning import dumped
from zapomni_db.code.keys import name_key, node_key
from zapomni_db.code.records import NO_SYMBOLS, SymbolRecord, WrittenSymbols
from zapomni_db.code.texts import pack_words

__all__ = ["written_symbols"]

_MOST_CHARS = 1000
_ENTRY_NAMES = frozenset({"main", "Main"})


def written_symbols(
    path: str,
    language: str,
    mtime_ns: int,
    symbols: Sequence[SymbolRecord],
    words: Sequence[str],
    heads: Sequence[str],
) -> WrittenSymbols:
    """Write down the symbols of a file, each with its words and the head that is embedded."""
    if not symbols:
        return NO_SYMBOLS
    by_id = {symbol.id: node_key(symbol.id) for symbol in symbols}
    keys = [by_id[symbol.id] for symbol in symbols]
    named = [*zip(keys, symbols, strict=True)]
    # Two ids may be the same once what cannot be written is replaced.
    kept = dict(named).items()
    return WrittenSymbols(
        keys,
        [name_key(one.name) + key for key, one in kept],
        [one.head_hash + key for key, one in kept if one.head_hash],
        Counter([one.kind for one in symbols]),
        orjson.dumps([(key, one.kind, one.is_test, _is_entry(one)) for key, one in kept]),
        b"\n".join([line for one in symbols for line in _row(path, language, one, by_id)]),
        pack_words(path, mtime_ns, language, named, (words, heads)),
    )


def _is_entry(symbol: SymbolRecord) -> bool:
    return symbol.name in _ENTRY_NAMES


def _row(
    path: str, language: str, symbol: SymbolRecord, keys: Mapping[str, str]
) -> Iterator[bytes]:
    """Write down a `SymbolRow` in two lines, between which it says when it changed."""
    known = (
        symbol.id,
        path,
        symbol.name,
        symbol.qname,
        symbol.kind,
        language,
        symbol.line,
        symbol.end_line,
        symbol.signature[:_MOST_CHARS],
        symbol.doc[:_MOST_CHARS],
        symbol.hash,
        symbol.is_exported,
        symbol.is_test,
    )
    parent = (keys.get(symbol.parent) or node_key(symbol.parent)) if symbol.parent else ""
    yield dumped(known)[:-1] + b","
    yield b',"%b","%b"]' % (parent.encode(), symbol.head_hash.encode())
