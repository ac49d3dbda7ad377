"""Five thousand memories of a made-up team, always the same: people, places, firms, wishes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from benchmarks.corpus import memories

__all__ = ["HOSTILE", "Note", "hostile_notes", "notes"]


def _parts(text: str) -> list[str]:
    return text.split("|") if "|" in text else text.split()


_FIRST = _parts(
    "Ada Amina Anders Beatriz Bruno Carla Chidi Clara Daan Dmitri Elena Elif Emil Farah Felix "
    "Greta Hana Hugo Ines Ivo Jonas Jun Kaisa Karim Lars Leila Lucia Marek Mei Mila Nadia "
    "Nils Noor Olga Omar Pavel Petra Rafael Rosa Samir Sofia Tariq Tove Uma Vera Viktor Wren "
    "Yara Yuki Zora"
)
_LAST = _parts(
    "Abbott Adeyemi Almeida Bauer Becker Berg Castillo Chen Costa Dahl Dubois Eriksen Farkas "
    "Ferreira Fischer Garcia Haddad Hansen Ito Ivanova Jansen Kaya Keller Khan Kowalski "
    "Larsen Laurent Lindqvist Marino Mendes Moreau Nakamura Novak Okafor Olsen Papadakis Park "
    "Petrov Quist Rahman Ricci Rossi Sato Schmidt Silva Tanaka Urban Vargas Weber Zhang"
)
_FIRMS = _parts(
    "Northwind Systems|Harbor Labs|Blue Heron Press|Acorn Robotics|Tidewater Bank|Lumen "
    "Foods|Cedar Health|Pixel Forge|Granite Insurance|Solstice Energy|Paper Kite "
    "Studio|Orchard Media"
)
_PLACES = _parts(
    "Lisbon Tallinn Osaka Porto Riga Bergen Ghent Turin Leeds Quito Dakar Krakow Vienna Oslo "
    "Dublin Prague Athens Toronto"
)
_TOOLS = _parts(
    "Python Rust Kubernetes PostgreSQL Docker Redis TypeScript Kafka Terraform Grafana"
)
_SENTENCES = (
    "{who} works at {firm} in {place} and asked to be reached in the mornings.",
    "{who} lives in {place} now; the team at {firm} keeps the old address on the release list.",
    "{who} and {other} met in {place} to plan the {tool} migration for {firm}.",
    "{who} from {firm} prefers {tool} over anything else for the nightly jobs in {place}.",
    "{who} knows {other} from {place}; both have an eye on what {firm} does with {tool}.",
)
_TOLD = (("who", "works_at", "firm"), ("who", "lives_in", "place"), None,
         ("who", "prefers", "tool"), ("who", "knows", "other"))  # fmt: skip
_TYPES = {
    "who": "person",
    "other": "person",
    "firm": "organisation",
    "place": "place",
    "tool": "technology",
}
_TAGS = _parts("people work travel decision preference meeting infra home health reading")
_SOURCES = _parts(
    "claude-code cursor chat user notes:meetings github:acme/platform codex gemini-cli zed diary"
)
# What search, timeline and screenshots show first.
_LATEST = (
    ("We ship the new invoice flow on Thursday, after Greta has signed off the copy.", "decision"),
    ("Samir prefers tea over coffee and never books meetings before ten.", "preference"),
    ("The staging database moved to the Bergen data centre; the old host answers until Friday.",
     "infra"),
    ("Remember to ask Leila about the rental contract for the Porto flat.", "home"),
    (("Why we left Kafka: the team is small, and Redis streams are enough for a million events "
      "a day. Revisit when we pass ten million."), "decision"),
    ("الاجتماع القادم مع فريق التصميم يوم الأحد في لشبونة.", "meeting"),
    ("Вера просила присылать отчёты по пятницам до обеда.", "preference"),
)  # fmt: skip
_END = datetime(2026, 10, 30, 9, 0, tzinfo=UTC)
_DAYS = 420

HOSTILE = (
    "<script>window.pwned = 1</script>",
    '<img src=x onerror="window.pwned = 1">',
    "<svg onload=window.pwned=1>",
    '"><iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
    "javascript:window.pwned=1",
    "[click](javascript:window.pwned=1)",
    "</textarea></title><style>body{display:none}</style>",
    "{{constructor.constructor('window.pwned=1')()}}",
    "\u202egnp.exe\u202c turned around, \u2066isolated\u2069 \u200b\ufeff",
    "<a href='data:text/html,<script>1</script>'>data</a>",
)


@dataclass(frozen=True, slots=True)
class Note:
    """A memory to be: what it says, and what is known of it."""

    text: str
    source: str
    tags: tuple[str, ...]
    moment: datetime
    named: tuple[tuple[str, str], ...] = ()
    facts: tuple[tuple[str, str, str], ...] = ()


def notes(count: int, about_people: int) -> Iterator[Note]:
    """Make memories: the newest as a person would write them, then people, then the rest."""
    chance = random.Random(7)
    for number, (text, tag) in enumerate(_LATEST):
        yield Note(text, _SOURCES[number % 4], (tag,), _END - timedelta(hours=3 * number))
    for number in range(about_people):
        yield _about_people(chance, number)
    yield from (_note(chance, text) for text in memories(count - about_people - len(_LATEST)))


def hostile_notes() -> Iterator[Note]:
    """Make memories that try to be more than text, everywhere a text can stand."""
    for number, attack in enumerate(HOSTILE):
        text = f"Hostile note {number} of Hostile Hub: {attack}"
        moment = _END - timedelta(days=2, hours=number)
        named = ((attack, "person"), ("Hostile Hub", "organisation"))
        facts = ((attack, "works_at", "Hostile Hub"),)
        yield Note(text, attack, (attack, "hostile"), moment, named, facts)


def _note(chance: random.Random, text: str) -> Note:
    # The last weeks hold more than the year before.
    age = timedelta(days=1 + _DAYS * chance.random() ** 1.6, hours=24 * chance.random())
    tags = tuple(sorted(chance.sample(_TAGS, chance.choice((0, 1, 1, 2)))))
    return Note(text, chance.choice(_SOURCES), tags, _END - age)


def _about_people(chance: random.Random, number: int) -> Note:
    names = {
        "who": f"{_FIRST[number % 50]} {_LAST[(number * 7 + number // 50) % 50]}",
        "other": f"{chance.choice(_FIRST)} {chance.choice(_LAST)}",
        "firm": chance.choice(_FIRMS),
        "place": chance.choice(_PLACES),
        "tool": chance.choice(_TOOLS),
    }
    chosen = chance.randrange(len(_SENTENCES))
    sentence, told = _SENTENCES[chosen], _TOLD[chosen]
    named = {names[role]: _TYPES[role] for role in names if f"{{{role}}}" in sentence}
    facts = ((names[told[0]], told[1], names[told[2]]),) if told else ()
    note = _note(chance, f"{sentence.format(**names)} (entry {number})")
    return replace(note, named=tuple(named.items()), facts=facts)
