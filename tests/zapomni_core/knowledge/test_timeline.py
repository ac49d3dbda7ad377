"""What holds, what is over and what was replaced."""

from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.knowledge.timeline import FIXED, SINGLE_VALUED, Assertion, FactState, states

NOW = 1_000


def said(
    subject: str,
    predicate: str,
    thing: str,
    said_ms: int,
    since_ms: int | None = None,
    until_ms: int | None = None,
    memory: str = "",
    confidence: float = 0.8,
) -> Assertion:
    return Assertion(
        f"{subject}|{predicate}|{thing}",
        subject,
        predicate,
        thing,
        confidence,
        said_ms,
        since_ms,
        until_ms,
        memory or f"memory of {said_ms}",
        "chunk",
        0,
        10,
    )


def by_object(
    *assertions: Assertion, as_of_ms: int = NOW, **more: frozenset[str]
) -> dict[str, FactState]:
    return {one.object: one for one in states(assertions, as_of_ms, **more)}


def test_a_later_home_replaces_the_earlier_one() -> None:
    found = by_object(said("ann", "lives_in", "paris", 1), said("ann", "lives_in", "berlin", 2))

    assert found["berlin"].status == "current"
    assert found["paris"].status == "superseded"
    assert found["paris"].superseded_by == "ann|lives_in|berlin"
    assert found["paris"].until_ms == 2
    assert found["paris"].reason.endswith(".")


def test_the_first_of_several_later_homes_is_the_one_that_replaced() -> None:
    found = by_object(
        said("ann", "lives_in", "rome", 3),
        said("ann", "lives_in", "paris", 1),
        said("ann", "lives_in", "berlin", 2),
    )

    assert found["paris"].superseded_by == "ann|lives_in|berlin"
    assert found["berlin"].superseded_by == "ann|lives_in|rome"


def test_a_home_said_again_wins_again() -> None:
    found = by_object(
        said("ann", "lives_in", "paris", 1),
        said("ann", "lives_in", "berlin", 2),
        said("ann", "lives_in", "paris", 3),
    )

    assert found["paris"].status == "current"
    assert found["berlin"].status == "superseded"


def test_what_was_said_later_is_not_known_yet() -> None:
    found = by_object(
        said("ann", "lives_in", "paris", 1), said("ann", "lives_in", "berlin", 5), as_of_ms=4
    )

    assert list(found) == ["paris"]
    assert found["paris"].status == "current"


def test_homes_said_at_the_same_time_both_stay_and_are_marked() -> None:
    found = by_object(said("ann", "lives_in", "paris", 1), said("ann", "lives_in", "berlin", 1))

    assert {one.status for one in found.values()} == {"current"}
    assert found["paris"].conflicts == ("ann|lives_in|berlin",)
    assert found["berlin"].conflicts == ("ann|lives_in|paris",)


def test_a_city_and_its_country_are_no_rivals() -> None:
    found = by_object(
        said("lyon", "located_in", "rhône", 0),
        said("rhône", "located_in", "france", 0),
        said("ann", "lives_in", "lyon", 1),
        said("bob", "lives_in", "france", 2),
        said("ann", "lives_in", "france", 2),
    )

    assert found["lyon"].status == "current"
    assert found["lyon"].conflicts == ()


def test_places_that_lie_in_each_other_are_followed_to_an_end() -> None:
    found = by_object(
        said("a", "part_of", "b", 0), said("b", "part_of", "a", 0), said("x", "lives_in", "c", 1)
    )

    assert found["c"].status == "current"


def test_a_second_job_replaces_none_unless_it_is_said_to_begin_later() -> None:
    second = by_object(said("ann", "works_at", "acme", 1), said("ann", "works_at", "zeta", 9))
    new = by_object(
        said("ann", "works_at", "acme", 1), said("ann", "works_at", "zeta", 9, since_ms=5)
    )
    older = by_object(
        said("ann", "works_at", "acme", 6), said("ann", "works_at", "zeta", 9, since_ms=5)
    )

    assert second["acme"].status == "current"
    assert new["acme"].status == "superseded"
    assert new["acme"].until_ms == 5
    assert older["acme"].status == "current"


def test_birthplaces_are_marked_but_never_replaced() -> None:
    found = by_object(said("ann", "born_in", "paris", 1), said("ann", "born_in", "rome", 2))

    assert {one.status for one in found.values()} == {"current"}
    assert found["paris"].conflicts == ("ann|born_in|rome",)


def test_what_has_ended_is_over() -> None:
    found = by_object(
        said("ann", "works_at", "acme", 1), said("ann", "works_at", "acme", 9, until_ms=7)
    )

    assert found["acme"].status == "ended"
    assert found["acme"].until_ms == 7


def test_an_end_to_come_is_told_but_not_yet_over() -> None:
    found = by_object(said("ann", "works_at", "acme", 1, until_ms=NOW + 1))

    assert found["acme"].status == "current"
    assert found["acme"].until_ms == NOW + 1


def test_an_earlier_stay_does_not_end_the_present_one() -> None:
    found = by_object(
        said("ann", "lives_in", "paris", 50), said("ann", "lives_in", "paris", 60, 10, 20)
    )

    assert found["paris"].status == "current"


def test_a_home_of_the_past_told_later_replaces_nothing() -> None:
    found = by_object(
        said("ann", "lives_in", "paris", 50), said("ann", "lives_in", "rome", 60, until_ms=60)
    )

    assert found["paris"].status == "current"
    assert found["rome"].status == "ended"


def test_what_is_to_begin_is_upcoming_and_replaces_nothing() -> None:
    found = by_object(
        said("ann", "lives_in", "paris", 1), said("ann", "lives_in", "rome", 2, since_ms=NOW + 1)
    )

    assert found["paris"].status == "current"
    assert found["rome"].status == "upcoming"


def test_a_kept_fact_is_not_replaced() -> None:
    assertions = said("ann", "lives_in", "paris", 1), said("ann", "lives_in", "berlin", 2)

    found = by_object(*assertions, kept=frozenset(("ann|lives_in|paris",)))

    assert found["paris"].status == "current"
    assert found["berlin"].status == "current"
    assert found["berlin"].conflicts == ()


def test_more_memories_make_a_fact_surer_but_one_memory_counts_once() -> None:
    once = by_object(said("ann", "likes", "tea", 1))["tea"].confidence
    twice = by_object(said("ann", "likes", "tea", 1), said("ann", "likes", "tea", 2))[
        "tea"
    ].confidence
    repeated = by_object(
        said("ann", "likes", "tea", 1, memory="m"), said("ann", "likes", "tea", 2, memory="m")
    )["tea"].confidence

    assert repeated == once < twice < 1


TIMES = st.integers(0, 40)
ASSERTIONS = st.lists(
    st.builds(
        said,
        st.sampled_from(("ann", "anna", "bob")),
        st.sampled_from(sorted(SINGLE_VALUED | FIXED | {"likes", "visited", "uses"})),
        st.sampled_from(("paris", "berlin", "rome", "paris 2")),
        TIMES,
        st.none() | TIMES,
        st.none() | TIMES,
    ),
    max_size=25,
)


@given(ASSERTIONS, TIMES)
def test_a_fact_gives_way_only_to_a_later_one_in_its_own_slot(
    assertions: list[Assertion], as_of_ms: int
) -> None:
    known = {one.fact_id: one for one in assertions if one.said_ms <= as_of_ms}

    for state in states(assertions, as_of_ms):
        if state.status != "superseded":
            assert state.superseded_by is None
            continue
        rival = known[state.superseded_by or ""]
        assert (rival.subject, rival.predicate) == (state.subject, state.predicate)
        assert rival.object != state.object
        assert state.predicate in SINGLE_VALUED
        assert min(one.said_ms for one in state.evidence) < max(
            one.said_ms for one in assertions if one.fact_id == rival.fact_id
        )


@given(ASSERTIONS, TIMES)
def test_every_fact_said_so_far_has_one_state_with_all_its_evidence(
    assertions: list[Assertion], as_of_ms: int
) -> None:
    found = states(assertions, as_of_ms)

    known = [one for one in assertions if one.said_ms <= as_of_ms]
    assert len({one.fact_id for one in found}) == len(found)
    assert sum(len(one.evidence) for one in found) == len(known)
    assert all(0 < one.confidence < 1 for one in found)


@given(ASSERTIONS, TIMES, st.randoms())
def test_the_order_of_the_statements_does_not_matter(
    assertions: list[Assertion], as_of_ms: int, random: object
) -> None:
    shuffled = list(assertions)
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    assert {
        one.fact_id: (one.status, one.superseded_by) for one in states(shuffled, as_of_ms)
    } == {one.fact_id: (one.status, one.superseded_by) for one in states(assertions, as_of_ms)}


@given(ASSERTIONS)
def test_at_most_the_facts_last_said_together_are_homes_at_once(
    assertions: list[Assertion],
) -> None:
    timeless = [one._replace(since_ms=None, until_ms=None) for one in assertions]

    homes = [one for one in states(timeless, NOW) if one.predicate == "lives_in"]

    for subject in {one.subject for one in homes}:
        current = [one for one in homes if one.subject == subject and one.status == "current"]
        assert current
        assert len({one.evidence[0].said_ms for one in current}) == 1


@given(ASSERTIONS)
def test_what_is_kept_is_never_replaced(assertions: list[Assertion]) -> None:
    everything = frozenset(one.fact_id for one in assertions)

    assert all(one.status != "superseded" for one in states(assertions, NOW, everything))


@given(ASSERTIONS)
def test_removing_the_later_statement_restores_what_it_replaced(
    assertions: list[Assertion],
) -> None:
    for state in states(assertions, NOW):
        if state.status == "superseded":
            rest = [one for one in assertions if one.predicate != state.predicate]
            restored = states([*rest, *state.evidence], NOW)
            assert (
                next(one for one in restored if one.fact_id == state.fact_id).status
                != "superseded"
            )
