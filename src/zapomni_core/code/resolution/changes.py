"""What a change of one file means to the others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from zapomni_core.code.model import MODULE, Definition, FileFacts
from zapomni_core.code.resolution.chains import names_in
from zapomni_core.code.resolution.tables import CLASS_KINDS

__all__ = ["Mentions", "changed_names"]

_SELVES: Final = ("self.", "this.", "cls.")
# What a function returns and yields is bound to these.
_RESULTS: Final = frozenset({"return", "yield"})


def changed_names(path: str, before: FileFacts | None, after: FileFacts | None) -> set[str]:
    """Return the names that mean something else than before; a changed body changes none."""
    old, new = _meanings(before), _meanings(after)
    changed = {name for name, _ in old.symmetric_difference(new)}
    if before is None or after is None:
        changed.update(names_in(path))
    return changed


class Mentions:
    """The names one file refers to, and which of its own names depend on which others."""

    __slots__ = ("_depends", "names")

    def __init__(self, facts: FileFacts) -> None:
        self.names: frozenset[str] = frozenset(_mentioned(facts))
        self._depends = [
            (name, frozenset(names))
            for name, names in _dependencies(facts)
            if names and not names <= {name}
        ]

    def shift(self, names: Collection[str]) -> Iterator[str]:
        """Yield the names of this file whose meaning rests on some of the given ones."""
        for name, mentioned in self._depends:
            if not mentioned.isdisjoint(names):
                yield name


def _meanings(facts: FileFacts | None) -> set[tuple[str, object]]:
    if facts is None:
        return set()
    found: set[tuple[str, object]] = set()
    for definition in facts.definitions:
        found.update((name, _meaning(definition)) for name in _known_as(definition, facts))
    for each in facts.imports:
        if each.scope == MODULE:
            names = [each.alias or each.name] if each.name != "*" else names_in(each.module)
            found.update((name, ("import", each.module, each.name)) for name in names)
    local = _locals(facts)
    for target, scope, value in _lasting_values(facts):
        rest = frozenset(_through(local.get(scope, {}), names_in(value)))
        found.add((target, ("binding", value, rest)))
    return found


def _meaning(definition: Definition) -> object:
    return (
        definition.qname,
        definition.kind,
        definition.bases,
        definition.parameters,
        definition.returns,
        definition.decorators,
    )


def _known_as(definition: Definition, facts: FileFacts) -> list[str]:
    """Return the names by which a definition is reached: constructors by that of their class."""
    known = [definition.name]
    if definition.kind == "method":
        owner = definition.qname.rpartition(".")[0]
        known.append(owner.rpartition(".")[2].partition("#")[0])
        if not definition.name.startswith("__") and facts.language == "python":
            known.pop()
    elif definition.kind in CLASS_KINDS:
        within = f"{definition.qname}."
        known += [each.name for each in facts.definitions if each.qname.startswith(within)]
    return known


def _lasting_values(facts: FileFacts) -> Iterator[tuple[str, int, str]]:
    """Yield what is bound in modules and classes, and what functions are seen to return."""
    for each in facts.bindings:
        scope = None if each.scope == MODULE else facts.definitions[each.scope]
        if each.target in _RESULTS and scope is not None:
            yield scope.name, each.scope, each.value
        elif each.target.startswith(_SELVES):
            yield each.target.partition(".")[2], each.scope, each.value
        elif scope is None or scope.kind in CLASS_KINDS:
            yield each.target.rpartition(".")[2], each.scope, each.value


def _mentioned(facts: FileFacts) -> Iterator[str]:
    for call in facts.calls:
        yield call.name
        yield from names_in(call.receiver)
    for binding in facts.bindings:
        yield from names_in(binding.value)
    for definition in facts.definitions:
        yield definition.name
        yield from _written(definition)
    for each in facts.imports:
        yield from (each.name, each.alias, *names_in(each.module))
    yield from names_in(facts.package)


def _written(definition: Definition) -> Iterator[str]:
    texts = (*definition.bases, definition.returns, *(kind for _, kind in definition.parameters))
    for text in texts:
        yield from names_in(text)


def _dependencies(facts: FileFacts) -> Iterator[tuple[str, set[str]]]:
    yield from ((each.name, set(_written(each))) for each in facts.definitions)
    local = _locals(facts)
    for target, scope, value in _lasting_values(facts):
        yield target, _through(local.get(scope, {}), names_in(value))
    for each in facts.imports:
        yield each.alias or each.name, {each.name, *names_in(each.module)}
    yield from _interfaces(facts)


def _locals(facts: FileFacts) -> dict[int, dict[str, set[str]]]:
    """Return what the locals of each function that keeps or returns something rest on."""
    keeping = {scope for _, scope, _ in _lasting_values(facts)} - {MODULE}
    found: dict[int, dict[str, set[str]]] = {scope: {} for scope in keeping}
    for each in facts.bindings:
        if each.scope in found:
            found[each.scope].setdefault(each.target, set()).update(names_in(each.value))
    for scope, held in found.items():
        for name, kind in facts.definitions[scope].parameters:
            held.setdefault(name.lstrip("*&."), set()).update(names_in(kind))
    return found


def _through(local: dict[str, set[str]], names: Iterable[str]) -> set[str]:
    """Return names with everything that stands behind those which are locals."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(local.get(name, ()))
    return found


def _interfaces(facts: FileFacts) -> Iterator[tuple[str, set[str]]]:
    """Yield what a type has to have besides a method to be one of Go's interfaces."""
    for index, each in enumerate(facts.definitions):
        if each.kind == "interface" and facts.language == "go":
            methods = {inner.name for inner in facts.definitions if inner.scope == index}
            yield from ((name, methods) for name in methods)
