"""XML as events, without entities, documents from elsewhere, or a tree in memory."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Protocol

from zapomni_core.documents.draft import Draft
from zapomni_core.documents.libraries import etree

__all__ = ["XmlTarget", "parse_xml"]


class XmlTarget(Protocol):
    """Takes what is found, in the order of the text."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None: ...
    def end(self, tag: str) -> None: ...
    def data(self, text: str) -> None: ...
    def close(self) -> None: ...


def parse_xml(raw: bytes, target: XmlTarget, draft: Draft) -> None:
    """Hand the events of an XML file to a target; names come without their namespaces."""
    lxml = etree()
    parser = lxml.XMLParser(
        target=_Local(target),
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        recover=False,
        huge_tree=False,
    )
    try:
        lxml.fromstring(raw, parser)
    except (lxml.LxmlError, ValueError) as exc:
        raise draft.refused(
            "is broken inside; open it in the program that wrote it and save it again"
        ) from exc


@lru_cache(maxsize=4096)
def _local(name: str) -> str:
    """Cut the namespace off."""
    return name.rpartition("}")[2]


class _Local:
    def __init__(self, target: XmlTarget) -> None:
        self._target = target
        self.data = target.data
        self.close = target.close

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._target.start(_local(tag), {_local(key): attributes[key] for key in attributes})

    def end(self, tag: str) -> None:
        self._target.end(_local(tag))

    def comment(self, text: str) -> None:
        """Leave out what is no text."""

    def pi(self, target: str, data: str | None = None) -> None:
        """Leave out what is no text."""
