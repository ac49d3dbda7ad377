"""Names that are known by their form: addresses, paths, dates, code, @names, #tags, speakers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zapomni_core.knowledge.entities.dates import DATE, date_value
from zapomni_core.knowledge.entities.overlaps import overlaid
from zapomni_core.knowledge.model import EntityType, Mention

__all__ = ["DOUBTFUL", "SURE", "forms_in", "speakers_in"]

# Confidence of a form that nothing else has, of one that most often is what it looks like,
# and of one that counts only if the model or the rest of the text agrees.
SURE, LIKELY, DOUBTFUL = 0.99, 0.8, 0.5
_FILE_ENDS = (
    "py|js|ts|tsx|jsx|rs|go|java|kt|rb|php|c|h|cpp|cs|sh|sql|html|css|md|rst|txt|json|jsonl|ya?ml"
    "|toml|ini|cfg|conf|env|lock|log|csv|tsv|xml|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|zip|gz"
    "|ipynb|parquet|onnx|db|sqlite"
)
_FORMS = re.compile(
    r"(?P<url>(?:https?|ftp|ssh|git|file)://[^\s<>\"`{}|\\^]+|www\.\w[^\s<>\"`{}|\\^]+"
    r"|(?<![\w.@/-])(?:[a-zA-Z0-9-]+\.)+(?:com|org|net|io|dev|ai|edu|gov|app)/[^\s<>\"`{}|\\^]*)"
    r"|(?<![\w.+-])(?P<email>\w[\w.+-]{0,63}@[\w-]+(?:\.[\w-]+)+)"
    r"|`(?P<ticked>[^`\s]{2,80})`"
    r"|(?<![\w./~:@+-])(?P<path>~/[\w./@+-]+|\.{1,2}/[\w./@+-]+|/[\w.@+-]+(?:/[\w.@+-]+)+/?"
    rf"|[A-Za-z]:\\[\w.\\@+-]*\w|(?:[\w.@+-]+/)+[\w.@+-]*\.(?:{_FILE_ENDS})"
    rf"|[\w-]+(?:\.[\w-]+)*\.(?:{_FILE_ENDS}))(?![\w(/-])"
    r"|(?<![\w@./])(?P<at>@[A-Za-z]\w{1,38})(?![\w(@]|\.\w)"
    r"|(?<![\w#&/])(?P<tag>#[^\W\d_]\w{1,60})"
    r"|(?<![\w.-])(?P<code>[A-Za-z_]\w*(?:\.\w+)*\(\)|__\w+__|_{0,2}[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)"
    r"(?!\w)"
    r"|(?<![\w.@-])(?P<inner>[A-Za-z]\w*+(?:-\w++(?:\.\w++)*+){2,}+"
    r"|[A-Za-z]+[a-z0-9][A-Z]\w*|[a-z][A-Z][a-z]\w+|[a-z]\w+(?:\.[A-Za-z_]\w+)+)(?!\w)"
)
_HAS_YEAR = re.compile(r"(?:1[0-9]|20)[0-9]{2}")
_DATE = re.compile(DATE, re.IGNORECASE)
_TYPES: dict[str, tuple[EntityType, float]] = {
    "url": ("reference", SURE),
    "email": ("reference", SURE),
    "path": ("reference", SURE),
    "at": ("person", LIKELY),
    "tag": ("concept", LIKELY),
    "code": ("concept", LIKELY),
    "ticked": ("concept", LIKELY),
    "inner": ("technology", DOUBTFUL),
}
_MARKED = frozenset(("at", "tag"))
# "MacDonald", "DeVito" and the like are people.
_NAME_PARTS = re.compile(r"(?:Mc|Mac|De|Di|Du|La|Le|Van|Von|Fitz|O)[A-Z]")
# "state-of-the-art" is no name, a model such as "all-minilm-l6-v2" has a number.
_PLAIN_HYPHENS = re.compile(r"[^\W\d]+(?:-[^\W\d]+)+")
_IDENTIFIER = re.compile(r"[A-Za-z_][\w.:-]*(?:\(\))?")
_DECORATORS = ("@property", "@dataclass", "@staticmethod", "@classmethod", "@override", "@param")
# Who speaks in a log, without a name.
_ROLES = ("ai", "assistant", "bot", "human", "note", "speaker", "system", "todo", "user")
_SPEAKER = re.compile(
    r"^(?:[\[(][^\])\n]{4,40}[\])]\s*)?(?P<name>[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){0,2}):\s",
    re.MULTILINE,
)


def forms_in(text: str) -> list[Mention]:
    """Return what has a telling form, in order, none inside another."""
    return sorted(
        overlaid(list(_other_forms_in(text)), list(_dates_in(text))), key=lambda form: form.start
    )


def speakers_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of names that begin a line and end with a colon."""
    for match in _SPEAKER.finditer(text):
        if match["name"][0].isupper() and match["name"].casefold() not in _ROLES:
            yield match.span("name")


def _dates_in(text: str) -> Iterator[Mention]:
    if _HAS_YEAR.search(text):
        for match in _DATE.finditer(text):
            if found := date_value(match):
                start, end, value = found
                yield Mention(start, end, "date", SURE, value)


def _other_forms_in(text: str) -> Iterator[Mention]:
    for match in _FORMS.finditer(text):
        form = match.lastgroup
        assert form is not None
        start, end = match.span(form)
        if form == "url":
            end = start + len(_without_punctuation(match[form]))
        if _is_form(form, match[form]):
            kind, confidence = _TYPES[form]
            value = match[form][1:] if form in _MARKED else ""
            yield Mention(start, end, kind, confidence, value)


def _is_form(form: str, written: str) -> bool:
    if form == "ticked":
        return _IDENTIFIER.fullmatch(written) is not None
    if form == "inner":
        return not _NAME_PARTS.match(written) and not _PLAIN_HYPHENS.fullmatch(written)
    return written not in _DECORATORS


def _without_punctuation(address: str) -> str:
    """Leave out what ends the sentence, and a bracket that was opened before the address."""
    while address and (
        address[-1] in ".,;:!?'’”*_" or (address[-1] in ")]" and _is_unopened(address))
    ):
        address = address[:-1]
    return address


def _is_unopened(address: str) -> bool:
    return address.count(")") > address.count("(") or address.count("]") > address.count("[")
