"""How source code is cut into terms and into the text that is embedded."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.code.model import Definition
from zapomni_core.code.searching.counting import counted_terms
from zapomni_core.code.searching.terms import code_query_terms, name_words
from zapomni_core.code.searching.tokens import embedded_text, symbol_words
from zapomni_core.retrieval.stemming import common_stem
from zapomni_core.retrieval.words import words_of

NAMES = st.from_regex(r"[a-z]{2,8}(_[a-z]{2,8}){1,3}", fullmatch=True)
[SERVING], [COOKIES] = code_query_terms("serving"), code_query_terms("cookies")


def definition(qname: str, *, signature: str = "", doc: str = "") -> Definition:
    name = qname.rpartition(".")[2]
    return Definition(qname, name, "function", 1, signature=signature, doc=doc)


def terms(source: str, *, path: str = "", qname: str = "", doc: str = "") -> list[str]:
    words = symbol_words(path, definition(qname, doc=doc) if qname else None, source)
    keys, places, counts = counted_terms([words])
    assert not places.astype(np.uint32).any(), "there is one row"
    return [key for key, n in zip(keys, counts.tolist(), strict=True) for _ in range(n)]


def test_an_identifier_is_found_whole_and_by_its_parts() -> None:
    assert set(code_query_terms("HTTPServer user")) <= set(terms("x = new HTTPServer(user_name)"))


@given(NAMES)
def test_snake_case_and_camel_case_give_the_same_terms(snake: str) -> None:
    first, *rest = snake.split("_")
    camel = first + "".join(part.title() for part in rest)

    assert sorted(terms(f"{snake}()")) == sorted(terms(f"{camel}()"))


@given(NAMES, st.text(max_size=200))
def test_a_symbol_is_found_by_its_own_name_whatever_its_source(name: str, source: str) -> None:
    assert set(code_query_terms(name)) <= set(terms(source, qname=name))


@given(st.text("aeilntsyAXTS019_", min_size=2, max_size=14))
def test_identifiers_are_cut_and_stemmed_like_any_other_text(name: str) -> None:
    *parts, whole = list(words_of(name)) or [""]
    stems = {common_stem(each.casefold()) for each in (parts or [whole]) if len(each) > 1}

    assert name_words(name) == stems | ({whole.casefold()} if parts and len(whole) > 1 else set())


def test_a_file_is_found_by_its_stem_more_than_by_its_directories() -> None:
    found = terms("pass", path="app/web/cookies.py")

    assert found.count(COOKIES) > found.count("web") == 1


def test_directories_far_above_a_file_do_not_count() -> None:
    assert "far" not in terms("pass", path="far/a1/b1/c1/cookies.py")


def test_a_comment_above_counts_and_a_docstring_does_not_count_twice() -> None:
    above = terms("func Run() {}", qname="Run", doc="Run starts serving.")
    inside = terms('def run(): "Run starts serving."', qname="run", doc="Run starts serving.")

    assert above.count(SERVING) == inside.count(SERVING) == 1


def test_what_is_repeated_often_does_not_drown_the_rest() -> None:
    assert 0 < terms("error " * 500 + "signal").count("error") < 10


def test_more_mentions_count_more_up_to_a_few() -> None:
    counts = [terms("signal " * times).count("signal") for times in range(1, 9)]

    few = counts.index(max(counts)) + 1
    assert counts[:few] == [*range(1, few + 1)]
    assert set(counts[few:]) == {few}


def test_a_query_of_single_letters_keeps_them() -> None:
    assert code_query_terms("x y") == ["x", "y"]


def test_words_of_a_name_ignore_the_inflection() -> None:
    assert name_words("validators") & name_words("validator")


def test_the_text_to_embed_says_where_and_what_and_why() -> None:
    told = embedded_text(
        "app/users.py",
        definition("Users.add", signature="def add(self, user)", doc="Store a new user."),
        "def add(self, user): ...",
    )

    assert told.startswith("app/users.py :: Users.add\ndef add(self, user)\nStore a new user.")


@given(st.text(max_size=2000), st.booleans())
def test_the_text_to_embed_is_short_and_never_empty(source: str, is_module: bool) -> None:
    told = embedded_text("a.py", None if is_module else definition("run"), source)

    assert 0 < len(told) <= 300
