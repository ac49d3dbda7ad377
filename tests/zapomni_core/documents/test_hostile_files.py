"""Whatever a file holds, reading it ends with a document or a refusal."""

from __future__ import annotations

from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.zapomni_core.documents.files import W, docx, epub, paragraph, pdf, zipped
from zapomni_core.documents import DocumentLimits, DocumentRefused, read_document

EXTENSIONS = (
    "md html pdf docx epub txt py eml mbox rst csv tsv ipynb srt vtt json xml unknown".split()  # noqa: SIM905
)
WORDS = (
    "# == -- ``` <p> </p> <h1> <table> <tr> <td> <pre> <script> <!-- --> <![CDATA[ &amp; &x; \" '"
    " From: To: Subject: Date: Content-Type: multipart/mixed; boundary=x --x --x-- text/html"
    " =?utf-8?q?=ff?= =?x?b?!!?= 00:00:01,000 --> 1 , ; { } [ ] : \n \n\n \t a Ж 日 \0 \r"
)
CONTENT = st.one_of(
    st.binary(max_size=300),
    st.lists(st.sampled_from(WORDS.split(" ")), max_size=60).map(lambda x: " ".join(x).encode()),
)
VALID = {
    "docx": docx(paragraph("Some text", "Heading1") + paragraph("more")),
    "epub": epub({"a.xhtml": "<h1>One</h1><p>Text</p>"}),
    "pdf": pdf([["Hello"], ["World"]], [(0, "One"), (1, "Two")]),
}


def outcome(raw: bytes, name: str) -> str:
    try:
        document = read_document(raw, name)
    except DocumentRefused as refusal:
        return refusal.reason
    assert all(section.text.strip() for section in document.sections)
    assert document.sections
    "".join(section.text for section in document.sections).encode()
    return "read"


@pytest.mark.parametrize("extension", EXTENSIONS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(raw=CONTENT)
def test_anything_under_any_name_ends(extension: str, raw: bytes) -> None:
    assert outcome(raw, f"a.{extension}")


@pytest.mark.parametrize("extension", VALID)
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_damaged_file_ends(extension: str, data: st.DataObject) -> None:
    raw = bytearray(VALID[extension])
    for _ in range(data.draw(st.integers(1, 8))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(raw)))

    assert outcome(bytes(raw), f"a.{extension}")
    assert outcome(bytes(raw[:cut]), f"a.{extension}")


def test_an_archive_that_unpacks_to_far_more_than_its_size_is_refused() -> None:
    bomb = docx("<w:p>" + " " * 50_000_000 + "</w:p>")

    with pytest.raises(DocumentRefused, match="far more than its size"):
        read_document(bomb, "a.docx")


def test_what_an_archive_unpacks_to_is_counted_whatever_it_declares() -> None:
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", "<x>" + "abc " * 300_000 + "</x>")
        archive.infolist()[0].file_size = 10
    limits = DocumentLimits(unpacked_bytes=1_000_000)

    with pytest.raises(DocumentRefused):
        read_document(buffer.getvalue(), "a.docx", limits)


def test_an_archive_of_very_many_files_is_refused() -> None:
    many = zipped({str(number): "" for number in range(101)})

    with pytest.raises(DocumentRefused, match="more than 100 files"):
        read_document(many, "a.docx", DocumentLimits(archive_entries=100))


def test_entities_are_never_resolved() -> None:
    secret = 'SYSTEM "file:///etc/hostname"'
    laughs = "".join(
        f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' if n else '<!ENTITY l0 "ha">' for n in range(10)
    )
    body = f"<w:document {W}>{paragraph('before &l9; &file; after')}</w:document>"
    raw = zipped({"word/document.xml": f"<!DOCTYPE x [{laughs}<!ENTITY file {secret}>]>{body}"})

    try:
        text = read_document(raw, "a.docx").sections[0].text
    except DocumentRefused:
        return
    assert text.split() == ["before", "after"]


@pytest.mark.parametrize(
    "evil",
    ["<div>", "<!--", "<a ", "<", "&", "</", "<![CDATA[", "<script>", "<table><tr><td>", "<b><p>"],
)
def test_pages_that_never_end_are_read_in_their_length(evil: str) -> None:
    assert outcome(f"<p>text</p>{evil * 20_000}".encode(), "a.html")


@pytest.mark.parametrize(
    ("name", "evil"),
    [
        ("a.md", "```\n~~~\n" * 20_000),
        ("a.md", "# " * 50_000),
        ("a.md", " " * 200_000 + "x"),
        ("a.rst", "=\n" * 50_000),
        ("a.txt", "\n " * 100_000 + "x"),
        ("a.csv", '"' * 100_001),
        ("a.srt", "00:00:00,000 --> " * 20_000),
        ("a.eml", "Subject: x\n" + "From: =?" * 20_000),
        ("a.mbox", "From a 00:00\n" * 10_000),
        ("a.unknown", "a:\n " * 2_000),
    ],
)
def test_text_made_to_slow_down_a_reader_is_read_in_its_length(name: str, evil: str) -> None:
    assert outcome(evil.encode(), name)


def test_parts_nested_thousands_deep_end() -> None:
    head = "".join(
        f"Content-Type: multipart/mixed; boundary=b{number}\n\n--b{number}\n"
        for number in range(3_000)
    )

    assert outcome(f"Subject: x\n{head}".encode(), "a.eml")


def test_xml_nested_thousands_deep_ends() -> None:
    assert outcome(docx("<w:p>" * 50_000 + "</w:p>" * 50_000), "a.docx")


def test_a_pdf_whose_pages_and_bookmarks_go_in_circles_ends() -> None:
    raw = pdf([["Hello"]], [(0, "One"), (0, "Two")])
    circles = raw.replace(b"/Next 8 0 R", b"/Next 7 0 R").replace(
        b"/Kids [5 0 R]", b"/Kids [2 0 R]"
    )
    assert circles != raw

    assert outcome(circles, "a.pdf")


def test_limits_hold() -> None:
    with pytest.raises(DocumentRefused, match="bigger than 10 bytes"):
        read_document(b"more than ten bytes", "a.txt", DocumentLimits(input_bytes=10))
    with pytest.raises(DocumentRefused, match="more than 10 characters"):
        read_document(b"more than ten characters", "a.txt", DocumentLimits(output_chars=10))
