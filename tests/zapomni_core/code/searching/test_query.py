"""What a query for code is read as."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.code.searching.query import read_query


@pytest.mark.parametrize(
    "text", ["Router", "get_user()", "Sinatra::Base", "self.app.run", "Foo#bar", "empty?"]
)
def test_a_name_alone_asks_for_a_symbol(text: str) -> None:
    assert read_query(text).kind == "symbol"


@pytest.mark.parametrize("text", ["src/app/users.py", "./lib/view.js", "users.py", "a/b"])
def test_a_path_asks_for_a_file(text: str) -> None:
    assert read_query(text).kind == "path"


@pytest.mark.parametrize("text", ["how are routes registered", "background tasks"])
def test_words_ask_for_a_meaning(text: str) -> None:
    assert (read_query(text).kind, read_query(text).names) == ("sentence", ())


def test_names_are_recognised_inside_a_sentence() -> None:
    names = read_query("how RouterGroup calls add_route and Sinatra::Base when run").names

    assert names == ("RouterGroup", "add_route", "Sinatra.Base")


def test_function_words_are_no_words_of_a_sentence() -> None:
    assert not read_query("how does the router work in it").words & {"the", "in", "it", "how"}


@given(st.text(max_size=100))
def test_any_text_can_be_read(text: str) -> None:
    assert read_query(text).kind in {"symbol", "path", "sentence"}
