"""Files of text keep what they say, under their headings and with their lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.documents import Document, DocumentRefused, Section, libraries, read_document
from zapomni_core.errors import ConfigurationError

RUSSIAN = "Вчера мы долго говорили о том, как программа запоминает заметки и находит их. " * 3


def read(name: str, text: str | bytes) -> Document:
    return read_document(text.encode() if isinstance(text, str) else text, name)


def test_markdown_is_cut_at_headings() -> None:
    document = read(
        "a.md", "# Guide\n\nWelcome.\n\n## Setup ##\n\nRun it.\n\nTitle\n=====\nEnd.\n"
    )

    assert document.title == "Guide"
    assert document.sections == (
        Section("# Guide\n\nWelcome.", ("Guide",), lines=(1, 4)),
        Section("## Setup ##\n\nRun it.", ("Guide", "Setup"), lines=(5, 8)),
        Section("Title\n=====\nEnd.", ("Title",), lines=(9, 12)),
    )
    assert document.sections[1].heading_path == "Guide > Setup"


def test_a_heading_inside_of_a_code_block_is_code() -> None:
    text = "# One\n\n```sh\n# not a heading\n    kept   as it is\n```\n"

    (section,) = read("a.md", text).sections

    assert section.text == text.strip()


def test_headings_without_text_between_them_begin_one_section() -> None:
    (section,) = read("a.md", "# Part\n## Chapter\nText.").sections

    assert section.headings == ("Part", "Chapter")
    assert section.text == "# Part\n## Chapter\nText."


def test_front_matter_states_title_author_and_date() -> None:
    document = read("a.md", '---\ntitle: "My Notes"\nauthor: Ann\ndate: 2024-02-03\n---\nHello.\n')

    assert (document.title, document.author, document.date) == ("My Notes", "Ann", "2024-02-03")
    assert document.sections == (Section("Hello.", lines=(6, 7)),)


def test_an_embedded_image_is_left_out_and_reported() -> None:
    document = read("a.md", f"Before ![x](data:image/png;base64,{'A' * 5000}) after.")

    assert len(document.sections[0].text) < 100
    assert document.problems == ("embedded images left out: 1",)


def test_titles_of_restructured_text_are_levels_in_the_order_of_their_first_use() -> None:
    document = read("a.rst", "====\nBook\n====\n\nOne\n---\n\nFirst.\n\nTwo\n---\n\nSecond.\n")

    assert [section.headings for section in document.sections] == [
        ("Book", "One"),
        ("Book", "Two"),
    ]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "cp1251", "koi8-r"])
def test_text_is_read_in_any_encoding(encoding: str) -> None:
    document = read("a.txt", RUSSIAN.encode(encoding))

    assert document.sections[0].text == RUSSIAN.strip()


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", "C’est déjà l’été, où êtes-vous allés ? « Voilà » — très bien."),
        ("cp1250", "Zażółć gęślą jaźń, proszę bardzo, źródło jest tutaj."),
        ("cp1253", "Καλημέρα κόσμε, αυτό είναι ένα κείμενο για τη μνήμη."),
        ("shift_jis", "これは日本語の文章です。記憶を保存して、後で検索します。"),
        ("gb18030", "这是一个中文文档，用于测试编码检测。记忆会被保存下来。"),
    ],
)
def test_the_encoding_of_a_short_text_is_guessed(encoding: str, text: str) -> None:
    assert read("a.txt", text.encode(encoding)).sections[0].text == text


def test_a_missing_library_is_an_error_that_names_the_extra() -> None:
    with pytest.raises(ConfigurationError, match=r"zapomni\[documents\]"):
        libraries._loaded("no_such_library", "no-such-library", "such files")


def test_source_code_names_its_language_and_keeps_its_indentation() -> None:
    source = "\n\ndef f():\n    return 1\n"

    document = read("a.py", source)

    assert (document.kind, document.language) == ("code", "python")
    assert document.sections == (Section("def f():\n    return 1", lines=(3, 4)),)


def test_every_section_of_a_long_table_begins_with_the_names_of_the_columns() -> None:
    rows = "".join(f'{n};"name, {n}"\n' for n in range(250))

    document = read("a.csv", f"id;name\n{rows}")

    assert [section.text.split("\n")[:2] for section in document.sections] == [
        ["id | name", "0 | name, 0"],
        ["id | name", "100 | name, 100"],
        ["id | name", "200 | name, 200"],
    ]
    assert document.sections[1].lines == (102, 201)


def test_a_notebook_keeps_text_and_code_and_reports_what_was_printed() -> None:
    book = """{"cells": [
        {"cell_type": "markdown", "source": ["# Study\\n", "Why."]},
        {"cell_type": "code", "source": "x = 1", "outputs": [{"text": "1"}]}
    ], "metadata": {"kernelspec": {"language": "julia"}}}"""

    document = read("a.ipynb", book)

    assert document.sections[0].headings == ("Study",)
    assert "```julia\nx = 1\n```" in document.sections[0].text
    assert document.problems == ("outputs of cells left out: 1",)


def test_subtitles_are_what_is_spoken_in_stretches_of_minutes() -> None:
    text = (
        "WEBVTT\n\n1\n00:01.000 --> 00:02.000\n<v Ann>Hello <i>there</i>\n\n"
        "2\n00:03.000 --> 00:04.000\nHow are you?\n\n01:10:00.000 --> 01:10:02.000\nLater.\n"
    )

    document = read("a.vtt", text)

    assert [(section.place, section.text) for section in document.sections] == [
        ("00:00:01", "Ann: Hello there\nHow are you?"),
        ("01:10:00", "Later."),
    ]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", b""),
        ("a.txt", b" \n\n "),
        ("a.md", b"\0\1\2\3" * 100),
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0\0"),
        ("a.ipynb", b"[1, 2]"),
        ("a.ipynb", b"[" * 100_000),
        ("a.srt", b"no times here"),
        ("a.eml", b"just some text"),
        ("a.pdf", b"%PDF-1.4 nothing follows"),
        ("a.docx", b"PK\x03\x04 nothing follows"),
        ("a.docx", b"\xd0\xcf\x11\xe0" + b"\0" * 500),
        ("a.epub", b"not an archive"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_way_out(name: str, content: bytes) -> None:
    with pytest.raises(DocumentRefused) as refusal:
        read(name, content)

    assert refusal.value.name == name
    assert "; " in refusal.value.reason


def test_a_file_without_a_known_name_is_known_by_its_content() -> None:
    assert read("NOTES", "Just text.").kind == "text"
    assert read("page", "<!DOCTYPE html><p>Hello").kind == "html"


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1))
def test_the_words_of_any_text_survive(text: str) -> None:
    shown = text.replace("\u200b", "").replace("\xad", "").replace("\ufeff", "").split()
    shown = [word for word in shown if word.strip("\ufffe\uffff")]
    if not shown:
        return

    document = read_document(text.encode(), "a.txt")

    assert " ".join(each.text for each in document.sections).split() == [
        word.replace("\ufffe", "").replace("\uffff", "") for word in shown
    ]
