"""What the parameters of a function are that is handed to another one."""

from __future__ import annotations

from typing import Final

from zapomni_core.code.resolution.annotations import function_parameters
from zapomni_core.code.resolution.builtin_names import CONTAINERS, FUNCTION_TYPES
from zapomni_core.code.resolution.imports import ANYWHERE
from zapomni_core.code.resolution.results import Results
from zapomni_core.code.resolution.tables import Symbol
from zapomni_core.code.resolution.values import (
    Bound,
    Either,
    External,
    Instance,
    Value,
    either,
    element_of,
)

__all__ = ["Handing"]

# Methods that call what they are handed with the elements of a container, one after another, by
# the places at which these stand.
_EACH: Final = {
    **dict.fromkeys(("every", "filter", "find", "findIndex", "findLast", "findLastIndex"), (0,)),
    **dict.fromkeys(("flatMap", "forEach", "map", "some"), (0,)),
    **dict.fromkeys(("allMatch", "anyMatch", "ifPresent", "noneMatch", "peek", "removeIf"), (0,)),
    **dict.fromkeys(("all", "and_then", "any", "filter_map", "flat_map", "for_each"), (0,)),
    **dict.fromkeys(("inspect", "is_none_or", "is_ok_and", "is_some_and", "map_or"), (0,)),
    **dict.fromkeys(("map_or_else", "map_while", "max_by_key", "min_by_key"), (0,)),
    **dict.fromkeys(("partition", "position", "retain", "rposition", "skip_while"), (0,)),
    **dict.fromkeys(("sort_by_key", "take_while", "try_for_each"), (0,)),
    **dict.fromkeys(("sort_by", "sort_unstable_by"), (0, 1)),
    **dict.fromkeys(("max", "min", "sort", "sorted", "toSorted"), (0, 1)),
    **dict.fromkeys(("fold", "reduce", "reduceRight"), (1,)),
}
# Those that take something else before it.
_SECOND: Final = frozenset({"fold", "map_or", "map_or_else"})
# A promise is taken for what it promises.
_LATER: Final = frozenset({"then"})
_ALIASES: Final = 4


class Handing(Results):
    """Follow what is handed to functions that are handed over themselves."""

    def handed(self, of: Value, name: str, argument: int, place: int) -> Value:
        """Return what a method of something hands to a parameter of one of its arguments."""
        match of:
            case Either(values):
                return either(self.handed(each, name, argument, place) for each in values)
            case Instance(External(dotted), arguments) if dotted.rpartition(".")[2] in CONTAINERS:
                is_element = argument == (name in _SECOND) and place in _EACH.get(name, ())
                is_known = is_element and bool(arguments)
                return element_of(External(dotted), arguments) if is_known else None
        method = self.attribute(of, name)
        if isinstance(method, Symbol | Bound):
            return self.handed_by(method, argument, place)
        return of if name in _LATER and argument == place == 0 else None

    def handed_by(self, function: Value, argument: int, place: int) -> Value:
        """Return what a function hands to a parameter of one of its arguments."""
        called = function.method if isinstance(function, Bound) else function
        if isinstance(called, Symbol) and called.is_class:
            called = self.find(called, "constructor")
        if not isinstance(called, Symbol):
            return None
        kinds = [kind for name, kind in called.definition.parameters if name != "this"]
        return self._given_to(called, kinds[argument], place) if argument < len(kinds) else None

    def _given_to(self, scope: Symbol, kind: str, place: int) -> Value:
        """Return what a function of a type takes at a place; the type may have a name."""
        for _ in range(_ALIASES):
            taken = function_parameters(kind)
            if taken is not None:
                return self.typed(scope, taken[place]) if place < len(taken) else None
            known = self.typed(scope, kind)
            if isinstance(known, Instance) and _name(known.of) in FUNCTION_TYPES:
                return known.arguments[place] if place < len(known.arguments) else None
            named = self.chain(scope, kind.partition("<")[0].strip(), ANYWHERE)
            if not isinstance(named, Symbol) or named.definition.kind != "type":
                return None
            scope, kind = named, named.definition.returns
        return None


def _name(of: Symbol | External) -> str:
    return of.definition.name if isinstance(of, Symbol) else of.dotted.rpartition(".")[2]
