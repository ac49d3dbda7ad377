"""Secrets are blanked out, and nothing else moves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.code.files.secrets import redacted

RANDOM = "q7Zt3Lw9Xc2Vb8Nm4Kd6Rf1Hs5Jg0PyQeUiO"
SECRETS = {
    "aws": "AKIA" + "Q3ZT7LWX9CVB2NMK",
    "github": "ghp_" + RANDOM,
    "github fine": "github_pat_" + RANDOM,
    "gitlab": "glpat-" + RANDOM[:20],
    "slack": "xoxb-" + "2734981273-" + RANDOM[:24],
    "google": "AIza" + RANDOM[:35],
    "aws temporary": "ASIA" + "Q3ZT7LWX9CVB2NMK",
    "stripe": "sk_live_" + RANDOM[:24],
    "stripe restricted": "rk_live_" + RANDOM[:24],
    "stripe test": "sk_test_" + RANDOM[:24],
    "openai": "sk-proj-" + RANDOM + RANDOM,
    "anthropic": "sk-ant-api03-" + RANDOM + "-" + RANDOM,
    "jwt": f"eyJ{RANDOM[:20]}.eyJ{RANDOM}.{RANDOM}",
    "npm": "npm_" + RANDOM,
    "hugging face": "hf_" + RANDOM[:34],
    "sendgrid": f"SG.{RANDOM[:22]}.{RANDOM}{RANDOM[:7]}",
}


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS.keys())
def test_a_known_kind_of_key_is_blanked_out(secret: str) -> None:
    text, count = redacted(f"call('{secret}')  # ü\n".encode())

    assert text == f"call('{'*' * len(secret)}')  # ü\n".encode()
    assert count == 1


@pytest.mark.parametrize(
    "line",
    [
        'password = "{}"',
        "'api_key': '{}',",
        'SECRET_TOKEN := "{}"',
        '"client_secret" => "{}"',
        "dbPassword = b'{}'",
        'url = "postgres://app:{}@db.local/x"',
    ],
)
def test_an_assigned_password_is_blanked_out(line: str) -> None:
    text, count = redacted(line.format("k9!vQ2mz7Lp").encode())

    assert text.decode() == line.format("*" * 11)
    assert count == 1


@pytest.mark.parametrize(
    "line",
    [
        'password = "your-password-1"',
        "token = 'access_token_v2'",
        'password = "${DB_PASSWORD1}"',
        'secret = "<insert 32 bytes>"',
        "token_url = 'https://host1.org/t0ken'",
        "password = get_password('user1name')",
        'api_key = "xxxxxxxxxxxx1"',
        'password_widget = "django.forms.PasswordInput"',
        "tokens = tokenize(source)",
        "class task-oriented-sk-ipping-over-many-words-with-dashes-1",
        "postgres://user:password@localhost",
        "AKIAIOSFODNN7EXAMPLES",
        "desk-" + RANDOM,
    ],
)
def test_placeholders_and_code_stay(line: str) -> None:
    assert redacted(line.encode()) == (line.encode(), 0)


@pytest.mark.parametrize(
    "line", ["password = {}", "api_key: {}  # of the shop", "export TOKEN={}"]
)
def test_a_value_without_quotes_is_blanked_out_where_they_are_not_needed(line: str) -> None:
    source = f"[db]\n{line}\nhost = db1.local\n"

    text, count = redacted(source.format("k9vQ2mz7Lp").encode(), has_plain_values=True)

    assert (text.decode(), count) == (source.format("*" * 10), 1)
    assert redacted(source.format("k9vQ2mz7Lp").encode())[1] == 0


@pytest.mark.parametrize(
    "line",
    [
        "password: ${DB_PASSWORD1}",
        "secret_name: production",
        "token_url: https://host1.org/t0ken",
        "tokens = first1 second2",
        "api_key: !vault k9vQ2mz7Lp",
    ],
)
def test_names_and_references_without_quotes_stay(line: str) -> None:
    assert redacted(line.encode(), has_plain_values=True) == (line.encode(), 0)


def test_the_body_of_a_private_key_is_blanked_out_line_by_line() -> None:
    body = "\n".join([RANDOM + RANDOM[:28]] * 3)
    key = f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----"

    text, count = redacted(f'KEY = """{key}"""\nx = 1\n'.encode())

    assert count == 1
    assert RANDOM[:8] not in text.decode()
    assert text.decode().endswith('\n-----END RSA PRIVATE KEY-----"""\nx = 1\n')
    assert text.count(b"\n") == 6


def test_a_public_certificate_stays() -> None:
    text = f"-----BEGIN CERTIFICATE-----\n{RANDOM}\n-----END CERTIFICATE-----\n".encode()

    assert redacted(text) == (text, 0)


def test_a_secret_that_two_rules_find_counts_once() -> None:
    line = f'token = "{SECRETS["github"]}"'.encode()

    assert redacted(line) == (b'token = "' + b"*" * 40 + b'"', 1)


PIECES = st.sampled_from(
    [
        *SECRETS.values(),
        'password = "',
        "token: '",
        "-----BEGIN PRIVATE KEY-----",
        "-----END",
        RANDOM,
        '"',
        "'",
        "\n",
        "\r\n",
        " ",
        "://a:",
        "@",
        "k9!vQ2mz7Lp",
        "ü",
        "eyJ",
        "\\n",
        "sk-",
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_lengths_and_line_breaks_stay_and_nothing_is_left_to_blank_out(text: str) -> None:
    blanked, count = redacted(text.encode())

    assert len(blanked) == len(text.encode())
    assert [len(line) for line in blanked.split(b"\n")] == [
        len(line) for line in text.encode().split(b"\n")
    ]
    assert (count > 0) == (blanked != text.encode())
    assert redacted(blanked) == (blanked, 0)
