"""What a change of one file means to the others."""

from __future__ import annotations

from collections.abc import Iterator

from zapomni_core.code.model import MODULE, Definition, FileFacts
from zapomni_core.code.resolution.chains import WHOLE, names_in, names_of_file
from zapomni_core.code.resolution.lasting import Locals, lasting
from zapomni_core.code.resolution.tables import CLASS_KINDS

__all__ = ["changed_names"]

type _Meaning = tuple[str, object]


def changed_names(path: str, before: FileFacts | None, after: FileFacts | None) -> set[str]:
    """Return the names that mean something else than before; a changed body changes none."""
    old, new = before or FileFacts(""), after or FileFacts("")
    changed = _differing(set(_imported(old)), set(_imported(new)))
    # What stands for a whole file goes by the name under which that is imported.
    if _stars(old) != _stars(new) or WHOLE in changed:
        changed.update(names_of_file(path))
    are_same = _outline(old) == _outline(new)
    if not are_same:
        changed |= _differing(set(_defined(old)), set(_defined(new)))
    if not are_same or _bindings(old) != _bindings(new):
        changed |= _differing(set(_bound(old)), set(_bound(new)))
    if before is None or after is None:
        changed.update(names_in(path))
    if old.package != new.package:
        for facts in (old, new):
            changed.update(names_in(facts.package), (each.name for each in facts.definitions))
    return changed


def _differing(old: set[_Meaning], new: set[_Meaning]) -> set[str]:
    return {name for name, _ in old.symmetric_difference(new)}


def _outline(facts: FileFacts) -> list[tuple[object, ...]]:
    """Return what definitions mean to others, in the order of the text."""
    # A method that raises it is abstract: calls lead to its overrides.
    abstract = facts.abstract()
    return [
        (*_meaning(definition), index in abstract)
        for index, definition in enumerate(facts.definitions)
    ]


def _bindings(facts: FileFacts) -> list[tuple[object, ...]]:
    return [(*binding[:3], binding.scope) for binding in facts.bindings]


def _imported(facts: FileFacts) -> Iterator[_Meaning]:
    for each in facts.imports:
        if each.scope == MODULE:
            yield each.alias or each.name, (each.module, each.name)
            if each.alias and each.name != each.alias:
                # Under another name it may be a base here, which its own name does not tell.
                yield each.name, (each.module, each.alias)


def _stars(facts: FileFacts) -> list[str]:
    return [each.module for each in facts.imports if each.name == "*"]


def _defined(facts: FileFacts) -> Iterator[_Meaning]:
    inside = _names_inside(facts)
    left = _left_to_subclasses(facts)
    for definition, meaning in zip(facts.definitions, _outline(facts), strict=True):
        yield definition.name, meaning
        if definition.kind == "method":
            # Constructors are reached by the name of their class.
            owner = definition.qname.rpartition(".")[0]
            if definition.name.startswith("__") or facts.language != "python":
                yield owner.rpartition(".")[2].partition("#")[0], meaning
        elif definition.kind in CLASS_KINDS:
            # With one method left to subclasses, calls of all others lead there too.
            means = (*meaning, frozenset(left.get(definition.qname, ())))
            yield from ((name, means) for name in inside.get(definition.qname, ()))


def _names_inside(facts: FileFacts) -> dict[str, set[str]]:
    """Return the names of everything that a definition holds, however deep."""
    inside: dict[str, set[str]] = {}
    for each in facts.definitions:
        around = each.qname.rpartition(".")[0]
        while around:
            inside.setdefault(around, set()).add(each.name)
            around = around.rpartition(".")[0]
    return inside


def _left_to_subclasses(facts: FileFacts) -> dict[str, set[str]]:
    """Return the abstract methods of classes, by the names of both."""
    found: dict[str, set[str]] = {}
    for index in facts.abstract() - {MODULE}:
        owner, _, name = facts.definitions[index].qname.rpartition(".")
        found.setdefault(owner, set()).add(name)
    return found


def _bound(facts: FileFacts) -> Iterator[_Meaning]:
    local = Locals(facts)
    times: dict[str, int] = {}
    for target, binding in lasting(facts):
        names = local.behind(binding)
        behind = tuple(each[:3] for each in local.bindings(binding.scope, names))
        times[target] = times.get(target, 0) + 1
        yield target, (times[target], binding[1:3], behind, frozenset(names))


def _meaning(definition: Definition) -> tuple[object, ...]:
    return (
        definition.qname,
        definition.kind,
        definition.bases,
        definition.parameters,
        definition.returns,
        definition.decorators,
    )
