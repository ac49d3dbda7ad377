"""How the classes and files of a repository hang together, beside their calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zapomni_core.code.model import ImportEdge, InheritEdge, OverrideEdge
from zapomni_core.code.resolution.evaluation import Evaluation
from zapomni_core.code.resolution.tables import Source, Symbol
from zapomni_core.code.resolution.values import External, Namespace

__all__ = ["imports", "inheritance", "overrides"]

# To import everything in a package of more files says nothing about each: 157,000 edges in ktor.
_MOST_FILES: Final = 20


def inheritance(source: Source, evaluation: Evaluation) -> Iterator[InheritEdge]:
    """Yield the bases of the classes of a file."""
    for symbol in source.symbols:
        if not symbol.definition.bases:
            continue
        bases = evaluation.hierarchy.bases(symbol)
        if source.language == "ruby":
            bases += evaluation.hierarchy.extending(symbol)
        for order, base in enumerate(bases):
            if isinstance(base, Symbol):
                yield InheritEdge(symbol.index, base.id, order)
            elif base is not None:
                outside = f"{source.language}:{base.dotted}"
                yield InheritEdge(symbol.index, outside, order, is_external=True)


def overrides(source: Source, evaluation: Evaluation) -> Iterator[OverrideEdge]:
    """Yield the methods of a file that replace one of a base class."""
    for symbol in source.symbols:
        owner = symbol.owner
        if owner is None or symbol.is_class:
            continue
        if source.language == "rust" and not symbol.is_of_trait:
            continue
        above = evaluation.find(owner, symbol.definition.name, above=True)
        if above is not None and not above.is_class:
            yield OverrideEdge(symbol.index, above.id)


def imports(source: Source, evaluation: Evaluation) -> Iterator[ImportEdge]:
    """Yield where the imports of a file lead."""
    for each in source.facts.imports:
        if not each.module:
            continue
        target = evaluation.module_of(source.scope(each.scope), each)
        if isinstance(target, Symbol):
            yield ImportEdge(target.source.path, each.name, each.alias, each.line)
        elif isinstance(target, Namespace):
            paths = evaluation.files_of(target)
            for path in paths if each.name != "*" or len(paths) <= _MOST_FILES else ():
                yield ImportEdge(path, each.name, each.alias, each.line)
        elif isinstance(target, External) and target.dotted:
            outside = f"{source.language}:{target.dotted}"
            yield ImportEdge(outside, each.name, each.alias, each.line, is_external=True)
