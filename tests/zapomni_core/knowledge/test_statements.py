"""What a language model states, held against the text and joined with what the rules have read."""

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.knowledge.facts import Reading, claims_of
from zapomni_core.knowledge.facts.predicates import PREDICATES
from zapomni_core.knowledge.language_model import Statement
from zapomni_core.knowledge.model import SPEAKER, Claim, EntityType, Mention
from zapomni_core.knowledge.statements import with_statements

SAID = datetime(2024, 1, 1, tzinfo=UTC)
NAMES: dict[str, EntityType] = {
    "Anna Petrova": "person",
    "Anna": "person",
    "Boris": "person",
    "Siemens": "organisation",
    "Munich": "place",
}


def read(text: str, *known: str, speaker: str = "") -> Reading:
    """Read a text by the rules, with those names found that are given, the longer ones first."""
    names = re.compile(rf"\b(?:{'|'.join(known)})\b")
    found = [
        Mention(match.start(), match.end(), NAMES[match[0]], 0.9) for match in names.finditer(text)
    ]
    return claims_of(text, found, SAID, speaker)


def shown(text: str, reading: Reading) -> list[tuple[str, str, str]]:
    """Return the facts in words."""

    def name(number: int) -> str:
        if number == SPEAKER:
            return "I"
        return text[reading.mentions[number].start : reading.mentions[number].end]

    return [(name(c.subject), c.predicate, name(c.object)) for c in reading.claims]


def joined(text: str, reading: Reading, *facts: tuple[str, str, str]) -> Reading:
    return with_statements(text, reading, [Statement(*fact) for fact in facts])


def only(reading: Reading) -> Claim:
    (claim,) = reading.claims
    return claim


def test_a_fact_that_both_state_is_surer_than_the_rule_and_stays_one_fact() -> None:
    text = "Anna Petrova works at Siemens."
    rules = read(text, "Anna Petrova", "Siemens")

    both = joined(text, rules, ("Anna Petrova", "works_at", "Siemens"))

    assert only(rules).confidence < only(both).confidence <= 1
    assert both.mentions == rules.mentions


def test_a_fact_that_is_stated_twice_is_no_surer_than_once() -> None:
    text = "Anna Petrova works at Siemens."
    rules, fact = read(text, "Anna Petrova", "Siemens"), ("Anna Petrova", "works_at", "Siemens")

    assert joined(text, rules, fact, fact) == joined(text, rules, fact)


def test_a_fact_that_only_the_model_states_is_less_sure_and_has_its_sentence() -> None:
    text = "It rained. At Siemens, Anna Petrova runs the payroll. We had tea."
    rules = read(text, "Anna Petrova", "Siemens")
    assert rules.claims == ()

    claim = only(joined(text, rules, ("Anna Petrova", "works_at", "Siemens")))

    by_rule = only(read("Anna Petrova works at Siemens.", "Anna Petrova", "Siemens"))
    assert claim.confidence < by_rule.confidence
    assert text[claim.start : claim.end] == "At Siemens, Anna Petrova runs the payroll."


def test_the_rules_may_have_read_the_fact_of_another_mention_of_the_same_name() -> None:
    text = "Siemens called. Boris met Anna Petrova. Anna Petrova works at Siemens."
    rules = read(text, "Anna Petrova", "Siemens", "Boris")

    both = joined(text, rules, ("anna petrova", "works_at", "SIEMENS"))

    assert len(both.claims) == len(rules.claims)
    assert max(c.confidence for c in both.claims) > max(c.confidence for c in rules.claims)


def test_a_short_name_states_the_fact_of_the_full_name() -> None:
    text = "Anna Petrova works at Siemens. Anna was late."
    rules = read(text, "Anna Petrova", "Anna", "Siemens")

    both = joined(text, rules, ("Anna", "works_at", "Siemens"))

    assert shown(text, both) == shown(text, rules)
    assert only(both).confidence > only(rules).confidence


def test_a_marriage_is_one_fact_from_either_side() -> None:
    text = "Anna is married to Boris."
    rules = read(text, "Anna", "Boris")

    both = joined(text, rules, ("Boris", "married_to", "Anna"))

    assert shown(text, both) == shown(text, rules)
    assert only(both).confidence > only(rules).confidence


@pytest.mark.parametrize(
    "fact",
    [
        ("Anna Petrova", "works_at", "Bosch"),
        ("Clara", "works_at", "Siemens"),
        ("Anna Petrova", "works_at", "Siem"),
        ("Anna Petrova", "works_at", ""),
        ("Anna Petrova", "works_at", "Anna Petrova"),
        ("Anna Petrova", "works_at", "."),
        ("She", "works_at", "Siemens"),
        ("Her boss", "works_at", "Siemens"),
        ("payroll", "works_at", "Siemens"),
        ("Anna Petrova", "works_at", "payroll"),
        ("Anna Petrova", "works_at", "Zorbix"),
        ("I", "works_at", "Siemens"),
    ],
)
def test_what_the_text_does_not_bear_is_left_out_and_leaves_no_trace(
    fact: tuple[str, str, str],
) -> None:
    text = (
        "Anna Petrova runs the payroll of Siemens. She and Her boss are of Siemens. "
        "Nobody knows Zorbix."
    )
    rules = read(text, "Anna Petrova", "Siemens")

    assert joined(text, rules, fact) == rules


@pytest.mark.parametrize(
    "text",
    [
        "Does the Siemens payroll belong to Anna Petrova?",
        "The Siemens payroll is not with Anna Petrova.",
        "Anna Petrova never saw the Siemens payroll.",
        "If Anna Petrova gets the Siemens payroll, we celebrate.",
        "Maybe Anna Petrova runs the payroll of Siemens.",
        "Anna Petrova might run the payroll of Siemens.",
        "Anna Petrova used to run the payroll of Siemens.",
        "Anna Petrova was in the payroll of Siemens.",
        "Anna Petrova is here. Siemens is in Munich.",
        "Her desk is at Siemens. Anna Petrova came.",
    ],
)
def test_what_no_sentence_states_is_no_fact_whatever_the_model_says(text: str) -> None:
    rules = read(text, "Anna Petrova", "Siemens", "Munich")

    both = joined(text, rules, ("Anna Petrova", "works_at", "Siemens"))

    assert ("Anna Petrova", "works_at", "Siemens") not in shown(text, both)


def test_a_denial_is_not_outvoted_by_a_pronoun_elsewhere() -> None:
    text = "Anna Petrova has never been with Siemens. She likes Siemens."
    rules = read(text, "Anna Petrova", "Siemens")

    both = joined(text, rules, ("Anna Petrova", "works_at", "Siemens"))

    assert ("Anna Petrova", "works_at", "Siemens") not in shown(text, both)


def test_the_model_may_tell_who_a_pronoun_is() -> None:
    text = "Anna Petrova called Boris. Since then she has the payroll of Siemens."
    rules = read(text, "Anna Petrova", "Boris", "Siemens")

    claim = only(joined(text, rules, ("Anna Petrova", "works_at", "Siemens")))

    assert text[claim.start : claim.end] == "Since then she has the payroll of Siemens."


def test_a_name_that_nobody_found_becomes_a_mention_everywhere_it_stands() -> None:
    text = "Zorbix is big. Anna Petrova runs the payroll of Zorbix."
    rules = read(text, "Anna Petrova")

    both = joined(text, rules, ("Anna Petrova", "works_at", "zorbix"))

    new = both.mentions[len(rules.mentions) :]
    assert [text[one.start : one.end] for one in new] == ["Zorbix", "Zorbix"]
    assert only(both).end == len(text)


def test_a_part_of_a_persons_name_is_that_person() -> None:
    text = "At Siemens, Anna Petrova runs the payroll."
    rules = read(text, "Anna Petrova", "Siemens")

    both = joined(text, rules, ("Petrova", "works_at", "Siemens"))

    assert shown(text, both) == [("Anna Petrova", "works_at", "Siemens")]


def test_a_thing_without_a_name_can_be_liked_but_not_worked_at() -> None:
    text = "For Anna, chamber music and a dog are the greatest joy."
    rules = read(text, "Anna")

    both = joined(
        text,
        rules,
        ("Anna", "likes", "chamber music"),
        ("Anna", "likes", "a dog"),
        ("Anna", "works_at", "music"),
    )

    assert shown(text, both) == [("Anna", "likes", "chamber music"), ("Anna", "likes", "dog")]


def test_the_speaker_is_the_subject_of_what_is_said_in_the_first_person() -> None:
    text = "My desk is in Munich. Boris is at Siemens."
    rules = read(text, "Boris", "Siemens", "Munich", speaker="Clara")

    both = joined(text, rules, ("I", "works_at", "Munich"), ("I", "works_at", "Siemens"))

    assert shown(text, both) == [("I", "works_at", "Munich")]


def test_who_says_i_in_a_conversation_is_left_to_the_rules() -> None:
    text = "Anna: my desk is in Munich.\nBoris: my desk is in Munich, too."
    rules = read(text, "Anna", "Boris", "Munich", speaker="Clara")

    assert joined(text, rules, ("I", "works_at", "Munich")) == rules


def test_a_name_may_be_spaced_otherwise_than_the_model_writes_it() -> None:
    text = "At Siemens the payroll is with Zora  Brandt."
    rules = read(text, "Siemens")

    both = joined(text, rules, ("Zora Brandt", "works_at", "Siemens"))

    assert shown(text, both) == [("Zora  Brandt", "works_at", "Siemens")]


WORDS = st.sampled_from(
    [
        *NAMES,
        "I",
        "she",
        "not",
        "?",
        ".",
        "\n",
        "likes",
        "İ",
        "ß",
        "⟪P0⟫",
        "chess",
        "(",
        "\\d",
        " ",
    ]
)


@given(
    st.lists(WORDS, max_size=15).map(" ".join),
    st.lists(st.tuples(WORDS | st.text(max_size=8), st.sampled_from(sorted(PREDICATES)), WORDS)),
)
def test_whatever_is_stated_the_rules_facts_stay_and_every_number_names_a_place(
    text: str, facts: list[tuple[str, str, str]]
) -> None:
    rules = read(text, "Anna Petrova", "Boris", "Siemens", speaker="Clara")

    both = joined(text, rules, *facts)

    assert both.mentions[: len(rules.mentions)] == rules.mentions
    assert shown(text, both)[: len(rules.claims)] == shown(text, rules)
    for one, other in zip(rules.claims, both.claims, strict=False):
        assert one.confidence <= other.confidence <= 1
    for claim in both.claims:
        assert {claim.subject, claim.object} <= {SPEAKER, *range(len(both.mentions))}
        assert 0 <= claim.start < claim.end <= len(text)
    for mention in both.mentions:
        assert text[mention.start : mention.end].strip()
