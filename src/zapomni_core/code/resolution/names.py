"""Names: what a scope, the scopes around it and the imports of its file bind them to."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from typing import Final

from zapomni_core.code.model import THIS, Binding
from zapomni_core.code.resolution.annotations import BRACKETS, Annotation, read_annotation
from zapomni_core.code.resolution.builtin_names import (
    CELLS,
    CONTAINERS,
    FUNCTION_TYPES,
    is_builtin,
)
from zapomni_core.code.resolution.imports import ANYWHERE, Imports
from zapomni_core.code.resolution.tables import Symbol
from zapomni_core.code.resolution.values import (
    UNBOUND,
    Bound,
    Either,
    External,
    Instance,
    Unbound,
    Value,
    either,
    is_here,
    shallow,
)

__all__ = ["FIELDS_APART", "OF_THE_CLASS", "Names"]

# Languages in which a method and a variable may have one name.
FIELDS_APART: Final = frozenset({"java", "rust"})

# Languages where the body of a method sees the other members of its class by their bare names.
_IMPLICIT_THIS: Final = frozenset(
    {
        "java", "csharp", "kotlin", "scala", "swift", "cpp", "dart", "c", "groovy", "ruby",
        "solidity",
    }
)  # fmt: skip
# Languages in which a file may call for others by another name what it has by its own.
_EXPORTING: Final = frozenset({"javascript", "typescript", "tsx"})
# Those of them in which a method may stand outside of its class, in another file.
_METHODS_APART: Final = frozenset({"c", "cpp", "kotlin"})
# Types that need no import and hold others.
_HOLDERS: Final = CELLS | CONTAINERS | FUNCTION_TYPES
_WITH_ITEMS: Final = frozenset({"list", "tuple", "map", "Record"})
# Languages in which the object stands among the parameters of its methods.
_WRITTEN_SELF: Final = frozenset({"lua", "python", "rust", "starlark"})
_SELVES: Final = frozenset({"self", "this", "Self", "static"})
OF_THE_CLASS: Final = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})


class Names(Imports):
    """Look names up."""

    @abstractmethod
    def taken(self, value: Value, how: str) -> Value:
        """Return what a name holds that takes the items of something, or enters it."""

    @abstractmethod
    def inside(self, of: Symbol, name: str, *, is_called: bool = False) -> Value | Unbound:
        """Return what an object of a class has under a name, as far as that is here."""

    @abstractmethod
    def whole(self, module: Symbol) -> Symbol | None:
        """Return what stands for a whole file."""

    @abstractmethod
    def owner_beside(self, method: Symbol) -> Symbol | None:
        """Return the type of a method that stands in another file."""

    def named(
        self, scope: Symbol, name: str, line: int, *, is_called: bool = False
    ) -> Value | Unbound:
        """Return what a name stands for at a line of a scope, as a function if it is called."""
        language = scope.source.language
        if language in _IMPLICIT_THIS:
            return self._named_with_this(scope, name, line, is_called=is_called)
        at: Symbol | None = scope
        while at is not None:
            if at.parent is None:
                found = self.in_module(at, name, line if at is scope else ANYWHERE)
                if language in _EXPORTING and _is_only_exported(at, name):
                    found = UNBOUND
            elif (at.binds(name) or (language == "rust" and _brings_all(at))) and (
                not at.is_class or _is_seen(at, scope, name)
            ):
                found = self.held(at, name, line if at is scope else ANYWHERE)
            else:
                found = UNBOUND
            if found is not UNBOUND:
                return found
            at = at.parent
        if name in _SELVES and language != "python":
            owner = self._class_around(scope)
            if owner is not None:
                return owner if name == "Self" else Instance(owner)
        return self._beyond(scope, name)

    def _class_around(self, scope: Symbol) -> Symbol | None:
        """Return the class in which something stands, or that an `impl` elsewhere is of."""
        owner = scope.enclosing_class()
        if owner is not None or scope.source.language != "rust":
            return owner
        for each in scope.around():
            if each.definition.kind == "method" and each.parent is not None:
                name = each.definition.qname.rpartition(".")[0].rpartition(".")[2]
                found = self.chain(each.parent, name, ANYWHERE) if name else None
                return found if isinstance(found, Symbol) and found.is_class else None
        return None

    def _named_with_this(
        self, scope: Symbol, name: str, line: int, *, is_called: bool
    ) -> Value | Unbound:
        if name in _SELVES and (name == "this" or scope.source.language != "java"):
            owner = scope.enclosing_class() or self._class_apart(scope)
            if owner is not None:
                return owner if name == "Self" or _is_of_class(scope) else Instance(owner)
        at: Symbol | None = scope
        while at is not None:
            until = line if at is scope else ANYWHERE
            if at.parent is None:
                found = self.in_module(at, name, until)
            elif at.is_class and at.source.language == "ruby":
                found = self._in_ruby_class(at, scope, name)
            elif at.is_class:
                found = self.inside(at, name, is_called=is_called)
            elif is_called and at.source.language in FIELDS_APART:
                found = at.members.get(name, UNBOUND)
            else:
                found = self.held(at, name, until)
                if found is UNBOUND:
                    found = self._in_class_apart(at, name)
            if found is not UNBOUND:
                return found
            at = at.parent
        return self._inherited_or_beyond(scope, name)

    def _inherited_or_beyond(self, scope: Symbol, name: str) -> Value | Unbound:
        """Look outside of the file; what is not there either may come from a base outside."""
        found = self._beyond(scope, name)
        owner = scope.enclosing_class()
        # Types are looked for in files and packages, and would be found there.
        if owner is None or not isinstance(found, Unbound) or name[:1].isupper():
            return found
        return self.attribute(Instance(owner), name)

    def held(self, at: Symbol, name: str, line: int = ANYWHERE) -> Value | Unbound:
        """Return what a scope itself binds a name to."""
        if at.is_class:
            return self._in_class(at, name)
        member = at.members.get(name)
        bindings = at.bindings.get(name)
        if member is not None and not (bindings and _is_hidden(bindings, line)):
            return member
        before = [e for e in bindings if e.line <= line <= (e.until or line)] if bindings else None
        if before and (at.parent is not None or name not in at.imports):
            if before[-1].until == line:
                return self._on_one_line(at, name, before, line)
            return self._latest(at, before) if line != ANYWHERE else self.any_of(at, before)
        parameter = self._parameter(at, name)
        if not isinstance(parameter, Unbound):
            return parameter
        imports = at.imports.get(name)
        if imports is not None:
            return self._first_here([self.imported(at, each) for each in imports])
        if bindings is not None:
            lasting = [each for each in bindings if not each.until]
            if lasting or not bindings or line == ANYWHERE:
                return self.any_of(at, lasting or bindings)
        return self._starred(at, name) if at.parent is None or at.is_module else UNBOUND

    def in_module(self, module: Symbol, name: str, line: int = ANYWHERE) -> Value | Unbound:
        """Return what a whole file binds a name to, at a line or anywhere."""
        if line != ANYWHERE and name in module.bindings:
            return self.held(module, name, line)
        known = self._memo.within(module.source)
        if name in known:
            return known[name]
        return self._memo.once_or_unbound(module.source, name, partial(self.held, module, name))

    def any_of(self, at: Symbol, bindings: list[Binding]) -> Value:
        """Return the declared type of a name, or else the values that are known."""
        if len(bindings) == 1:
            return self._bound(at, bindings[0])
        said: Value = None
        for each in bindings:
            if each.how == "type":
                said = self._bound(at, each)
                if is_here(said):
                    return said
        seen = either(self._bound(at, each) for each in bindings if each.how != "type")
        return seen if said is None or is_here(seen) else said

    def typed(self, scope: Symbol, text: str, owner: Symbol | None = None) -> Value:
        """Return an object of a type as it is written in a scope."""
        return either(self._annotated(scope, each, owner) for each in read_annotation(text))

    def _in_class(self, at: Symbol, name: str) -> Value | Unbound:
        if at.source.language in _IMPLICIT_THIS:
            return self.inside(at, name)
        if name in at.members:
            return at.members[name]
        bindings = at.bindings.get(name)
        return self.any_of(at, bindings) if bindings is not None else UNBOUND

    def _in_ruby_class(self, at: Symbol, scope: Symbol, name: str) -> Value | Unbound:
        """Return an own method: of the class in its body and in methods of itself."""
        if name[:1].isupper() or at is not scope.enclosing_class():
            member = at.members.get(name)
            held = self.any_of(at, at.bindings[name]) if name in at.bindings else UNBOUND
            return member if member is not None and member.is_class else held
        is_of_class = _is_of_class(scope)
        found = self.attribute(at if is_of_class else Instance(at), name)
        is_other = isinstance(found, Bound) and not found.method.is_called_on(is_of_class)
        return None if is_other else found

    def _in_class_apart(self, at: Symbol, name: str) -> Value | Unbound:
        owner = self._class_apart(at)
        return UNBOUND if owner is None else self._in_class(owner, name)

    def _class_apart(self, at: Symbol) -> Symbol | None:
        is_apart = (
            at.source.language in _METHODS_APART
            and (at.definition.kind == "method" or at.parameters[:1] == (THIS,))
            and at.owner is None
        )
        return self.owner_beside(at) if is_apart else None

    def _on_one_line(self, at: Symbol, name: str, before: list[Binding], line: int) -> Value:
        """Return what a name may be on a line on which it is something else for a while."""
        here = [each for each in before if each.until == line]
        inside = [self._bound(at, each) for each in here]
        if any(each is None for each in inside):
            return None
        others = [each for each in before if each not in here]
        around = self._latest(at, others) if others else self._parameter(at, name)
        return either([*inside, around])

    def _latest(self, at: Symbol, before: list[Binding]) -> Value:
        if len(before) == 1 or before[-1].until:
            return self._bound(at, before[-1])
        for each in reversed(before):
            if each.how == "type":
                return self._bound(at, each)
        line = before[-1].line
        return self.any_of(at, [each for each in before if each.line == line])

    def _bound(self, at: Symbol, binding: Binding) -> Value:
        source = at.source
        known = self._memo.within(source).get(id(binding), UNBOUND)
        if not isinstance(known, Unbound):
            return known
        scope = source.scope(binding.scope)
        if binding.how == "type":
            return self._memo.once(source, id(binding), partial(self.typed, scope, binding.value))
        return self._memo.once(
            source, id(binding), lambda: self.taken(self._before(scope, binding), binding.how)
        )

    def _before(self, scope: Symbol, binding: Binding) -> Value:
        # `x = x.child` reads the x of before.
        head = binding.value.partition(".")[0].partition("(")[0]
        line = binding.line - 1 if head == binding.target else binding.line
        return self.chain(scope, binding.value, line)

    def _parameter(self, at: Symbol, name: str) -> Value | Unbound:
        if name not in at.parameters:
            return UNBOUND
        place = at.parameters.index(name)
        parameter, kind = at.definition.parameters[place]
        if kind:
            written = _all_of(parameter, kind) if at.source.language == "python" else kind
            return self._memo.once(at.source, (at, name), partial(self.typed, at, written))
        if place == 0 and at.owner is not None and at.source.language in _WRITTEN_SELF:
            return _receiver(at, at.owner)
        return None

    def _beyond(self, scope: Symbol, name: str) -> Value | Unbound:
        source = scope.source
        modules = self._modules.get(source.language)
        if modules is not None:
            found = self.opened(modules.beside(scope, name))
            if not isinstance(found, Unbound):
                return found
        return External(name) if is_builtin(source.language, name) else UNBOUND

    def _annotated(self, scope: Symbol, kind: Annotation, owner: Symbol | None) -> Value:
        last = kind.name.rpartition(".")[2]
        if last == "Self":
            owner = owner or self._class_around(scope)
            return Instance(owner) if owner is not None else None
        arguments = tuple(
            either(self._annotated(scope, each, owner) for each in alternatives)
            for alternatives in kind.arguments
        )
        if last in {"type", "Type"} and arguments:
            return _class_of(arguments[0])
        if kind.name in BRACKETS:
            return Instance(External(BRACKETS[kind.name]), arguments)
        return self._type_called(scope, kind.name, arguments) if kind.name else None

    def _type_called(self, scope: Symbol, name: str, arguments: tuple[Value, ...]) -> Value:
        found = self.chain(_around_types(scope, name), name, ANYWHERE)
        if isinstance(found, Symbol) and found.is_module and found.twin is None:
            found = self.whole(found)
        if isinstance(found, Symbol) and found.is_class:
            return self.meant(found) or Instance(found, arguments)
        if isinstance(found, Symbol) and found.twin is not None:
            return Instance(found.twin, arguments)
        if isinstance(found, External):
            return Instance(found, arguments)
        if isinstance(found, Instance):
            # A type variable stands for its bound.
            return found
        last = name.rpartition(".")[2]
        if found is None and (name in _WITH_ITEMS or (arguments and last in _HOLDERS)):
            return Instance(External(name), arguments)
        return None

    def meant(self, kind: Symbol) -> Value:
        """Return an object of the type that another name was given to, if that is here."""
        definition = kind.definition
        if definition.kind != "type" or not definition.returns:
            return None
        scope = kind.parent or kind
        meant = self._memo.once(
            kind.source, (kind, "="), partial(self.typed, scope, definition.returns)
        )
        return shallow(meant) if is_here(meant) else None


def _brings_all(at: Symbol) -> bool:
    """Tell whether a module inside of a file of Rust brings names that it does not list."""
    return at.is_module and "*" in at.imports


def _is_seen(at: Symbol, scope: Symbol, name: str) -> bool:
    """Tell whether what a class binds is seen in a scope inside of it, or in itself."""
    # Fields of Go have no bare names: one that is embedded is called like its type. Those of
    # Rust have none either, but type parameters stand beside them.
    language = at.source.language
    return at is scope and language != "go" and (language != "rust" or name[:1].isupper())


def _around_types(scope: Symbol, name: str) -> Symbol:
    """Leave the functions of Go, in which variables are often called like their types."""
    while scope.source.language == "go" and scope.parent is not None:
        member = scope.members.get(name)
        if member is not None and member.is_class:
            break
        scope = scope.parent
    return scope


def _is_hidden(bindings: list[Binding], line: int) -> bool:
    """Tell whether a name is something else on a line, until a block ends."""
    return any(each.line <= line <= each.until for each in bindings)


def _all_of(parameter: str, kind: str) -> str:
    """Write what `*args: T` and `**named: T` hold."""
    if parameter.startswith("**"):
        return f"dict[str, {kind}]"
    return f"tuple[{kind}]" if parameter.startswith("*") else kind


def _is_only_exported(module: Symbol, name: str) -> bool:
    """Tell whether it is only others who know something by a name: `export {a as name}`."""
    listed = module.imports.get(name)
    return (
        listed is not None
        and name not in module.members
        and name not in module.bindings
        and all(each.is_export for each in listed)
    )


def _receiver(method: Symbol, owner: Symbol) -> Value:
    decorators = method.definition.decorators
    if "staticmethod" in decorators:
        return None
    if "classmethod" in decorators or method.definition.name in OF_THE_CLASS:
        return owner
    return Instance(owner)


def _is_of_class(scope: Symbol) -> bool:
    """Tell whether the class itself is meant by self: in its body, and in its own methods."""
    return scope.source.language == "ruby" and (scope.is_class or scope.is_static)


def _class_of(value: Value) -> Value:
    if isinstance(value, Either):
        return either(_class_of(each) for each in value.values)
    return value.of if isinstance(value, Instance) else None
