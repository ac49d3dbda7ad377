"""Setting: which memories belong together, in which order, and who speaks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.models import Metadata
from zapomni_core.setting import Setting, setting_of
from zapomni_core.validation import parse_metadata

NOON_MS = 1_683_547_200_000  # 8 May 2023, 12:00 UTC
NUMBERS = st.integers(-(1 << 62), 1 << 62)


def setting(text: str, metadata: Metadata | None = None, timestamp_ms: int = NOON_MS) -> Setting:
    parsed = parse_metadata(metadata)
    return setting_of(
        text, parsed, timestamp_ms if parsed.timestamp_ms is None else parsed.timestamp_ms
    )


def test_a_plain_text_stands_alone() -> None:
    alone = setting("The deploy script lives in ops/deploy.sh")

    assert (alone.thread, alone.speaker, alone.date) == ("", "", "")
    assert alone.to_embed("any text", 0) == "any text"
    assert alone.to_index("any text") == "any text"


@pytest.mark.parametrize(
    "text",
    ["Note: buy milk", "TODO: call Ann", "https://example.org: a link", "12: a number", "a:b"],
)
def test_a_heading_is_not_a_speaker(text: str) -> None:
    assert setting(text).speaker == ""


def test_a_name_before_a_colon_is_a_speaker_only_in_what_looks_like_a_conversation() -> None:
    title = "Monitors: An Operating System Structuring Concept"

    assert setting(title).speaker == ""
    assert setting(title, {"source": "library"}).thread == ""
    assert setting("Ann: hello", {"source": "chat with Ann"}).speaker == "Ann"
    assert setting("[8 May 2023] Ann: hello").speaker == "Ann"
    assert setting("user: hello").speaker == "user"


def test_turns_of_one_session_share_a_thread_in_the_order_of_their_positions() -> None:
    one = setting("Ann: hello", {"session": "s1", "position": 1})
    two = setting("Bob: hi", {"session": "s1", "position": 2})
    other = setting("Bob: hi", {"session": "s2", "position": 3})

    assert one.thread == two.thread != other.thread
    assert one.place < two.place


def test_a_session_number_counts_within_its_source() -> None:
    here, there = ({"session": 1, "source": source} for source in ("work", "home"))

    assert setting("Ann: hello", here).thread != setting("Ann: hello", there).thread


def test_conversation_and_session_name_the_thread_together() -> None:
    first = setting("hello", {"conversation_id": "c", "session_id": "1"})
    second = setting("hello", {"conversation_id": "c", "session_id": "2"})

    assert first.thread != second.thread


def test_without_a_session_the_turns_of_a_source_and_a_day_belong_together() -> None:
    morning = setting("Ann: hello", {"source": "phone", "timestamp": "2023-05-08T08:00:00Z"})
    noon = setting("Bob: hi", {"source": "phone", "timestamp": "2023-05-08T12:00:00Z"})
    tomorrow = setting("Bob: hi", {"source": "phone", "timestamp": "2023-05-09T12:00:00Z"})

    assert morning.thread == noon.thread != tomorrow.thread
    assert morning.place < noon.place


def test_a_source_of_many_conversations_is_one_for_each_day() -> None:
    monday, tuesday = (
        setting("hello", {"source": "chat", "timestamp": f"2023-05-0{day}T08:00:00Z"}).thread
        for day in (8, 9)
    )

    assert monday != tuesday
    assert "chat" in monday


def test_a_source_that_is_a_conversation_makes_a_thread_even_without_speakers() -> None:
    assert setting("hello", {"source": "session_3"}).thread
    assert not setting("hello", {"source": "wiki"}).thread


def test_a_date_before_the_speaker_is_searched_for_but_not_embedded() -> None:
    text = "[1:56 pm on 8 May, 2023] Ann Lee: I moved to Oslo."
    turn = setting(text)

    assert turn.speaker == "Ann Lee"
    assert turn.to_embed(text, 0) == "Ann Lee: I moved to Oslo."
    assert turn.to_index(text) == text
    assert turn.to_embed("a later chunk", 900) == "a later chunk"


def test_speaker_and_date_of_the_metadata_are_part_of_what_is_searched() -> None:
    turn = setting("I moved to Oslo.", {"speaker": "Ann", "timestamp": "2023-05-08T12:00:00Z"})

    assert turn.to_embed("I moved to Oslo.", 0) == "Ann: I moved to Oslo."
    assert turn.to_index("I moved to Oslo.") == "8 May 2023 Ann I moved to Oslo."


def test_a_speaker_who_is_in_the_text_already_is_not_repeated() -> None:
    turn = setting("Ann: I moved.", {"speaker": "Ann"})

    assert turn.to_embed("Ann: I moved.", 0) == "Ann: I moved."


@pytest.mark.parametrize(
    ("given", "known"), [("human", "user"), ("AI", "assistant"), ("Maria", "Maria")]
)
def test_roles_have_one_name(given: str, known: str) -> None:
    assert setting("hello", {"role": given}).speaker == known


@given(
    st.text(max_size=80),
    st.dictionaries(
        st.sampled_from(["session", "position", "speaker", "role", "conversation"]),
        st.none() | st.booleans() | NUMBERS | st.text(max_size=9) | st.lists(NUMBERS),
    ),
)
def test_whatever_is_given_makes_a_setting_and_no_text_is_lost(
    text: str, metadata: Metadata
) -> None:
    made = setting(text, {k: v for k, v in metadata.items() if "\0" not in str(v)} or None)

    assert abs(made.place) < 1 << 63
    assert text in made.to_index(text)
    assert text[made.date_chars :] in made.to_embed(text, 0)
