"""Messages keep their senders and dates, and bring what is attached to them."""

from email.message import EmailMessage
from email.policy import SMTP

from zapomni_core.documents import Document, Section, read_document


def message(subject: str = "Plan", text: str = "Let us meet.") -> EmailMessage:
    mail = EmailMessage(policy=SMTP)
    mail["From"] = "Ann Müller <ann@example.org>"
    mail["To"] = "Bob <bob@example.org>"
    mail["Date"] = "Tue, 05 Mar 2024 10:00:00 +0100"
    mail["Subject"] = subject
    mail.set_content(text)
    return mail


def read(mail: EmailMessage) -> Document:
    return read_document(mail.as_bytes(), "a.eml")


def test_a_message_states_who_wrote_what_to_whom_and_when() -> None:
    document = read(message("Überblick"))

    assert document.title == "Überblick"
    assert document.author == "Ann Müller <ann@example.org>"
    assert document.date == "2024-03-05T10:00:00+01:00"
    assert document.sections == (
        Section(
            "From: Ann Müller <ann@example.org>\nTo: Bob <bob@example.org>\n"
            "Date: Tue, 05 Mar 2024 10:00:00 +0100\nSubject: Überblick\n\nLet us meet.",
            author=document.author,
            date=document.date,
        ),
    )


def test_of_alternatives_the_plain_text_is_read() -> None:
    mail = message(text="plain words")
    mail.add_alternative("<p>rich words</p>", subtype="html")

    text = read(mail).sections[0].text

    assert "plain words" in text
    assert "rich words" not in text


def test_a_message_of_html_is_read_as_text() -> None:
    mail = message()
    mail.set_content("<p>Hello <b>Bob</b></p><style>p {}</style>", subtype="html")

    assert read(mail).sections[0].text.endswith("\n\nHello Bob")


def test_attached_documents_are_read_and_others_reported() -> None:
    mail = message()
    mail.add_attachment(b"# Notes\n\nRemember.", "text", "markdown", filename="notes.md")
    mail.add_attachment(b"\x89PNG\0\0", "image", "png", filename="x.png")
    mail.add_attachment(message("Inner", "Deep words."))

    document = read(mail)

    assert [section.heading_path for section in document.sections] == [
        "",
        "notes.md > Notes",
        "attached message.eml",
    ]
    assert "Deep words." in document.sections[2].text
    assert len(document.problems) == 1
    assert "x.png" in document.problems[0]


def test_messages_inside_of_messages_end_at_a_depth() -> None:
    mail = message("Deepest")
    for number in range(8):
        outer = message(f"Level {number}")
        outer.add_attachment(mail)
        mail = outer

    document = read(mail)

    assert "Deepest" not in "".join(section.text for section in document.sections)
    assert any("beyond the limit" in problem for problem in document.problems)


def test_every_message_of_a_mailbox_has_its_own_author_and_date() -> None:
    box = b"".join(
        b"From x@example.org Tue Mar  5 10:00:00 2024\n"
        + message(f"No. {number}", ">From here on.").as_bytes().replace(b"\r\n", b"\n")
        + b"\n"
        for number in range(3)
    )

    document = read_document(box, "a.mbox")

    assert [section.heading_path for section in document.sections] == ["No. 0", "No. 1", "No. 2"]
    assert {section.date for section in document.sections} == {"2024-03-05T10:00:00+01:00"}
    assert all(section.text.endswith("\nFrom here on.") for section in document.sections)
