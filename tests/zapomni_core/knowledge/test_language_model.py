"""A language model is asked for facts, against a real HTTP service on loopback that chats."""

import socket

import anyio
import pytest

from tests.fakes import LANGUAGE_MODEL, FakeOllama, fake_ollama
from tests.zapomni_core.knowledge.readers import (
    FACT,
    SECRET,
    TEXT,
)
from zapomni_core import (
    LanguageModelUnavailable,
)
from zapomni_core.knowledge.facts.predicates import PREDICATES
from zapomni_core.knowledge.language_model import LONGEST_TEXT, LanguageModel, Statement
from zapomni_core.knowledge.ollama import Ollama

pytestmark = pytest.mark.anyio


async def test_a_model_is_asked_in_a_form_with_the_text_apart_from_the_orders(
    model: LanguageModel, ollama: FakeOllama
) -> None:
    ollama.facts = [FACT]

    assert await model.statements(TEXT) == [Statement(*FACT)]

    (question,) = ollama.questions
    orders, text = question["messages"]
    assert (orders["role"], text) == ("system", {"role": "user", "content": TEXT})
    assert TEXT not in orders["content"]
    fact = question["format"]["properties"]["facts"]["items"]
    assert fact["properties"]["relation"]["enum"] == sorted(PREDICATES)
    assert (question["model"], question["stream"]) == (LANGUAGE_MODEL, False)


@pytest.mark.parametrize("chat", ["cut_off", "not_json", "other_form"])
async def test_an_answer_out_of_form_is_asked_for_once_more_and_otherwise(
    model: LanguageModel, ollama: FakeOllama, chat: str
) -> None:
    ollama.facts = [FACT]
    ollama.chats = [chat]  # type: ignore[list-item]

    assert await model.statements(TEXT) == [Statement(*FACT)]

    first, second = ollama.questions
    assert first["messages"] == second["messages"]
    assert first["options"]["temperature"] < second["options"]["temperature"]


async def test_a_model_that_cannot_keep_to_the_form_is_not_asked_a_third_time(
    model: LanguageModel, ollama: FakeOllama
) -> None:
    ollama.chat = "not_json"

    assert await model.statements(TEXT) is None
    assert len(ollama.questions) == 2


async def test_relations_that_are_unknown_and_names_without_end_are_left_out(
    model: LanguageModel, ollama: FakeOllama
) -> None:
    name, _, company = FACT
    ollama.facts = [
        (name, "murdered", company),
        ("x" * 1000, "works_at", company),
        (name, "works_at", "x" * 1000),
        (name, " Works At ", company),
    ]

    assert await model.statements(TEXT) == [Statement(*FACT)]


async def test_a_flood_of_facts_is_cut_off(model: LanguageModel, ollama: FakeOllama) -> None:
    ollama.facts = [(f"Name {number}", "knows", "Anna") for number in range(10_000)]

    statements = await model.statements(TEXT)

    assert statements is not None
    assert 0 < len(statements) < 100


async def test_no_more_of_a_text_is_sent_than_the_bound_says(
    model: LanguageModel, ollama: FakeOllama
) -> None:
    await model.statements("ä" * (LONGEST_TEXT + 1))

    assert ollama.questions[0]["messages"][1]["content"] == "ä" * LONGEST_TEXT


@pytest.mark.parametrize(
    ("chat", "way_out"),
    [
        ("broken", r"status 500"),
        ("cannot_chat", "is it a language model"),
        ("garbage", "does not speak like Ollama"),
        ("redirected", r"status 307"),
    ],
)
async def test_a_service_that_fails_is_explained_without_what_it_was_asked(
    model: LanguageModel, ollama: FakeOllama, chat: str, way_out: str
) -> None:
    ollama.chat = chat  # type: ignore[assignment]

    with pytest.raises(LanguageModelUnavailable, match=way_out) as failed:
        await model.statements(f"The word is {SECRET}.")

    assert SECRET not in str(failed.value)
    assert failed.value.__cause__ is None
    assert len(ollama.questions) == 1


async def test_a_model_that_ollama_does_not_have_is_named_with_the_way_out(
    model: LanguageModel, ollama: FakeOllama
) -> None:
    ollama.models = []

    with pytest.raises(LanguageModelUnavailable, match=rf"`ollama pull {LANGUAGE_MODEL}`"):
        await model.statements(TEXT)


@pytest.mark.parametrize("chat", ["silent", "trickling"])
async def test_a_service_that_does_not_come_to_an_end_is_given_up(
    ollama: FakeOllama, chat: str
) -> None:
    ollama.chat = chat  # type: ignore[assignment]
    service = Ollama(ollama.host, timeout_s=0.2)

    with anyio.fail_after(30), pytest.raises(LanguageModelUnavailable, match="OLLAMA_TIMEOUT_S"):
        await LanguageModel(service, LANGUAGE_MODEL, PREDICATES).statements(TEXT)
    await service.close()


async def test_a_service_that_is_down_is_named_with_the_way_out() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        service = Ollama(f"127.0.0.1:{probe.getsockname()[1]}", timeout_s=5.0)
        with pytest.raises(LanguageModelUnavailable, match=r"ollama serve.*set_model"):
            await LanguageModel(service, LANGUAGE_MODEL, PREDICATES).statements(TEXT)
        await service.close()


async def test_a_text_is_sent_nowhere_else_even_if_the_service_asks_for_it(
    model: LanguageModel, ollama: FakeOllama
) -> None:
    with fake_ollama() as stranger:
        ollama.chat, ollama.elsewhere = "redirected", stranger.host

        with pytest.raises(LanguageModelUnavailable):
            await model.statements(TEXT)

        assert stranger.questions == []
