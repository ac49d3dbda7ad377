"""Secrets in texts and metadata become a mark that says what was there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.life.redaction import redact, redact_metadata

GITHUB = "ghp_" + "a1B2" * 9
_LINES = "MIIEpAIBAAKCAQEA1234\nabcdEFGH5678"
KEY = f"-----BEGIN RSA PRIVATE KEY-----\n{_LINES}\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "secret", "kind"),
    [
        (f"use {GITHUB} for it", GITHUB, "GitHub token"),
        ("Die Passphrase: Tr0ub4dor&3", "Tr0ub4dor&3", "password or key"),
        ("My password is hunter22. Keep it.", "hunter22", "password or key"),
        ("API_KEY=a8f3k2l9d8s7f6", "a8f3k2l9d8s7f6", "password or key"),
        ("postgres://bob:s3cr3tpw9@db/x", "s3cr3tpw9", "password or key"),
        ('password = "Kx9!mQ2z#Lw"', "Kx9!mQ2z#Lw", "password or key"),
        ("Authorization: Bearer " + "ab12" * 8, "ab12" * 8, "password or key"),
        (KEY, "abcdEFGH5678", "private key"),
    ],
)
def test_a_secret_is_replaced_by_what_it_is(text: str, secret: str, kind: str) -> None:
    clean = redact(f"Zoë wrote: {text} – that is all")

    assert secret not in clean.text
    assert f"[redacted: {kind}]" in clean.text
    assert clean.text.startswith("Zoë wrote: ")
    assert clean.text.endswith(" – that is all")
    assert clean.hidden == {kind: 1}


@pytest.mark.parametrize(
    "text",
    [
        "The password is required.",
        "A token is about 4 characters; token = 4096",
        "the tokenizer is bert-base-uncased-v2",
        "password: see config/auth2.json",
        "password: config/auth2.json",
        "token = get_token2(x)",
        "secret = settings.auth_token_v2",
        "**bold** and *** stars",
        "https://example.org/a:b@c",
        "password=your-password-1",
    ],
)
def test_what_only_speaks_of_secrets_stays(text: str) -> None:
    assert redact(text).text == text


@given(st.text())
def test_any_text_can_be_looked_through_and_again(text: str) -> None:
    clean = redact(text)

    assert redact(clean.text).text == clean.text
    assert (clean.text == text) == (not clean.hidden)


@given(st.text(), st.text())
def test_a_key_is_found_wherever_it_stands(before: str, after: str) -> None:
    assert GITHUB not in redact(f"{before} {GITHUB} {after}").text


def test_metadata_is_looked_through_by_name_and_by_value() -> None:
    given_metadata = {
        "source": f"https://me:{'pa55word1'}@git.test/x",
        "tags": ["plain", GITHUB],
        "login": {"password": "hunter22", "user": "bob"},
        "n": 1,
    }

    clean, hidden = redact_metadata(given_metadata)

    assert clean == {
        "source": "https://me:[redacted: password or key]@git.test/x",
        "tags": ["plain", "[redacted: GitHub token]"],
        "login": {"password": "[redacted: password or key]", "user": "bob"},
        "n": 1,
    }
    assert hidden == {"password or key": 2, "GitHub token": 1}


def test_a_secret_in_the_name_of_a_field_is_hidden_too() -> None:
    clean, hidden = redact_metadata({"keys": {GITHUB: 1}, "plain": {"a": 2}})

    assert clean == {"keys": {"[redacted: GitHub token]": 1}, "plain": {"a": 2}}
    assert hidden == {"GitHub token": 1}


def test_names_that_look_alike_without_their_secrets_are_numbered() -> None:
    mark = "[redacted: GitHub token]"
    owners = {f"ghp_{letter * 36}": name for letter, name in zip("abc", "ABC", strict=True)}

    clean, hidden = redact_metadata({"owners": {**owners, f"{mark} 2": "D", mark: "E"}})

    assert clean["owners"] == {
        f"{mark} 3": "A",
        f"{mark} 4": "B",
        f"{mark} 5": "C",
        f"{mark} 2": "D",
        mark: "E",
    }
    assert hidden == {"GitHub token": 3}
    assert redact_metadata(clean) == (clean, {})
