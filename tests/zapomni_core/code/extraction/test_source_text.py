"""Places in a source text are told by its bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.code.parsing.text import SourceText

texts = st.text("ab é\n\r").map(str.encode)


@given(texts, st.integers(0, 100))
def test_a_line_is_one_more_than_the_breaks_in_front_of_it(data: bytes, position: int) -> None:
    position = min(position, len(data))

    assert SourceText(data).line(position) == 1 + data.count(b"\n", 0, position)


@given(texts, st.integers(0, 100), st.integers(0, 100))
def test_text_is_cut_by_bytes_in_any_alphabet(data: bytes, start: int, end: int) -> None:
    written = SourceText(data).between(start, end)

    assert written == data[start:end].decode(errors="replace")


@pytest.mark.parametrize(
    ("head", "signature"),
    [
        (b"def f(a,\n      b):", "def f(a, b)"),
        (b"f = (a) =>  {", "f = (a)"),
        (b"bool operator >=", "bool operator >"),
        (b"fn f() -> Vec<T> {", "fn f() -> Vec<T>"),
        (b"type T =", "type T"),
        (b" ;:", ""),
    ],
)
def test_a_signature_is_one_line_without_what_opens_the_body(head: bytes, signature: str) -> None:
    assert SourceText(head).signature(0, len(head)) == signature


@pytest.mark.parametrize(
    ("head", "mark", "signature"),
    [
        (b"def f(x):\n    # note\n    ", b"#", "def f(x)"),
        (b"def f(\n    a,  # it's one\n    b,\n):  # why", b"#", "def f( a, b, )"),
        (b"def f(a=\"#\", b=' # '):", b"#", "def f(a=\"#\", b=' # ')"),
        (b"void f(int a) // why\n", b"//", "void f(int a)"),
        (b'f(url = "http://a") // why\n{', b"//", 'f(url = "http://a")'),
        (b"fn f<'a>(x: &'a str) // why\n{", b"//", "fn f<'a>(x: &'a str)"),
        (b"sub f#g", b"#", "sub f#g"),
    ],
)
def test_a_signature_has_no_comments(head: bytes, mark: bytes, signature: str) -> None:
    assert SourceText(head, mark).signature(0, len(head)) == signature
