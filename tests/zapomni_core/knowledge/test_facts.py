"""Facts that sentences state, and those that they do not."""

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.knowledge.facts import Reading, claims_of
from zapomni_core.knowledge.model import ENTITY_TYPES, SPEAKER, EntityType, Mention

SAID = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
TYPES: dict[str, EntityType] = {one[0].upper(): one for one in ENTITY_TYPES} | {
    "L": "place",
    "P": "person",
}


def read(marked: str, speaker: str = "") -> tuple[str, Reading]:
    """Read a text in which names are written as [P:Ann], [O:Acme], [L:Rome], [T:SQL]."""
    text, mentions = "", []
    for piece in re.split(r"(\[\w:[^\]]+\])", marked):
        name = re.fullmatch(r"\[(\w):([^\]]+)\]", piece)
        if name:
            mentions.append(Mention(len(text), len(text) + len(name[2]), TYPES[name[1]], 1.0))
        text += name[2] if name else piece
    return text, claims_of(text, mentions, SAID, speaker)


def facts(marked: str, speaker: str = "") -> set[tuple[str, str, str]]:
    text, reading = read(marked, speaker)
    names = [text[one.start : one.end] for one in reading.mentions]
    return {
        ("I" if one.subject == SPEAKER else names[one.subject], one.predicate, names[one.object])
        for one in reading.claims
    }


def times(marked: str) -> set[tuple[str | None, str | None]]:
    _, reading = read(marked, "Maria")
    return {(day_of(one.from_ms), day_of(one.to_ms)) for one in reading.claims}


def day_of(moment_ms: int | None) -> str | None:
    if moment_ms is None:
        return None
    return datetime.fromtimestamp(moment_ms / 1000, UTC).date().isoformat()


@pytest.mark.parametrize(
    ("marked", "fact"),
    [
        ("[P:Ann] works at [O:Acme].", ("Ann", "works_at", "Acme")),
        ("[P:Ann Lee] was employed by [O:Acme].", ("Ann Lee", "works_at", "Acme")),
        ("[P:Ann] lives in [L:Rome].", ("Ann", "lives_in", "Rome")),
        ("[P:Ann] (born 1 May 1960) lives in [L:Rome].", ("Ann", "lives_in", "Rome")),
        ("[P:Ann] was born in [L:Rome].", ("Ann", "born_in", "Rome")),
        ("[P:Ann] (born [D:1 May 1960] in [L:Rome]) sings.", ("Ann", "born_in", "Rome")),
        ("[P:Ann] (born [D:1 May 1960] in [L:Rome]) sings.", ("Ann", "born_on", "1 May 1960")),
        ("[P:Ann] ([D:1 May 1960] – [D:2 June 1990]) sang.", ("Ann", "born_on", "1 May 1960")),
        ("[P:Ann] ([D:1 May 1960] – [D:2 June 1990]) sang.", ("Ann", "died_on", "2 June 1990")),
        ("[P:Ann] died in [L:Oslo].", ("Ann", "died_in", "Oslo")),
        ("[P:Ann] founded [O:Acme].", ("Ann", "founded", "Acme")),
        ("[O:Acme] was founded by [P:Ann].", ("Ann", "founded", "Acme")),
        ("[O:Acme] was founded in [D:1976].", ("Acme", "founded_on", "1976")),
        ("[O:Acme] is a subsidiary of [O:Zeta].", ("Acme", "owned_by", "Zeta")),
        ("[L:Rome] is the capital of [L:Italy].", ("Rome", "capital_of", "Italy")),
        ("We met in [L:Lyon], [L:France].", ("Lyon", "located_in", "France")),
        ("[O:Acme] is headquartered in [L:Oslo].", ("Acme", "located_in", "Oslo")),
        ("[P:Ann] is a member of [O:Acme].", ("Ann", "member_of", "Acme")),
        ("[P:Ann] is married to [P:Bob].", ("Ann", "married_to", "Bob")),
        ("[P:Ann]'s son [P:Bob] is tall.", ("Ann", "parent_of", "Bob")),
        ("[P:Bob] is the son of [P:Ann].", ("Bob", "child_of", "Ann")),
        ("[P:Ann]'s younger brother, [P:Bob], sings.", ("Ann", "sibling_of", "Bob")),
        ("[P:Ann] is friends with [P:Bob].", ("Ann", "friend_of", "Bob")),
        ("[P:Ann] graduated from [O:Oxford].", ("Ann", "educated_at", "Oxford")),
        ("[P:Ann] plays football for [O:Ajax].", ("Ann", "plays_for", "Ajax")),
        ("[P:Ann], the CEO of [O:Acme], spoke.", ("Ann", "leads", "Acme")),
        ('"[W:Dune]" is a novel by [P:Frank Herbert].', ("Dune", "written_by", "Frank Herbert")),
        ('"[W:Dune]" was directed by [P:Lynch].', ("Dune", "directed_by", "Lynch")),
        ("[W:Help] is a song by [O:The Beatles].", ("Help", "performed_by", "The Beatles")),
        ("[W:Dune] was published by [O:Chilton].", ("Dune", "published_by", "Chilton")),
        ("[T:Python] was created by [P:Guido].", ("Python", "created_by", "Guido")),
        ("[T:Redis] is written in [T:C].", ("Redis", "uses", "C")),
        ("[T:FastAPI] depends on [T:Pydantic].", ("FastAPI", "depends_on", "Pydantic")),
        ("[P:Ann] is a [L:German] painter.", ("Ann", "nationality", "German")),
        ("[P:Ann] is a [L:German] painter.", ("Ann", "occupation", "painter")),
    ],
)
def test_a_plain_statement_is_read(marked: str, fact: tuple[str, str, str]) -> None:
    assert fact in facts(marked)


@pytest.mark.parametrize(
    ("marked", "fact"),
    [
        ("I work at [O:Acme].", ("I", "works_at", "Acme")),
        ("I'm a data engineer at [O:Acme].", ("I", "works_at", "Acme")),
        ("I'm a data engineer at [O:Acme].", ("I", "occupation", "data engineer")),
        ("We moved to [L:Rome].", ("I", "lives_in", "Rome")),
        ("My wife [P:Ann] sings.", ("I", "married_to", "Ann")),
        ("My dog [P:Max] is cute.", ("I", "has_pet", "Max")),
        ("I love hiking.", ("I", "likes", "hiking")),
        ("I don't like olives.", ("I", "dislikes", "olives")),
        ("I prefer tea.", ("I", "prefers", "tea")),
        ("I’m allergic to peanuts.", ("I", "allergic_to", "peanuts")),
        ('My favorite book is "[W:Dune]".', ("I", "likes", "Dune")),
        ("We migrated from [T:MySQL] to [T:Postgres].", ("I", "uses", "Postgres")),
        ("I went to a pride parade last Friday.", ("I", "attended", "pride parade")),
    ],
)
def test_the_speaker_is_the_subject_of_what_is_said_in_the_first_person(
    marked: str, fact: tuple[str, str, str]
) -> None:
    assert fact in facts(marked, "Maria")
    assert not any("I" in one for one in facts(marked))


@pytest.mark.parametrize(
    "marked",
    [
        "I don't work at [O:Acme].",
        "I have never lived in [L:Rome].",
        "Do I work at [O:Acme]?",
        "I work at [O:Acme], right?",
        "If I moved to [L:Rome], I would be happy.",
        "I would like to move to [L:Rome].",
        "Maybe I moved to [L:Rome] too late.",
        "I wish I lived in [L:Rome].",
        "I will work at [O:Acme].",
        "I think [P:Ann] works at [O:Acme].",
        "Rumour has it that [P:Ann] works at [O:Acme].",
        "[P:Ann] reportedly works at [O:Acme].",
        "The son of [P:Ann] works at [O:Acme].",
        "[P:Bob] is married to [P:Ann]'s sister.",
        "[P:Ann] wrote an [O:Acme] article.",
        "[P:Ann] met [P:Bob] in [L:Rome], [L:Oslo] and [L:Lyon].",
        "You work at [O:Acme].",
        "I love it. I love that you came.",
    ],
)
def test_what_is_not_stated_is_no_fact(marked: str) -> None:
    assert not {one for one in facts(marked, "Maria") if one[1] != "met"}


def test_what_is_stated_before_a_question_is_read() -> None:
    assert ("I", "works_at", "Acme") in facts("I work at [O:Acme], what about you?", "Maria")


def test_the_name_before_a_turn_is_who_says_i() -> None:
    marked = "[P:Ann]: I live in [L:Rome].\n[P:Bob]: I live in [L:Oslo]."

    assert facts(marked) == {("Ann", "lives_in", "Rome"), ("Bob", "lives_in", "Oslo")}


def test_a_machine_has_no_life_of_its_own() -> None:
    assert not facts("assistant: I love hiking.", "assistant")


def test_a_pronoun_stands_for_the_only_person_of_the_sentence_before() -> None:
    assert ("Ann", "works_at", "Acme") in facts("[P:Ann] sings. She works at [O:Acme].")
    assert not facts("[P:Ann] met him with [P:Bob]. She works at [O:Acme].")


def test_names_in_a_row_share_the_fact() -> None:
    assert facts("[P:Ann] and [P:Bob] live in [L:Rome].") == {
        ("Ann", "lives_in", "Rome"),
        ("Bob", "lives_in", "Rome"),
    }
    assert facts("I visited [L:Rome], [L:Oslo] and [L:Lyon].", "Maria") == {
        ("I", "visited", one) for one in ("Rome", "Oslo", "Lyon")
    }
    assert facts("I love hiking, camping and chess.", "Maria") == {
        ("I", "likes", one) for one in ("hiking", "camping", "chess")
    }


def test_things_without_a_name_become_mentions_behind_those_given() -> None:
    text, reading = read("[P:Ann] loves hiking.")

    assert [one.type for one in reading.mentions] == ["person", "concept"]
    assert text[reading.mentions[1].start : reading.mentions[1].end] == "hiking"


@pytest.mark.parametrize(
    ("marked", "bounds"),
    [
        ("I work at [O:Acme].", (None, None)),
        ("I have worked at [O:Acme] since 2019.", ("2019-01-01", None)),
        ("In March 2021 I moved to [L:Rome].", ("2021-03-01", None)),
        ("I've been living in [L:Rome] for five years.", ("2018-05-08", None)),
        ("I used to live in [L:Rome].", (None, "2023-05-08")),
        ("I worked at [O:Acme] from 2010 to 2012.", ("2010-01-01", "2013-01-01")),
        ("I left [O:Acme] in 2020.", (None, "2021-01-01")),
        ("I left [O:Acme] last month.", (None, "2023-05-01")),
        ("I was the CEO of [O:Acme] until 2019.", (None, "2020-01-01")),
        ("I no longer live in [L:Rome].", (None, "2023-05-08")),
        ("I just joined [O:Acme] as a nurse.", ("2023-05-08", None)),
        ("I visited [L:Rome] last year.", ("2022-01-01", "2023-01-01")),
    ],
)
def test_the_time_of_a_fact_is_what_its_sentence_says(
    marked: str, bounds: tuple[str | None, str | None]
) -> None:
    assert times(marked) == {bounds}


def test_a_claim_points_at_its_sentence() -> None:
    text, reading = read("Hello. [P:Ann] works at [O:Acme]. Bye.")

    (claim,) = reading.claims
    assert text[claim.start : claim.end] == "Ann works at Acme."


def test_a_fact_is_no_surer_than_its_names() -> None:
    sure = [Mention(0, 3, "person", 1.0), Mention(13, 17, "organisation", 1.0)]
    unsure = [Mention(0, 3, "person", 0.5), Mention(13, 17, "organisation", 1.0)]

    (one,) = claims_of("Ann works at Acme.", sure, SAID).claims
    (other,) = claims_of("Ann works at Acme.", unsure, SAID).claims

    assert other.confidence < one.confidence <= 1


VOCABULARY = (
    "I we Ann Bob Acme Rome works at lives in moved to love hiking my wife is the of , . ? ! ' ( )"
    " not if since 2019 and \n born ⟪P0⟫ was founded by"
)
WORDS = st.sampled_from(VOCABULARY.split(" "))


@given(st.lists(WORDS, max_size=30), st.data(), st.sampled_from(("", "Maria")))
def test_any_text_is_read_and_every_claim_points_into_it(
    words: list[str], data: st.DataObject, speaker: str
) -> None:
    text, mentions = "", []
    for word in words:
        if word[:1].isupper() and word != "I":
            kind = data.draw(st.sampled_from(ENTITY_TYPES))
            mentions.append(Mention(len(text), len(text) + len(word), kind, 0.9))
        text += word + " "

    reading = claims_of(text, mentions, SAID, speaker)

    assert reading.mentions[: len(mentions)] == tuple(mentions)
    for claim in reading.claims:
        assert claim.subject != claim.object
        assert claim.subject >= (SPEAKER if speaker else 0)
        assert 0 <= claim.object < len(reading.mentions)
        assert 0 <= claim.start < claim.end <= len(text)
        assert 0 < claim.confidence <= 1


@given(st.text(max_size=200))
def test_a_text_without_names_and_speaker_states_nothing(text: str) -> None:
    assert claims_of(text, (), SAID) == Reading((), ())
