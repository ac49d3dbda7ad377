"""What a resolver finds out before it is asked is what it would have answered."""

import orjson

from zapomni_core.code.parsing.extraction import extract
from zapomni_core.code.resolution.worker import _Resolver
from zapomni_core.workers.message import Message

STORE, APP = "def save():\n    pass\n", "from store import save\nsave()\n"


def ask(resolver: _Resolver, name: str, *given: object, content: bytes = b"") -> object:
    _, answer = orjson.loads(resolver.answer(Message(orjson.dumps([name, *given]), content)).text)
    return answer


def take(resolver: _Resolver, path: str, source: str) -> None:
    facts = extract(source.encode(), path, "python").packed()
    ask(resolver, "take", [(path, len(facts))], False, content=facts)


def resolver() -> _Resolver:
    made = _Resolver()
    take(made, "store.py", STORE)
    take(made, "app.py", APP)
    return made


def test_files_that_follow_are_answered_as_if_they_had_just_been_asked_for() -> None:
    ahead, asked = resolver(), resolver()

    first = ask(ahead, "links", ["store.py"], [["app.py"]])
    ahead.go_ahead()
    second = ask(ahead, "links", ["app.py"], [])

    assert first == ask(asked, "links", ["store.py"], [])
    assert second == ask(asked, "links", ["app.py"], [])
    assert "store.py::save" in orjson.dumps(second).decode()


def test_parts_are_found_out_one_after_another_until_there_are_no_more() -> None:
    ahead, asked = resolver(), resolver()

    ask(ahead, "links", [], [["store.py"], ["app.py"]])
    went = [ahead.go_ahead() for _ in range(3)]

    assert went == [True, True, False]
    for part in (["store.py"], ["app.py"]):
        assert ask(ahead, "links", part, []) == ask(asked, "links", part, [])


def test_other_files_than_were_said_to_follow_are_answered_too() -> None:
    ahead, asked = resolver(), resolver()

    ask(ahead, "links", ["store.py"], [["store.py"]])
    ahead.go_ahead()

    assert ask(ahead, "links", ["app.py"], []) == ask(asked, "links", ["app.py"], [])


def test_what_was_found_out_before_a_change_is_not_answered_after_it() -> None:
    ahead = resolver()

    ask(ahead, "links", ["store.py"], [["app.py"]])
    ahead.go_ahead()
    take(ahead, "store.py", "def load():\n    pass\n")

    assert "store.py::save" not in orjson.dumps(ask(ahead, "links", ["app.py"], [])).decode()
