"""Writers of small documents, so that every test shows what it reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
)


def zipped(entries: Mapping[str, str | bytes]) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def docx(body: str, **more: str | bytes) -> bytes:
    """Write a Word file; `more` are entries, their slashes written as two underscores."""
    entries: dict[str, str | bytes] = {
        "[Content_Types].xml": "<Types/>",
        "word/document.xml": f"<w:document {W}><w:body>{body}</w:body></w:document>",
    }
    return zipped(entries | {f"{key.replace('__', '/')}.xml": each for key, each in more.items()})


def paragraph(text: str, style: str = "") -> str:
    look = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{look}<w:r><w:t>{text}</w:t></w:r></w:p>"


def epub(chapters: Mapping[str, str], contents: str = "", **more: str) -> bytes:
    items = "".join(
        f'<item id="i{n}" href="{name}" media-type="application/xhtml+xml"/>'
        for n, name in enumerate(chapters)
    )
    order = "".join(f'<itemref idref="i{n}"/>' for n in range(len(chapters)))
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Book</dc:title>'
        "<dc:creator>Ann Author</dc:creator><dc:date>2019-05-04</dc:date></metadata><manifest>"
        '<item id="toc" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
        f"{items}</manifest><spine>{order}</spine></package>"
    )
    entries: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": package,
        "OEBPS/toc.ncx": f"<ncx><navMap>{contents}</navMap></ncx>",
    }
    pages = {f"OEBPS/{name}": page for name, page in chapters.items()}
    return zipped(entries | pages | {f"META-INF/{key}.xml": each for key, each in more.items()})


def pdf(pages: Sequence[Sequence[str]], bookmarks: Sequence[tuple[int, str]] = ()) -> bytes:
    """Write lines onto pages; a bookmark is a page, counted from zero, and a title."""
    first_page, first_mark = 5, 5 + 2 * len(pages)
    kids = " ".join(f"{first_page + 2 * n} 0 R" for n in range(len(pages)))
    last_mark = first_mark + len(bookmarks) - 1
    outline = f"/First {first_mark} 0 R /Last {last_mark} 0 R" if bookmarks else ""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< /Type /Outlines {outline} /Count {len(bookmarks)} >>",
    ]
    for number, lines in enumerate(pages):
        shown = " ".join(f"({line}) Tj 0 -20 Td" for line in lines)
        content = f"BT /F1 12 Tf 50 700 Td {shown} ET"
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] "
            f"/Contents {first_page + 2 * number + 1} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    for number, (page, title) in enumerate(bookmarks):
        is_last = number == len(bookmarks) - 1
        following = "" if is_last else f"/Next {first_mark + number + 1} 0 R"
        objects.append(
            f"<< /Title ({title}) /Parent 4 0 R {following} "
            f"/Dest [{first_page + 2 * page} 0 R /Fit] >>"
        )
    facts = (
        "<< /Title (The Report) /Author (Ann Author) /CreationDate (D:20240105120000+02'00') >>"
    )
    return _assembled([*objects, facts])


def _assembled(objects: Sequence[str]) -> bytes:
    out = b"%PDF-1.4\n"
    places = []
    for number, text in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{text}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    count = len(objects) + 1
    end = f"trailer << /Size {count} /Root 1 0 R /Info {count - 1} 0 R >>\n"
    xref = f"xref\n0 {count}\n0000000000 65535 f \n{table}{end}startxref\n{len(out)}\n%%EOF"
    return out + xref.encode()
