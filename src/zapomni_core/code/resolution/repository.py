"""Who calls whom in a repository."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from zapomni_core.code.model import FileEdges, FileFacts
from zapomni_core.code.resolution.bases import Bases, Derived
from zapomni_core.code.resolution.calls import bind_calls
from zapomni_core.code.resolution.changes import changed_names
from zapomni_core.code.resolution.configuration import read_configuration
from zapomni_core.code.resolution.directory import Directory
from zapomni_core.code.resolution.evaluation import Evaluation
from zapomni_core.code.resolution.heritage import Heritage
from zapomni_core.code.resolution.hierarchy import Hierarchy
from zapomni_core.code.resolution.mentions import Mentions
from zapomni_core.code.resolution.modules import Layout, Modules, goes_by_paths, modules_for
from zapomni_core.code.resolution.relations import imports, inheritance, overrides
from zapomni_core.code.resolution.tables import Source

__all__ = ["Repository"]


class Repository:
    """The facts of all files of a repository, and what they mean to each other."""

    def __init__(self) -> None:
        self._sources: dict[str, Source] = {}
        self._directory = Directory(self._sources)
        self._layout = Layout()
        self._modules: dict[str, Modules] | None = None
        self._evaluation: Evaluation | None = None
        self._mentions: dict[str, Mentions] = {}

    def put(self, path: str, facts: FileFacts) -> None:
        """Take in a file, in place of what was known of it."""
        known = self._sources.get(path)
        if known is None or known.language != facts.language:
            self.remove(path)
            self._sources[path] = Source(path, facts)
            self._directory.add(path, facts)
        elif not self._refresh(known, facts):
            self._directory.remove(path, known.facts)
            known.take(facts)
            self._directory.add(path, facts)
            self._evaluation = None
            if not goes_by_paths(facts.language):
                self._modules = None
        self._mentions.pop(path, None)

    def remove(self, path: str) -> None:
        """Forget a file."""
        self._evaluation = self._modules = None
        self._mentions.pop(path, None)
        known = self._sources.pop(path, None)
        if known is not None:
            self._directory.remove(path, known.facts)

    def configure(self, path: str, text: str) -> bool:
        """Take in a file that says where imports lead; tell whether it changes anything.

        If it does, every file has to be resolved again.
        """
        before = replace(self._layout)
        self._layout = read_configuration(self._layout, path, text)
        if self._layout == before:
            return False
        self._evaluation = self._modules = None
        self._mentions.clear()
        return True

    def _refresh(self, source: Source, facts: FileFacts) -> bool:
        """Take facts by which no name means anything new; tell whether these are such.

        What was worked out inside of other files holds on then.
        """
        if self._evaluation is None or not goes_by_paths(facts.language):
            return False
        if _names_outside(source.facts) != _names_outside(facts):
            return False
        if changed_names(source.path, source.facts, facts) or not source.refresh(facts):
            return False
        self._evaluation.forget(source)
        return True

    def read_mentions(self, paths: Iterable[str]) -> None:
        """Take apart what files mention, before a change asks for it."""
        for path in paths:
            if path in self._sources:
                self._mentioned(path)

    def affected_by(self, names: Collection[str]) -> set[str]:
        """Return the files to resolve again after the meaning of some names changed."""
        mentions = {path: self._mentioned(path) for path in self._sources}
        changed, new = set(names), set(names)
        while new:
            shifted = {name for each in mentions.values() for name in each.shift(new)}
            new = shifted - changed
            changed |= new
        return {path for path, each in mentions.items() if not each.names.isdisjoint(changed)}

    def start_over(self) -> None:
        """Work everything out anew: what was left in the middle would be wrong."""
        self._evaluation = self._modules = None

    def edges_of(self, path: str) -> FileEdges:
        """Return everything that a file refers to."""
        source = self._sources[path]
        evaluation = self._evaluated()
        bound = bind_calls(source, evaluation, self._directory)
        return FileEdges(
            tuple(bound.calls),
            tuple(bound.unresolved),
            tuple(inheritance(source, evaluation)),
            tuple(overrides(source, evaluation)),
            tuple(imports(source, evaluation)),
        )

    def _mentioned(self, path: str) -> Mentions:
        known = self._mentions.get(path)
        if known is None:
            known = self._mentions[path] = Mentions(path, self._sources[path].facts, self._layout)
        return known

    def _evaluated(self) -> Evaluation:
        if self._evaluation is None:
            if self._modules is None:
                self._modules = modules_for(self._sources, self._layout)
            made = Evaluation(self._modules)
            bases = Bases(made)
            made.hierarchy = Hierarchy(bases, Derived(made, self._directory), bases.extending)
            made.heritage = Heritage(made.hierarchy, self._modules)
            self._evaluation = made
        return self._evaluation


def _names_outside(facts: FileFacts) -> list[tuple[str, str]]:
    """Return the names that an index of all files keeps of one."""
    return [(each.name, each.alias) for each in facts.imports]
