"""Which symbols are ranked, and what is known of them."""

from __future__ import annotations

from zapomni_core.code.searching.candidates import Legs, candidate, worded
from zapomni_core.code.searching.query import read_query
from zapomni_core.retrieval.lexicon import Lexicon
from zapomni_db import IndexEntry
from zapomni_db.code import Symbol


def key(number: int) -> str:
    return f"{number:032x}"


def symbol(qname: str) -> Symbol:
    name = qname or "cookies"
    return Symbol(
        "", "cookies.py", name, qname, "class", "python", 1, 9, "", "", "", True, True, 0
    )


def test_only_the_best_by_words_are_found_with_their_scores() -> None:
    lexicon, query = Lexicon(), read_query("cookie parsing")
    texts = [" ".join(query.terms), query.terms[0], "other"]
    lexicon.add(
        [IndexEntry(key(n), key(9), text, 0, "", (), is_code=True) for n, text in enumerate(texts)]
    )
    found = worded(lexicon, query)

    assert list(found) == [key(0), key(1)]
    assert found[key(0)] > found[key(1)] > 0
    assert worded(lexicon, query, 1) == {key(0): found[key(0)]}


def test_a_symbol_has_a_score_only_from_the_legs_that_found_it() -> None:
    legs = Legs({each: symbol("Jar") for each in "abc"}, {"a": 2.0}, {"b": 0.5})
    by_words, near, named = (candidate(f"r:{each}", each, legs) for each in "abc")

    assert (by_words.lexical, by_words.similarity) == (2.0, None)
    assert (near.lexical, near.similarity) == (0.0, 0.5)
    assert (named.id, named.lexical, named.similarity) == ("r:c", 0.0, None)
    assert (named.name, named.qname, named.path, named.kind) == (
        "Jar",
        "Jar",
        "cookies.py",
        "class",
    )
    assert named.is_test


def test_the_code_outside_of_definitions_has_no_name() -> None:
    assert candidate("a", "a", Legs({"a": symbol("")}, {}, {})).name == ""
