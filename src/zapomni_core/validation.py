"""Check what callers hand in, before anything is changed."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

import orjson

from zapomni_core.errors import ValidationError
from zapomni_core.models import (
    MAX_DEPTH,
    MAX_DESCRIPTION_CHARS,
    MAX_LIMIT,
    MAX_NAME_CHARS,
    MAX_QUERY_CHARS,
    MAX_TEXT_CHARS,
    MIN_TOKENS,
    Metadata,
)

__all__ = [
    "ParsedMetadata",
    "end_of_day_ms",
    "parse_as_of",
    "parse_days",
    "parse_depth",
    "parse_description",
    "parse_file_name",
    "parse_id_beginning",
    "parse_limit",
    "parse_max_tokens",
    "parse_memory_id",
    "parse_memory_ids",
    "parse_metadata",
    "parse_min_score",
    "parse_name",
    "parse_patterns",
    "parse_query",
    "parse_text",
    "parse_workspace",
    "start_of_day_ms",
]

_MAX_DEPTH = 32
_MAX_METADATA_CHARS = 1_000_000
_MAX_LABEL_CHARS = 200
_MAX_POSITION = 1 << 53
_CONVERSATION_FIELDS = ("conversation", "conversation_id", "thread", "thread_id", "chat_id")
_SESSION_FIELDS = ("session", "session_id")
_POSITION_FIELDS = ("position", "turn", "turn_index", "message_index")
_SPEAKER_FIELDS = ("speaker", "author", "role")
_FILE_NAME = re.compile(r"[\w-][\w.-]{0,99}")
_WORKSPACE = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_ID_BEGINNING = re.compile(r"[0-9a-f]{8,31}")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MAX_DAYS = 365_000
_DURATION = re.compile(
    r"P(?=.)(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?"
    r"(?:T(?=.)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?",
    re.ASCII,
)
_UNITS_S = (365 * 86_400, 30 * 86_400, 7 * 86_400, 86_400, 3600, 60, 1)
# An escaped NUL, but not the six characters themselves behind an escaped backslash.
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


@dataclass(frozen=True, slots=True)
class ParsedMetadata:
    """Metadata as stored: the fields that search knows, and everything as JSON."""

    source: str
    tags: tuple[str, ...]
    timestamp_ms: int | None
    language: str | None
    session: str | None
    position: int | None
    speaker: str | None
    json: str
    ttl_ms: int | None = None
    expires_ms: int | None = None
    is_pinned: bool = False

    def expiry_ms(self, now_ms: int) -> int | None:
        """Return when the memory expires if it is stored now."""
        return self.expires_ms if self.ttl_ms is None else now_ms + self.ttl_ms


def parse_text(text: str) -> str:
    """Return a text that can be stored, without surrounding white space."""
    return _parse_string("text", text, MAX_TEXT_CHARS)


def parse_query(query: str) -> str:
    """Return a query that can be searched for."""
    return _parse_string("query", query, MAX_QUERY_CHARS)


def parse_limit(limit: int) -> int:
    """Return a limit within bounds."""
    if isinstance(limit, bool) or not 1 <= limit <= MAX_LIMIT:
        raise ValidationError("limit", f"must be between 1 and {MAX_LIMIT}")
    return limit


def parse_min_score(min_score: float) -> float:
    """Return a least score within bounds."""
    if isinstance(min_score, bool) or not 0.0 <= min_score <= 1.0:
        raise ValidationError("min_score", "must be between 0 and 1")
    return float(min_score)


def parse_max_tokens(max_tokens: int | None) -> int | None:
    """Return a bound for the size of an answer."""
    if max_tokens is not None and (isinstance(max_tokens, bool) or max_tokens < MIN_TOKENS):
        raise ValidationError("max_tokens", f"must be at least {MIN_TOKENS}")
    return max_tokens


def parse_name(name: str, field: str = "entity") -> str:
    """Return a name that can be looked up."""
    return _parse_string(field, name, MAX_NAME_CHARS)


def parse_workspace(name: str, field: str = "workspace") -> str:
    """Return what can be the name of a workspace."""
    if not isinstance(name, str) or not _WORKSPACE.fullmatch(name):
        raise ValidationError(field, "takes 1 to 64 letters (A-Z, a-z), digits and _ . - only")
    return name


def parse_description(description: str) -> str:
    """Return what a workspace can be described with; nothing will do."""
    if not isinstance(description, str):
        raise ValidationError("description", "must be a string")
    if not description.strip():
        return ""
    return _parse_string("description", description, MAX_DESCRIPTION_CHARS)


def parse_patterns(patterns: Sequence[str]) -> tuple[str, ...]:
    """Return patterns of files to leave out."""
    if any("\n" in pattern or "\0" in pattern for pattern in patterns):
        raise ValidationError("exclude", "must hold one pattern in each item")
    return tuple(patterns)


def parse_depth(depth: int) -> int:
    """Return a number of steps within bounds."""
    if isinstance(depth, bool) or not 1 <= depth <= MAX_DEPTH:
        raise ValidationError("depth", f"must be between 1 and {MAX_DEPTH}")
    return depth


def parse_as_of(moment: str | date | datetime | None) -> int | None:
    """Return a moment to look back from in milliseconds; a day means its end."""
    return _parse_moment("as_of", moment)


def parse_memory_ids(memory_ids: Sequence[str], field: str = "memory_ids") -> list[str]:
    """Return ids as the store knows them, each once."""
    try:
        return list(dict.fromkeys(uuid.UUID(each).hex for each in memory_ids))
    except (ValueError, AttributeError, TypeError):
        ids = "ids as add_memory and search_memory give them"
        what = f"be {ids}" if field == "memory_ids" else f"be one of the {ids}"
        raise ValidationError(field, f"must {what}") from None


def parse_memory_id(memory_id: str) -> str:
    """Return the id of one memory as the store knows it."""
    return parse_memory_ids([memory_id], "memory_id")[0]


def parse_id_beginning(memory_id: str) -> str:
    """Return the digits of an id that may be cut short."""
    digits = memory_id.replace("-", "").lower()
    return digits if _ID_BEGINNING.fullmatch(digits) else parse_memory_id(memory_id)


def parse_days(days: int) -> int:
    """Return a number of days within bounds."""
    if isinstance(days, bool) or not 0 <= days <= _MAX_DAYS:
        raise ValidationError("older_than_days", f"must be between 0 and {_MAX_DAYS:,}")
    return days


def parse_file_name(name: str | None) -> str | None:
    """Return a name that stays in its folder."""
    if name is not None and not _FILE_NAME.fullmatch(name):
        raise ValidationError(
            "file_name", "must be a plain name of letters, digits and . _ - without a folder"
        )
    return name


def parse_metadata(metadata: Metadata | None) -> ParsedMetadata:
    """Return the fields that search knows, and the whole as JSON."""
    given = dict(metadata or {})
    encoded = _encode(given)
    language = given.get("language")
    return ParsedMetadata(
        source=_optional_string("metadata.source", given.get("source")) or "",
        tags=_parse_tags(given.get("tags")),
        timestamp_ms=_parse_timestamp(given.get("timestamp")),
        language=_optional_string("metadata.language", language),
        session=_session(given),
        position=_first_number(given, _POSITION_FIELDS),
        speaker=_first_label(given, _SPEAKER_FIELDS),
        json=encoded,
        ttl_ms=_parse_ttl(given),
        expires_ms=_parse_moment("metadata.expires", given.get("expires")),
        is_pinned=_parse_flag("metadata.pinned", given.get("pinned")),
    )


def start_of_day_ms(day: date) -> int:
    """Return the first millisecond of a UTC day."""
    return _milliseconds(datetime.combine(day, time.min, UTC))


def end_of_day_ms(day: date) -> int:
    """Return the last millisecond of a UTC day."""
    return start_of_day_ms(day) + 86_400_000 - 1


def _parse_string(field: str, value: str, longest: int) -> str:
    if not isinstance(value, str):
        raise ValidationError(field, "must be a string")
    if len(value) > longest:
        raise ValidationError(
            field, f"exceeds maximum length of {longest:,} characters (it has {len(value):,})"
        )
    _check_characters(field, value)
    stripped = value.strip()
    if not stripped:
        raise ValidationError(field, "cannot be empty or contain only whitespace")
    return stripped


def _check_characters(field: str, value: str) -> None:
    if "\0" in value:
        raise ValidationError(field, "must not contain NUL characters; remove them and try again")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as exc:
        raise ValidationError(
            field, f"is not valid Unicode: unpaired surrogate at character {exc.start}"
        ) from None


def _optional_string(field: str, value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise ValidationError(field, "must be a string")
    _check_characters(field, value)
    return value


def _parse_tags(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        raise ValidationError("metadata.tags", "must be a list of strings")
    tags = [_optional_string("metadata.tags", tag) for tag in value]
    if not all(tag and tag.strip() for tag in tags):
        raise ValidationError("metadata.tags", "must not contain empty tags")
    return tuple(dict.fromkeys(tag for tag in tags if tag))


def _session(given: Metadata) -> str | None:
    labels = (_first_label(given, _CONVERSATION_FIELDS), _first_label(given, _SESSION_FIELDS))
    return " ".join(filter(None, labels)) or None


def _first_label(given: Metadata, names: Sequence[str]) -> str | None:
    """Take the first that can name something; these fields are hints, and nobody's duty."""
    values = [given.get(name) for name in names]
    labels = (str(value).strip() for value in values if _is_label(value))
    return next((label[:_MAX_LABEL_CHARS] for label in labels if label), None)


def _is_label(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _first_number(given: Metadata, names: Sequence[str]) -> int | None:
    values = [given.get(name) for name in names]
    numbers = (value for value in values if isinstance(value, int) and not isinstance(value, bool))
    return next((number for number in numbers if abs(number) < _MAX_POSITION), None)


def _parse_timestamp(value: object) -> int | None:
    if value is None:
        return None
    try:
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
        # In UTC, where an offset can lead out of the years that a result can show.
        return _milliseconds(
            moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
        )
    except (ValueError, OverflowError):
        raise ValidationError(
            "metadata.timestamp", "must be an ISO 8601 date and time, such as 2025-11-24T10:30:00Z"
        ) from None


def _parse_moment(field: str, moment: object) -> int | None:
    if moment is None:
        return None
    try:
        if isinstance(moment, str) and _DAY.fullmatch(moment):
            moment = date.fromisoformat(moment)
        if isinstance(moment, date) and not isinstance(moment, datetime):
            return end_of_day_ms(moment)
        return _parse_timestamp(moment)
    except (ValueError, ValidationError):
        raise ValidationError(
            field, "must be an ISO 8601 date or time, such as 2025-11-24 or 2025-11-24T10:30:00Z"
        ) from None


def _parse_ttl(given: Metadata) -> int | None:
    """Read how long a memory lasts; a year has 365 days here, and a month 30."""
    ttl = given.get("ttl")
    if ttl is None:
        return None
    if given.get("expires") is not None:
        raise ValidationError("metadata.ttl", "cannot be given together with metadata.expires")
    found = _DURATION.fullmatch(ttl) if isinstance(ttl, str) else None
    counts = found.groups("0") if found else ()
    seconds = sum(int(n) * unit for n, unit in zip(counts, _UNITS_S, strict=False))
    if not 0 < seconds <= _MAX_DAYS * 86_400:
        raise ValidationError(
            "metadata.ttl", "must be an ISO 8601 duration, such as P30D, P1Y or PT12H"
        )
    return seconds * 1000


def _parse_flag(field: str, value: object) -> bool:
    if value is not None and not isinstance(value, bool):
        raise ValidationError(field, "must be true or false")
    return bool(value)


def _milliseconds(moment: datetime) -> int:
    # Integer arithmetic: timestamp() rounds, and refuses years before 1970 on some systems.
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return since.days * 86_400_000 + since.seconds * 1000 + since.microseconds // 1000


def _encode(metadata: Mapping[str, object]) -> str:
    if _is_deeper_than(metadata, _MAX_DEPTH):
        raise ValidationError("metadata", f"is nested deeper than {_MAX_DEPTH} levels")
    try:
        encoded = orjson.dumps(metadata).decode("utf-8")
    except (TypeError, ValueError):
        raise ValidationError(
            "metadata", "must be plain JSON: strings, numbers, lists, objects"
        ) from None
    if _NUL.search(encoded):
        raise ValidationError("metadata", "must not contain NUL characters")
    if len(encoded) > _MAX_METADATA_CHARS:
        raise ValidationError("metadata", f"exceeds {_MAX_METADATA_CHARS:,} characters of JSON")
    return encoded


def _is_deeper_than(value: object, levels: int) -> bool:
    layer: list[object] = [value]
    for _ in range(levels + 1):
        layer = [child for item in layer for child in _children(item)]
        if not layer:
            return False
    return True


def _children(value: object) -> list[object]:
    if isinstance(value, Mapping):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else []
