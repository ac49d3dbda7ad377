"""The definitions of one file as a tree of scopes, with the names that each of them binds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zapomni_core.code.model import (
    ADDITIONS,
    MODULE,
    OF_OBJECT,
    OF_TRAIT,
    RAISED,
    STATIC,
    TRAIT,
    Binding,
    Definition,
    FileFacts,
    Import,
    symbol_id,
)

__all__ = ["CLASS_KINDS", "Source", "Symbol"]

CLASS_KINDS: Final = frozenset({"class", "interface", "struct", "enum", "union", "type"})
_SELVES: Final = ("self.", "this.", "cls.")
# Languages in which functions of one name are told apart by what they are given, or by what
# they are built for.
_OVERLOADING: Final = frozenset(
    {"c", "cpp", "csharp", "groovy", "java", "kotlin", "rust", "scala", "solidity", "swift"}
)
# Languages in which what is said of a class at several places adds up.
_IN_PARTS: Final = frozenset({"c", "cpp", "csharp", "ruby", "scala", "swift"})
# Languages in which a type and something else may have one name, or two say what one type has.
_WITH_TWINS: Final = frozenset({"tsx", "typescript"})
_ACCESSORS: Final = (".setter", ".deleter")
_WHOLE: Final = Definition("", "", "module", 0)


class Symbol:
    """A definition, or a whole module, and what its body binds.

    `parent` is the scope around it, `owner` the class it belongs to: in Go and Rust a method
    stands beside its type.
    """

    __slots__ = (
        "bindings",
        "definition",
        "id",
        "imports",
        "index",
        "is_abstract",
        "is_class",
        "members",
        "overloads",
        "own_members",
        "owner",
        "parameters",
        "parent",
        "properties",
        "source",
        "twin",
    )

    def __init__(
        self, source: Source, index: int, definition: Definition, parent: Symbol | None
    ) -> None:
        self.source = source
        self.index = index
        self.id = symbol_id(source.path, definition.qname)
        self.parent = parent
        self.is_class = definition.kind in CLASS_KINDS
        self.owner = parent if parent is not None and parent.is_class else None
        # A static method beside another one of the same name has the word in front of its own,
        # and so has one of a trait.
        self.members: dict[str, Symbol] = {}
        # Those that stand in its own body: all, unless it shares them with a twin.
        self.own_members = self.members
        # The type that has the same name as this function.
        self.twin: Symbol | None = None
        # Functions of objects that are written in its body.
        self.properties: dict[str, Symbol] = {}
        # All of the same name, this one as well, if there are several.
        self.overloads: list[Symbol] = []
        self.define(definition)

    def define(self, definition: Definition) -> None:
        """Take a definition, of the same name as the one before it if there was any."""
        self.definition = definition
        self.is_abstract = bool(definition.decorators) and any(
            each.endswith("abstractmethod") for each in definition.decorators
        )
        self.bindings: dict[str, list[Binding]] = {}
        self.imports: dict[str, list[Import]] = {}
        # The bare names of the parameters, in their order.
        self.parameters = tuple([name.lstrip("*&.") for name, _ in definition.parameters])

    @property
    def is_module(self) -> bool:
        return self.definition.kind == "module"

    @property
    def is_property(self) -> bool:
        """Whether its value is read like an attribute, and so is what it returns."""
        return self.definition.kind == "property" or any(
            "property" in decorator for decorator in self.definition.decorators
        )

    @property
    def is_accessor(self) -> bool:
        """Whether it only changes or removes what a property of the same name gives."""
        return any(each.endswith(_ACCESSORS) for each in self.definition.decorators)

    @property
    def is_static(self) -> bool:
        return STATIC in self.definition.decorators

    @property
    def is_of_trait(self) -> bool:
        """Whether a type of Rust has it for a trait."""
        return OF_TRAIT in self.definition.decorators

    @property
    def is_trait(self) -> bool:
        """Whether it is a trait of PHP."""
        return TRAIT in self.definition.decorators

    def is_called_on(self, of_class: bool) -> bool:
        """Tell whether a method of Ruby may be that of a class itself, or that of its objects."""
        is_of_module = of_class and self.parent is not None and self.parent.is_module
        return self.is_static == of_class or is_of_module

    @property
    def is_addition(self) -> bool:
        """Whether it adds to a class that is defined elsewhere, or stands beside it."""
        decorators = self.definition.decorators
        return bool(decorators) and not ADDITIONS.isdisjoint(decorators)

    def enter(self, member: Symbol) -> None:
        """Take in a member, beside others of the same name."""
        name, language = member.definition.name, self.source.language
        known = self.members.get(name)
        kept = member
        if known is None:
            self.members[name] = self.own_members[name] = member
            return
        if language in _IN_PARTS and _are_parts(known, member):
            member.members = known.members
            kept = member if known.is_addition and not member.is_addition else known
        elif language in _WITH_TWINS and _are_twins(known, member):
            kept, kind = (member, known) if _comes_second(known) else (known, member)
            kept.twin = kind
            if kept.is_class:
                kept.own_members = dict(kept.own_members)
                kept.members.update(kind.members)
                kind.members = kept.members
        elif known.is_static != member.is_static:
            self.members[f"{STATIC} {name}"] = known if known.is_static else member
            kept = member if known.is_static else known
        elif known.is_of_trait != member.is_of_trait:
            kept, other = (member, known) if known.is_of_trait else (known, member)
            first = self.members.setdefault(f"{OF_TRAIT} {name}", other)
            if first is not other:
                first.overload(other)
        elif known.overload(member) or (known.is_property and member.is_accessor):
            kept = known
        self.members[name] = self.own_members[name] = kept

    def binds(self, name: str) -> bool:
        """Tell whether a name is bound in the body, or by the parameters."""
        return (
            name in self.bindings
            or name in self.parameters
            or name in self.own_members
            or name in self.imports
        )

    def overload(self, other: Symbol) -> bool:
        """Let another function of the same name be called together with this one, if it is."""
        can_be = self.source.language in _OVERLOADING
        if not can_be or not (self.can_be_called and other.can_be_called):
            return False
        if self.source.language == "rust" and self.definition.kind != other.definition.kind:
            # A macro has nothing to do with a function of its name.
            return False
        self.overloads = self.overloads or [self]
        self.overloads.append(other)
        other.overloads = self.overloads
        return True

    def overloads_with(self, arguments: int) -> list[Symbol]:
        """Return those of the overloads that can take so many arguments, or else may."""
        exact = [e for e in self.overloads if len(e.definition.parameters) == arguments]
        open_ended = [e for e in self.overloads if e.takes_any_number and e.least <= arguments]
        # What is left out may have a default.
        more = [e for e in self.overloads if len(e.definition.parameters) > arguments]
        fitting = list(dict.fromkeys([*exact, *open_ended]))
        return fitting or more or self.overloads

    @property
    def can_be_called(self) -> bool:
        """Whether it is a function, and neither a class nor a module."""
        return not (self.is_class or self.is_module)

    @property
    def least(self) -> int:
        """How many arguments it takes at least."""
        return len(self.definition.parameters) - self.takes_any_number

    @property
    def takes_any_number(self) -> bool:
        parameters = self.definition.parameters
        return bool(parameters) and parameters[-1][0].startswith("...")

    def around(self) -> Iterator[Symbol]:
        """Yield this scope and those around it, from the inside out."""
        at: Symbol | None = self
        while at is not None:
            yield at
            at = at.parent

    def enclosing_class(self) -> Symbol | None:
        """Return the class in which this definition stands, however deep."""
        for each in self.around():
            if each.is_class:
                return each
            if each.owner is not None:
                return each.owner
        return None


def _are_twins(one: Symbol, other: Symbol) -> bool:
    has_interface = "interface" in {one.definition.kind, other.definition.kind}
    return one.is_class != other.is_class or (one.is_class and has_interface)


def _comes_second(symbol: Symbol) -> bool:
    """Tell whether something else of the same name is what a value is made by."""
    return symbol.definition.kind in {"interface", "type"}


def _are_parts(one: Symbol, other: Symbol) -> bool:
    return (one.is_class and other.is_class) or (one.is_module and other.is_module)


def _are_alike(one: Symbol, other: Symbol) -> bool:
    return one.definition.name == other.definition.name and one.is_of_trait == other.is_of_trait


def _owner_in(qname: str, name: str) -> str:
    """Return what stands in front of a name, if anything does; `run#2` is a second `run`."""
    whole = qname.rpartition("#")[0] or qname
    return whole.removesuffix(name).rstrip(".")


class Source:
    """A file of the repository; it stays the same object while what is in it changes."""

    def __init__(self, path: str, facts: FileFacts) -> None:
        self.path = path
        self.take(facts)

    def take(self, facts: FileFacts) -> None:
        """Take the facts of the file as it is now."""
        self.facts = facts
        self.language = facts.language
        self._symbols: tuple[Symbol, ...] | None = None
        self._module = Symbol(self, MODULE, _WHOLE, None)
        # Methods of a type that is not in this file, by its name.
        self._strays: dict[str, list[Symbol]] = {}

    def refresh(self, facts: FileFacts) -> bool:
        """Take facts that define the same; tell whether they do, and the symbols stayed."""
        symbols = self._symbols
        before, after = self.facts.definitions, facts.definitions
        if symbols is None or [each[:3] for each in before] != [each[:3] for each in after]:
            return False
        self.facts = facts
        self._module.define(_WHOLE)
        for symbol, definition in zip(symbols, after, strict=True):
            symbol.define(definition)
        self._bind(symbols)
        return True

    @property
    def module(self) -> Symbol:
        """The scope around everything in the file."""
        return self.scope(MODULE)

    def strays(self, owner: str) -> list[Symbol]:
        """Return the methods here of a type that is not here."""
        return self._strays.get(owner, []) if self.symbols else []

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The definitions, in the order of the facts."""
        if self._symbols is None:
            made: list[Symbol] = []
            module = self._module
            for index, definition in enumerate(self.facts.definitions):
                parent = module if definition.scope == MODULE else made[definition.scope]
                made.append(Symbol(self, index, definition, parent))
            self._place(made)
            self._bind(made)
            self._symbols = tuple(made)
        return self._symbols

    def scope(self, index: int) -> Symbol:
        """Return a definition, or the module."""
        symbols = self._symbols or self.symbols
        return self._module if index == MODULE else symbols[index]

    def _place(self, made: list[Symbol]) -> None:
        beside: list[tuple[Symbol, str]] = []
        announced = self._announced() if self.language == "rust" else ()
        for symbol in made:
            if symbol.index in announced:
                continue
            name, qname = symbol.definition.name, symbol.definition.qname
            parent = symbol.parent
            assert parent is not None
            around = parent.definition.qname
            if parent.is_addition:
                # Members of an addition go by the name of what it adds to.
                around = around.rpartition("#")[0] or around
            rest = qname.removeprefix(f"{around}.") if around else qname
            owner = "" if rest == name else _owner_in(rest, name)
            if owner:
                beside.append((symbol, owner))
            elif OF_OBJECT in symbol.definition.decorators:
                parent.properties[name] = symbol
            else:
                parent.enter(symbol)
        for symbol, owner in beside:
            self._own(symbol, owner)

    def _announced(self) -> set[int]:
        """Return the modules with nothing in them here: `mod a;` stands in a file of its own."""
        facts = self.facts
        modules = {i for i, each in enumerate(facts.definitions) if each.kind == "module"}
        for held in (facts.definitions, facts.imports, facts.bindings) if modules else ():
            modules.difference_update(each.scope for each in held)
        return modules

    def _own(self, symbol: Symbol, owner: str) -> None:
        at: Symbol | None = symbol.parent
        for name in owner.split("."):
            at = at.members.get(name) if at is not None else None
        if at is None:
            strays = self._strays.setdefault(owner, [])
            known = next((each for each in strays if _are_alike(each, symbol)), None)
            strays.append(symbol)
            if known is not None:
                known.overload(symbol)
        else:
            symbol.owner = at
            at.enter(symbol)

    def _bind(self, made: Sequence[Symbol]) -> None:
        # The module comes last, where its index leads to.
        scopes = (*made, self._module)
        for imported in self.facts.imports:
            alias = imported.alias or imported.name
            scopes[imported.scope].imports.setdefault(alias, []).append(imported)
        for binding in self.facts.bindings:
            at, target = scopes[binding.scope], binding.target
            scope: Symbol | None = at
            if "." in target and target.startswith(_SELVES):
                target = target.partition(".")[2]
                scope = at.enclosing_class()
            if scope is not None:
                held = scope.bindings.setdefault(target, [])
                # A name that holds something unreadable hides others all the same; what it held
                # before may still be true, unless it is another name until its block ends.
                if binding.value != "?" or binding.until:
                    held.append(binding)
                if binding.target == RAISED and scope is not self._module:
                    scope.is_abstract = True
