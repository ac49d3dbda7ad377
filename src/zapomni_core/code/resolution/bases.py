"""Which classes a class names as its bases, and which name it as theirs."""

from __future__ import annotations

from collections.abc import Iterator

from zapomni_core.code.model import EXTENDING, INCLUDING
from zapomni_core.code.resolution.annotations import read_annotation
from zapomni_core.code.resolution.chains import ITEM
from zapomni_core.code.resolution.directory import Directory
from zapomni_core.code.resolution.evaluation import Evaluation
from zapomni_core.code.resolution.tables import Symbol
from zapomni_core.code.resolution.values import OUTSIDE, External, Value

__all__ = ["Bases", "Derived"]


class Bases:
    """Find the bases of a class."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation

    def __call__(self, of: Symbol) -> tuple[Symbol | External | None, ...]:
        definition = of.definition
        if definition.kind == "type" and of.source.language == "rust" and definition.returns:
            # What is another name for a type has all that this type has.
            return (self._base(of, definition.returns),)
        if of.source.language == "ruby":
            return tuple(self._of_ruby(of))
        twin = of.twin.definition.bases if of.twin is not None else ()
        return tuple(self._base(of, each) for each in (*definition.bases, *twin))

    def extending(self, of: Symbol) -> tuple[Symbol, ...]:
        """Return the modules of Ruby whose methods a class itself has, the nearest one last."""
        told = [each for each in of.definition.bases if each.startswith(EXTENDING)]
        found = [self._base(of, each) for each in reversed(told)]
        return tuple([each for each in found if isinstance(each, Symbol)])

    def _of_ruby(self, of: Symbol) -> Iterator[Symbol | External | None]:
        """Yield the class above, and the modules as far as they are here.

        Most modules from outside are of the language, and bring nothing that is asked for here.
        """
        for each in of.definition.bases:
            if not each.startswith(EXTENDING):
                found = self._base(of, each)
                if isinstance(found, Symbol) or not each.startswith(INCLUDING):
                    yield found

    def _base(self, of: Symbol, text: str) -> Symbol | External | None:
        scope = of.parent or of
        is_mixed = text.startswith((INCLUDING, EXTENDING))
        if is_mixed:
            text = text.partition(" ")[2]
            own = of.members.get(text.removeprefix(f"{of.definition.name}."))
            if own is not None and own.is_module:
                return own
        # The brackets of `A[int]` are empty here, and no list.
        kinds = read_annotation(text.replace(ITEM, ""))
        if not kinds or "?" in text:
            return None
        found: Value = self._evaluation.chain(scope, kinds[0].name, of.definition.line)
        if found is of:
            imports = scope.imports.get(of.definition.name, ())
            found = next((self._evaluation.imported(scope, each) for each in imports), None)
        if isinstance(found, Symbol) and found.is_module and is_mixed:
            return found if found is not of else None
        if isinstance(found, Symbol) and found.is_module:
            found = self._evaluation.whole(found)
        if isinstance(found, Symbol) and found.is_class:
            return found
        return found if isinstance(found, External) and found != OUTSIDE else None


class Derived:
    """Find the classes directly below a class."""

    def __init__(self, evaluation: Evaluation, directory: Directory) -> None:
        self._evaluation = evaluation
        self._directory = directory
        self._by_name: dict[tuple[str, str], dict[Symbol, list[Symbol]]] = {}

    def __call__(self, of: Symbol) -> Iterator[Symbol]:
        if of.definition.kind == "interface" and of.source.language == "go":
            yield from self._implementing(of)
        for name in self._directory.names_of(of):
            yield from self._writing(of.source.language, name).get(of, ())

    def _writing(self, language: str, name: str) -> dict[Symbol, list[Symbol]]:
        """Return the classes that write a name among their bases, by what they mean with it."""
        known = self._by_name.get((language, name))
        if known is None:
            known = self._by_name[language, name] = {}
            for each in self._directory.maybe_derived(language, name):
                for base in dict.fromkeys(self._evaluation.hierarchy.bases(each)):
                    if isinstance(base, Symbol):
                        known.setdefault(base, []).append(each)
        return known

    def _implementing(self, of: Symbol) -> Iterator[Symbol]:
        """Yield the types of Go that have every method of an interface."""
        wanted = list(of.members)
        for method in self._directory.methods("go", wanted[0]) if wanted else ():
            owner = method.owner or self._evaluation.owner_beside(method)
            if owner is None or owner is of or owner.definition.kind == "interface":
                continue
            if all(self._evaluation.find(owner, name) is not None for name in wanted):
                yield owner
