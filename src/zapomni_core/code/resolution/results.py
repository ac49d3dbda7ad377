"""What calls give, what subscripts and loops take out, and what `with` enters."""

from __future__ import annotations

from functools import partial
from typing import Final

from zapomni_core.code.resolution.annotations import is_plain
from zapomni_core.code.resolution.builtin_names import CONTAINERS, is_builtin
from zapomni_core.code.resolution.chains import ITEM
from zapomni_core.code.resolution.members import Members
from zapomni_core.code.resolution.tables import Symbol
from zapomni_core.code.resolution.values import (
    OUTSIDE,
    Bound,
    Either,
    External,
    Giving,
    Instance,
    Value,
    either,
    element_of,
    is_here,
)

__all__ = ["Results"]

_ITSELF: Final = frozenset({"self", "cls()", "this"})
_TUPLES: Final = frozenset({"tuple", "Tuple"})


class Results(Members):
    """Follow calls, subscripts and loops."""

    def result(self, value: Value) -> Value:
        """Return what a call gives."""
        match value:
            case Symbol():
                return self._result_of(value)
            case Bound(method, owner):
                return self._given(method, owner)
            case Instance(Symbol() as of, _):
                caller = self.find(of, "__call__")
                return self.returned(caller, of) if caller is not None else None
            case Giving(given):
                return given
            case Either(values):
                return either(self.result(each) for each in values)
            case External(dotted):
                return _of_call(dotted)
            case _:
                return None

    def _result_of(self, called: Symbol) -> Value:
        if called.is_class:
            return self.meant(called) or Instance(called)
        whole = self.whole(called) if called.is_module else None
        return self._given(called, None) if whole is None else self._result_of(whole)

    def _given(self, function: Symbol, owner: Symbol | None) -> Value:
        """Return what a call of a function or of one of its overloads gives."""
        if not function.overloads:
            return self.returned(function, owner)
        return either(self.returned(each, owner) for each in function.overloads)

    def returned(self, function: Symbol, owner: Symbol | None) -> Value:
        """Return what a function says that it returns, or what is seen to be returned."""
        definition = function.definition
        said: Value = None
        if definition.returns:
            if owner is not None and _returns_itself(function):
                return Instance(owner)
            scope = function.parent or function
            said = self._memo.once(
                function.source,
                (function, owner),
                lambda: self.typed(scope, definition.returns, owner),
            )
            if is_plain(definition.returns) or (is_here(said) and not _may_be_function(function)):
                return said
        if not function.bindings:
            return said
        seen = self._memo.once(
            function.source, (function, owner, "seen"), partial(self._seen, function, owner)
        )
        if is_here(said):
            return either((said, seen)) if _is_function(seen) else said
        return seen if said is None or is_here(seen) else said

    def _seen(self, function: Symbol, owner: Symbol | None) -> Value:
        returned = function.bindings.get("return")
        if returned:
            if owner is not None and any(each.value in _ITSELF for each in returned):
                return Instance(owner)
            return self.any_of(function, returned)
        yielded = function.bindings.get("yield")
        if not yielded:
            return None
        given = self.any_of(function, yielded)
        return None if given is None else Instance(External("Generator"), (given,))

    def item(self, value: Value, place: int | None = None) -> Value:
        """Return what a subscript gives, or what stands at a place of a tuple."""
        match value:
            case Instance(External(dotted), arguments) if place is not None:
                return _at_place(dotted, arguments, place)
            case Either(values):
                return either(self.item(each, place) for each in values)
            case Instance(Symbol() as of, _) if of.bindings.get(ITEM):
                return self._item_of_type(of, place)
            case Instance(Symbol() as of, arguments):
                method = self.find(of, "__getitem__")
                if method is None and of.definition.kind == "type" and arguments:
                    # `type Result<T> = std::result::Result<T, Error>;`
                    return arguments[0]
                return self.returned(method, of) if method is not None else None
            case Instance(External() as of, arguments):
                return element_of(of, arguments) if 0 < len(arguments) <= 2 else None
            case Symbol() if value.is_class:
                return value
            case External():
                return value
            case _:
                return None

    def _item_of_type(self, of: Symbol, place: int | None) -> Value:
        # `type list []list` is one of its own items.
        return self._memo.once(
            of.source,
            (of, ITEM, place),
            lambda: self.item(self.any_of(of, of.bindings[ITEM]), place),
        )

    def taken(self, value: Value, how: str) -> Value:
        """Return what a name holds that takes the items of something, or enters it."""
        if how == "item":
            return self._each(value)
        return self._entered(value) if how == "enter" else value

    def _each(self, value: Value) -> Value:
        match value:
            case Instance(Symbol() as of, _):
                method = self.find(of, "__iter__")
                items = self.returned(method, of) if method is not None else None
                if isinstance(items, Instance) and isinstance(items.of, Symbol):
                    method = self.find(items.of, "__next__")
                    return self.returned(method, items.of) if method is not None else None
                return self._each(items)
            case Instance(External(), arguments):
                return arguments[0] if arguments else None
            case Either(values):
                return either(map(self._each, values))
            case _:
                return None

    def _entered(self, value: Value) -> Value:
        match value:
            case Instance(Symbol() as of, _):
                method = self.find(of, "__enter__") or self.find(of, "__aenter__")
                entered = self.returned(method, of) if method is not None else None
                return value if entered is None else entered
            case Instance(External(), arguments) if arguments:
                return arguments[0]
            case Instance(External()) | External():
                return OUTSIDE
            case Either(values):
                return either(map(self._entered, values))
            case _:
                return None


def _at_place(dotted: str, arguments: tuple[Value, ...], place: int) -> Value:
    if dotted.rpartition(".")[2] in _TUPLES and len(arguments) > 1:
        return arguments[place] if place < len(arguments) else None
    if not arguments and dotted not in CONTAINERS:
        return OUTSIDE
    return arguments[0] if len(arguments) == 1 else None


def _of_call(dotted: str) -> Value:
    last = dotted.rpartition(".")[2]
    if last[:1].isupper() or last in {"str", "bytes", "dict", "list", "set", "tuple", "int"}:
        return Instance(External(dotted))
    return None if is_builtin("python", dotted) else OUTSIDE


def _may_be_function(function: Symbol) -> bool:
    """Tell whether a type allows a function beside an object, as that of many decorators."""
    return "Callable[" in function.definition.returns


def _is_function(value: Value) -> bool:
    values = value.values if isinstance(value, Either) else (value,)
    return any(isinstance(each, Symbol) and not each.is_class for each in values)


def _returns_itself(method: Symbol) -> bool:
    parameters = method.definition.parameters
    if method.source.language != "python" or not parameters:
        return False
    kind, returned = parameters[0][1].strip(), method.definition.returns
    return kind in {returned, f"type[{returned}]", f"Type[{returned}]"}
