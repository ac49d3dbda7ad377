"""Small repositories written as text, and their edges as readable lines."""

from __future__ import annotations

from collections.abc import Mapping

from zapomni_core.code.languages import language_of
from zapomni_core.code.model import FileFacts
from zapomni_core.code.parsing.extraction import extract
from zapomni_core.code.resolution import CONFIGURATION_NAMES, Repository

__all__ = ["calls", "facts_of", "repository"]


def facts_of(path: str, text: str) -> FileFacts:
    return extract(text.encode(), path, language_of(path) or "text")


def repository(files: Mapping[str, str]) -> Repository:
    made = Repository()
    for path, text in files.items():
        if path.rpartition("/")[2] in CONFIGURATION_NAMES:
            made.configure(path, text)
        else:
            made.put(path, facts_of(path, text))
    return made


def calls(files: Mapping[str, str], path: str) -> set[tuple[str, str]]:
    """Return the targets of the calls of a file, each with how it was found."""
    return {(edge.target, edge.how) for edge in repository(files).edges_of(path).calls}
