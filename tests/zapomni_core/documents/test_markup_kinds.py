"""Pages, books and office documents become the text that a reader sees."""

import pytest

from tests.zapomni_core.documents.files import docx, epub, paragraph, pdf
from zapomni_core.documents import Document, DocumentRefused, Section, read_document

STYLES = (
    '<w:styles xmlns:w="w"><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="berschrift1"/></w:style>'
    '<w:style w:styleId="Src"><w:name w:val="Source Code"/></w:style></w:styles>'
)
PROPERTIES = (
    '<p xmlns:dc="d" xmlns:t="t"><dc:title>Plan</dc:title><dc:creator>Ann</dc:creator>'
    "<t:created>2023-04-05T06:07:08Z</t:created></p>"
)


def html(body: str) -> Document:
    return read_document(body.encode(), "a.html")


def test_a_page_is_read_without_what_is_around_it() -> None:
    document = html(
        "<html><head><title>My  page</title><style>p {}</style>"
        '<meta name="author" content="Ann"><meta property="article:published_time"'
        ' content="2024-05-06"></head><body><nav>Home</nav><div class="navbar">About</div>'
        "<script>alert(1)</script><main><h1>Hello<a class=headerlink>¶</a></h1><p>Some\n   "
        "<b>bold</b> text.</main><footer>Imprint</footer>"
    )

    assert (document.title, document.author, document.date) == ("My page", "Ann", "2024-05-06")
    assert document.sections == (Section("# Hello\n\nSome bold text.", ("Hello",)),)


def test_lists_tables_and_code_stay_readable() -> None:
    (section,) = html(
        "<ul><li>one<li>two<ol><li>deep</ol></ul><table><tr><th>a<th>b<tr><td>1<td>2</table>"
        '<pre class="language-python"><code>if x:\n    y()\n</code></pre><blockquote>said'
        "</blockquote><p>use <code>f()</code><br>see <a href='https://x.test/a'>here</a> and"
        " <a href='https://x.test/b'>the manual</a>"
    ).sections

    assert section.text == (
        "- one\n- two\n  1. deep\n\na | b\n1 | 2\n\n```python\nif x:\n    y()\n```\n\n> said\n\n"
        "use `f()`\nsee here (https://x.test/a) and the manual"
    )


def test_a_table_that_arranges_a_page_is_no_table() -> None:
    (section,) = html(
        "<table><tr><td>Dear Ann,<table><tr><td>x<td>y</table>Bye.</td></tr></table>"
    ).sections

    assert section.text == "Dear Ann,\n\nx | y\n\nBye."


def test_images_are_reported_and_their_words_kept() -> None:
    document = html("<p>A <img src=x alt='red cat'> sits.<img src=y>")

    assert document.sections[0].text == "A [image: red cat] sits."
    assert document.problems == ("images left out: 2",)


def test_a_page_in_a_declared_encoding_is_read() -> None:
    raw = '<meta charset="shift_jis"><p>日本'.encode("shift_jis")

    assert read_document(raw, "a.html").sections[0].text == "日本"


def test_a_word_file_keeps_headings_tables_lists_and_code() -> None:
    item = (
        '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/></w:numPr></w:pPr><w:r><w:t>it</w:t></w:r></w:p>'
    )
    cells = "".join(f"<w:tc>{paragraph(text)}</w:tc>" for text in "ab")
    body = (
        paragraph("Setup", "Mine")
        + paragraph("First")
        + item
        + item
        + f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"
        + paragraph("if x:", "Src")
        + paragraph("    y()", "Src")
    )

    document = read_document(docx(body, word__styles=STYLES, docProps__core=PROPERTIES), "a.docx")

    assert (document.title, document.author) == ("Plan", "Ann")
    assert document.date == "2023-04-05T06:07:08+00:00"
    assert document.sections == (
        Section("# Setup\n\nFirst\n\n- it\n- it\n\na | b\n\n```\nif x:\n    y()\n```", ("Setup",)),
    )


def test_a_word_file_knows_its_pages_as_far_as_word_wrote_them_down() -> None:
    turn = "<w:r><w:lastRenderedPageBreak/></w:r>"
    body = paragraph("One.") + f"<w:p>{turn}<w:r><w:t>Two.</w:t></w:r></w:p>"

    sections = read_document(docx(body), "a.docx").sections

    assert [(section.page, section.text) for section in sections] == [(1, "One."), (2, "Two.")]


def test_text_that_was_deleted_in_word_is_not_read_and_notes_are() -> None:
    body = paragraph("Kept.") + "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>"
    notes = f'<w:footnotes xmlns:w="w">{paragraph("A note.")}</w:footnotes>'

    sections = read_document(docx(body, word__footnotes=notes), "a.docx").sections

    assert [section.text for section in sections] == ["Kept.", "A note."]
    assert sections[1].headings == ("Footnotes",)


def test_a_book_is_read_in_its_order_under_its_own_headings() -> None:
    contents = (
        '<navPoint><navLabel><text>Preface</text></navLabel><content src="b.xhtml"/></navPoint>'
    )
    book = epub(
        {
            "b.xhtml": "<html><head><title/></head><body><p>Before.</p></body></html>",
            "a.xhtml": "<html><body><h1>One</h1><p>Text.</p><h2>Inner</h2><p>More.</p>",
        },
        contents,
    )

    document = read_document(book, "a.epub")

    assert (document.title, document.author, document.date) == (
        "The Book",
        "Ann Author",
        "2019-05-04",
    )
    assert [(each.heading_path, each.text, each.place) for each in document.sections] == [
        ("Preface", "Before.", "OEBPS/b.xhtml"),
        ("One", "# One\n\nText.", "OEBPS/a.xhtml"),
        ("One > Inner", "## Inner\n\nMore.", "OEBPS/a.xhtml"),
    ]


def test_a_locked_book_is_refused() -> None:
    lock = '<encryption><CipherReference URI="OEBPS/a.xhtml"/></encryption>'

    with pytest.raises(DocumentRefused, match="lock"):
        read_document(epub({"a.xhtml": "<p>x</p>"}, encryption=lock), "a.epub")


def test_a_pdf_has_a_section_per_page_under_its_bookmarks() -> None:
    raw = pdf([["Hello", "world"], ["Next"], ["Last"]], [(0, "Start"), (2, "End")])

    document = read_document(raw, "a.pdf")

    assert (document.title, document.author) == ("The Report", "Ann Author")
    assert document.date == "2024-01-05T12:00:00+02:00"
    assert document.sections == (
        Section("Hello\nworld", ("Start",), page=1),
        Section("Next", ("Start",), page=2),
        Section("Last", ("End",), page=3),
    )


def test_lines_that_run_through_all_pages_of_a_pdf_are_dropped() -> None:
    pages = [
        ["ACME Report", f"Text number {n} stands here", f"Page {n} of 5"] for n in range(1, 6)
    ]

    sections = read_document(pdf(pages), "a.pdf").sections

    assert [section.text for section in sections] == [
        f"Text number {n} stands here" for n in range(1, 6)
    ]


def test_pages_without_text_are_reported() -> None:
    document = read_document(pdf([["Text"], []]), "a.pdf")

    assert document.problems == ("pages without text (pictures of text are not read) left out: 1",)
