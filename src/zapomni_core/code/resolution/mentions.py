"""Which names a file refers to, and which of its own rest on others."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import Final

from zapomni_core.code.model import Definition, FileFacts
from zapomni_core.code.resolution.chains import (
    WHOLE,
    names_in,
    names_of_file,
    names_of_module,
)
from zapomni_core.code.resolution.lasting import Locals, lasting
from zapomni_core.code.resolution.modules import Layout, family_of

__all__ = ["Mentions"]

# What a path of Rust begins with that leads to the crate, which is where somebody says `mod top;`.
_ABOVE: Final = frozenset({"crate", "super"})
_TOP_MODULE: Final = re.compile(r"(?:^|/)(?:benches|examples|src/bin|src|tests)/(\w+)")


class Mentions:
    """The names one file refers to, and which of its own names depend on which others."""

    def __init__(self, path: str, facts: FileFacts, layout: Layout) -> None:
        self._path = path
        self._modules = {
            each.module: _names_behind(path, each.module, layout) for each in facts.imports
        }
        self.names = _mentioned(facts).union(*self._modules.values())
        if facts.language == "rust" and not self.names.isdisjoint(_ABOVE):
            self.names.update(_TOP_MODULE.findall(path))
        self._facts = facts

    def shift(self, names: Collection[str]) -> Iterator[str]:
        """Yield the names of this file whose meaning rests on some of the given ones."""
        # Whatever a name rests on is mentioned here: most files are done with at once.
        if not self.names.isdisjoint(names):
            for name, mentioned in self._depends:
                if not mentioned.isdisjoint(names):
                    yield name

    @cached_property
    def _depends(self) -> list[tuple[str, frozenset[str]]]:
        found: dict[str, set[str]] = {}
        for name, names in _dependencies(self._path, self._facts, self._modules):
            found.setdefault(name, set()).update(names)
        return [(name, frozenset(names)) for name, names in found.items() if names - {name}]


def _mentioned(facts: FileFacts) -> set[str]:
    # Most texts are written many times: each is taken apart once.
    texts = {facts.package}
    found = {call.name for call in facts.calls}
    texts.update([call.receiver for call in facts.calls])
    texts.update([binding.value for binding in facts.bindings])
    for definition in facts.definitions:
        found.add(definition.name)
        if definition.kind == "method" and family_of(facts.language) == "c":
            # It may stand apart from its class.
            texts.add(definition.qname)
        texts.update(_texts(definition))
    for each in facts.imports:
        found.update((each.name, each.alias))
    for text in texts:
        found.update(names_in(text))
    return found


def _names_behind(path: str, module: str, layout: Layout) -> set[str]:
    """Return the names of a module that is imported, and of the files it is another name for."""
    files = layout.aliased(path, module)
    return {*names_of_module(module), *(names_of_file(each)[0] for each in files)}


def _texts(definition: Definition) -> Iterator[str]:
    yield from definition.bases
    yield from definition.decorators
    yield definition.returns
    for _, kind in definition.parameters:
        yield kind


def _dependencies(
    path: str, facts: FileFacts, modules: Mapping[str, set[str]]
) -> Iterator[tuple[str, set[str]]]:
    for definition in facts.definitions:
        yield definition.name, {name for each in _texts(definition) for name in names_in(each)}
    local = Locals(facts)
    for target, binding in lasting(facts):
        yield target, local.behind(binding)
    for each in facts.imports:
        names = {each.name, *modules[each.module]}
        if each.name != "*":
            yield each.alias or each.name, names
        if each.name == "*" or each.alias == WHOLE:
            yield from ((name, names) for name in names_of_file(path))
    yield from _interfaces(facts)


def _interfaces(facts: FileFacts) -> Iterator[tuple[str, set[str]]]:
    """Yield what a type has to have besides a method to be one of Go's interfaces."""
    for index, each in enumerate(facts.definitions):
        if each.kind == "interface" and facts.language == "go":
            methods = {inner.name for inner in facts.definitions if inner.scope == index}
            yield from ((name, methods) for name in methods)
