"""Attributes, results and items of what a chain stands for."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from functools import partial
from typing import Final

from zapomni_core.code.model import OF_TRAIT, STATIC, THIS
from zapomni_core.code.resolution.builtin_names import (
    CELL_METHODS,
    CELLS,
    CONTAINERS,
    ELEMENT_METHODS,
    SAME_METHODS,
)
from zapomni_core.code.resolution.chains import OBJECT, WHOLE
from zapomni_core.code.resolution.heritage import Heritage
from zapomni_core.code.resolution.hierarchy import Hierarchy
from zapomni_core.code.resolution.modules import Modules
from zapomni_core.code.resolution.names import FIELDS_APART, Names
from zapomni_core.code.resolution.tables import Source, Symbol
from zapomni_core.code.resolution.values import (
    OUTSIDE,
    UNBOUND,
    Bound,
    Either,
    External,
    Giving,
    Instance,
    Made,
    Namespace,
    Super,
    Unbound,
    Value,
    either,
    element_of,
)

__all__ = ["Members"]

_CONSTRUCTORS_NAMED_AS_CLASSES: Final = frozenset({"c", "cpp", "csharp", "dart", "java"})
_EXPORTING_ONE: Final = frozenset({"javascript", "typescript", "tsx"})
_ONLY_TYPES: Final = frozenset({"interface", "type"})
# Methods that every class has, to make an object of it.
_MAKERS: Final = {"ruby": "new"}
_OF_ALL_OBJECTS: Final = {
    "java": frozenset(
        {"equals", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait"}
    )
}
# Methods that give an object of the same type, whoever has them.
_GIVING_ITSELF: Final = {
    "rust": frozenset({"by_ref", "clone", "default", "to_owned", "unwrap_or_default"})
}
_VIEWS: Final = frozenset({"values", "copy", "iter", "iter_mut", "into_iter", "stream", "filter"})
_ENUMS: Final = frozenset(
    {"enum.Enum", "enum.Flag", "enum.IntEnum", "enum.IntFlag", "enum.ReprEnum", "enum.StrEnum"}
)


class Members(Names):
    """Follow the links of a chain behind its first name."""

    hierarchy: Hierarchy
    heritage: Heritage

    def __init__(self, modules: Mapping[str, Modules]) -> None:
        super().__init__(modules)
        self._overriding: dict[tuple[Symbol, str], tuple[Symbol, ...]] = {}
        self._told: dict[Symbol, frozenset[Symbol]] = {}
        self._abstract: dict[Symbol, bool] = {}
        self._own_abstract: dict[Symbol, list[tuple[str, Symbol]]] = {}

    def forget(self, source: Source) -> None:
        """Forget what was worked out inside of one file."""
        super().forget(source)
        self.heritage.forget()

    def find(self, of: Symbol, name: str, *, above: bool = False) -> Symbol | None:
        """Return the member of a class or of what it inherits from."""
        own, inherited = self.heritage[of]
        found = None if above else own.get(name)
        return inherited.members.get(name) if found is None else found

    def _find_above(self, of: Symbol, name: str) -> Symbol | None:
        """Return what `super` means; in PHP the traits of a class are as near as itself."""
        bases = self.hierarchy.bases(of) if of.source.language == "php" else ()
        if not any(isinstance(each, Symbol) and each.is_trait for each in bases):
            return self.find(of, name, above=True)
        above = (e for e in bases if isinstance(e, Symbol) and not e.is_trait)
        return next((found for each in above if (found := self.find(each, name))), None)

    def overriding(self, of: Symbol, name: str) -> tuple[Symbol, ...]:
        """Return the methods that a call on some object of a class or a subclass may reach."""
        key = (of, name)
        known = self._overriding.get(key)
        if known is None:
            targets = dict.fromkeys(self._reached(of, name))
            known = tuple([each for each in targets if each is not None and not each.is_class])
            self._overriding[key] = known
        return known

    def _reached(self, of: Symbol, name: str) -> list[Symbol | None]:
        """Return what each class below one has under a name, unless its only base tells it."""
        below = self.hierarchy.below(of)
        if of.source.language == "rust" and of.definition.kind == "interface":
            of_trait = f"{OF_TRAIT} {name}"
            return [self.find(each, of_trait) or self.find(each, name) for each in below]
        told = self._told_below(of) if of.source.language == "python" else ()
        return [
            self.find(each, name) for each in below if name in each.members or each not in told
        ]

    def _told_below(self, of: Symbol) -> frozenset[Symbol]:
        """Return the classes below one that have no base but another one of these."""
        known = self._told.get(of)
        if known is None:
            below = dict.fromkeys(self.hierarchy.below(of))
            bases = ((each, self.hierarchy.bases(each)) for each in below)
            known = self._told[of] = frozenset(
                [each for each, above in bases if len(above) == 1 and above[0] in below]
            )
        return known

    def is_abstract(self, of: Symbol) -> bool:
        """Tell whether a class leaves a method to its subclasses."""
        known = self._abstract.get(of)
        if known is None:
            known = self._abstract[of] = any(
                self.find(of, name) is member
                for each in self.hierarchy.order(of)
                for name, member in self._abstract_in(each)
            )
        return known

    def _abstract_in(self, of: Symbol) -> list[tuple[str, Symbol]]:
        """Return the members that a class itself leaves to others, by their names."""
        known = self._own_abstract.get(of)
        if known is None:
            known = [each for each in of.members.items() if each[1].is_abstract]
            self._own_abstract[of] = known
        return known

    def owner_beside(self, method: Symbol) -> Symbol | None:
        """Return the type of a method that stands in another file, or of what it extends."""
        if method.parameters[:1] == (THIS,):
            extended = self._parameter(method, THIS)
            of = extended.of if isinstance(extended, Instance) else None
            return of if isinstance(of, Symbol) else None
        modules = self.modules_of(method)
        name = method.definition.qname.rpartition(".")[0]
        found = modules.beside(method, name) if modules is not None and name else None
        return found if isinstance(found, Symbol) and found.is_class else None

    def attribute(self, value: Value, name: str) -> Value | Unbound:
        """Return what an attribute stands for."""
        if isinstance(value, Symbol):
            return self._of_symbol(value, name)
        if isinstance(value, Instance):
            of, arguments = value
            if isinstance(of, Symbol):
                return self._of_class(of, name, is_object=True)
            return _of_external(of, arguments, name)
        match value:
            case Either(values):
                return either(self.attribute(each, name) for each in values)
            case Super(of):
                member = self._find_above(of, name)
                return Bound(member, of) if member is not None else self._inherited(of, name)
            case External(dotted):
                return External(f"{dotted}.{name}") if dotted else OUTSIDE
            case Made(by):
                return self._of_made(by, name)
            case Namespace():
                modules = self.modules_of(value)
                return self.opened(modules.within(value, name)) if modules else UNBOUND
            case _:
                return None

    @abstractmethod
    def returned(self, function: Symbol, owner: Symbol | None) -> Value:
        """Return what a function returns, called on an object of a class."""

    @abstractmethod
    def result(self, value: Value) -> Value:
        """Return what a call gives."""

    def _of_symbol(self, symbol: Symbol, name: str) -> Value | Unbound:
        if symbol.is_class and name == "this":
            return Instance(symbol)
        if symbol.is_class:
            held = self._of_twin(symbol, name)
            return self._of_class(symbol, name, is_object=False) if held is None else held
        if not symbol.is_module:
            # `@f.again` in front of an f leads back to itself.
            key = (symbol, "@")
            made = self._memo.once(symbol.source, key, partial(self._decorated, symbol))
            return None if made is None else self.attribute(made, name)
        found = self.in_module(symbol, name) if symbol.parent is None else self.held(symbol, name)
        modules = self.modules_of(symbol)
        if (found is None or isinstance(found, Unbound)) and modules is not None:
            inner = self.opened(modules.within(symbol, name))
            found = found if isinstance(inner, Unbound) else inner
        if isinstance(found, Unbound):
            whole = self.whole(symbol)
            return found if whole is None else self._of_symbol(whole, name)
        return found

    def whole(self, module: Symbol) -> Symbol | None:
        """Return what stands for a whole file of JavaScript: `module.exports = C`."""
        if module.source.language not in _EXPORTING_ONE or module.parent is not None:
            return None
        found = self.in_module(module, WHOLE)
        return found if isinstance(found, Symbol) and not found.is_module else None

    def _starred(self, module: Symbol, name: str) -> Value | Unbound:
        # A module of Ruby has what it includes; constants are looked for while that is found out.
        if module.source.language != "ruby" or name[:1].isupper():
            return super()._starred(module, name)
        own, above = self.heritage[module]
        found = above.members.get(name) or own.get(f"{STATIC} {name}")
        return UNBOUND if found is None else Bound(found, module)

    def _of_twin(self, kind: Symbol, name: str) -> Value | Unbound:
        """Look into the constant that has the name of a type; a type itself is no value."""
        if kind.definition.kind not in _ONLY_TYPES or kind.parent is None:
            return None
        bindings = kind.parent.bindings.get(kind.definition.name)
        if not bindings:
            return None
        parent = kind.parent
        # Two of them may be constants that stand for each other.
        return self._memo.once_or_unbound(
            kind.source,
            (kind, name, "twin"),
            lambda: self.attribute(self.any_of(parent, bindings), name),
        )

    def _of_made(self, by: Symbol, name: str) -> Value:
        found = by.properties.get(name)
        bindings = by.bindings.get(f"{OBJECT}.{name}") if found is None else None
        return self.any_of(by, bindings) if bindings else found

    def _decorated(self, function: Symbol) -> Value:
        """Return the object that a decorator puts into the place of a function, if it does."""
        scope, definition = function.parent or function, function.definition
        for each in definition.decorators[:1]:
            made = self.result(self.chain(scope, each, definition.line))
            if isinstance(made, Instance) and isinstance(made.of, Symbol):
                return made
        return None

    def inside(self, of: Symbol, name: str, *, is_called: bool = False) -> Value | Unbound:
        """Return what an object of a class has under a name, as far as that is here."""
        if of.source.language in FIELDS_APART:
            if is_called and self.find(of, name) is None:
                return UNBOUND
            field = UNBOUND if is_called else self._field(of, name)
            if field is not UNBOUND:
                return field
        return self._held_by(of, name, is_object=True)

    def field(self, value: Value, name: str) -> Value | Unbound:
        """Return what an attribute stands for that is not called."""
        of = value.of if isinstance(value, Instance) else value
        if isinstance(of, Symbol) and of.is_class and of.source.language in FIELDS_APART:
            field = self._field(of, name)
            if field is not UNBOUND:
                return field
        return self.attribute(value, name)

    def _of_class(self, of: Symbol, name: str, *, is_object: bool) -> Value | Unbound:
        found = self._held_by(of, name, is_object=is_object)
        if isinstance(found, Unbound) and name in _GIVING_ITSELF.get(of.source.language, ()):
            return Giving(Instance(of))
        return self._inherited(of, name) if isinstance(found, Unbound) else found

    def _held_by(self, of: Symbol, name: str, *, is_object: bool) -> Value | Unbound:
        member = self.find(of, name)
        if not is_object:
            member = self._of_class_itself(of, name, member)
        if member is not None:
            if member.is_class:
                return member
            if _is_constructor(member):
                return member.owner
            if is_object and member.is_property:
                return self.returned(member, of)
            return Bound(member, of)
        if name == "__class__" and is_object:
            return of
        if not is_object and name == _MAKERS.get(of.source.language):
            return of
        return self._field(of, name)

    def _of_class_itself(self, of: Symbol, name: str, member: Symbol | None) -> Symbol | None:
        """Return the method of a class itself, if that has one beside the one of its objects."""
        is_ruby = of.source.language == "ruby"
        if member is None and not is_ruby:
            return None
        # What a class of Ruby is extended with comes behind its own methods.
        is_own = is_ruby and member is not None and member.is_static
        return member if is_own else self.find(of, f"{STATIC} {name}") or member

    def _field(self, of: Symbol, name: str) -> Value | Unbound:
        holder = of if of.bindings.get(name) else self.heritage[of].above.holders.get(name)
        if holder is None:
            return UNBOUND
        bindings = holder.bindings[name]
        is_given = any(one.target == name and one.how == "value" for one in bindings)
        if is_given and self._is_enum(holder):
            return Instance(of)
        return self._memo.once(
            holder.source, (holder, name), partial(self.any_of, holder, bindings)
        )

    def _is_enum(self, of: Symbol) -> bool:
        """Tell whether what stands in the body of a class of Python are its only objects."""
        return of.source.language == "python" and any(
            isinstance(base, External) and base.dotted in _ENUMS
            for each in self.hierarchy.order(of)
            for base in self.hierarchy.bases(each)
        )

    def _inherited(self, of: Symbol, name: str) -> Value | Unbound:
        if name in _OF_ALL_OBJECTS.get(of.source.language, ()):
            return External(f"Object.{name}")
        outside = self.hierarchy.outside(of)
        if outside is not None:
            return External(f"{outside.dotted}.{name}")
        return UNBOUND if self.hierarchy.is_closed(of) else None


def _is_constructor(method: Symbol) -> bool:
    """Tell whether a method has the name of its class, which is the one that is meant then."""
    owner = method.owner
    return (
        owner is not None
        and owner.definition.name == method.definition.name
        and method.source.language in _CONSTRUCTORS_NAMED_AS_CLASSES
    )


def _of_external(of: External, arguments: tuple[Value, ...], name: str) -> Value:
    last = of.dotted.rpartition(".")[2]
    if arguments and last in CELLS and name in CELL_METHODS:
        return Giving(arguments[-1])
    if arguments and last in CONTAINERS:
        if name in SAME_METHODS:
            return Giving(Instance(of, arguments))
        if name == "items":
            return Giving(Instance(External("list"), (Instance(External("tuple"), arguments),)))
        if name in ELEMENT_METHODS:
            return Giving(element_of(of, arguments))
        if name in _VIEWS:
            return Giving(Instance(External("list"), arguments[-1:]))
    return External(f"{of.dotted}.{name}") if of.dotted else OUTSIDE
