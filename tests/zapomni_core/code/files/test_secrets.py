"""Secrets are blanked out, and nothing else moves."""

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.code.files.secrets import redacted

RANDOM = "q7Zt3Lw9Xc2Vb8Nm4Kd6Rf1Hs5Jg0PyQeUiO"
SECRETS = {
    "aws": "AKIA" + "Q3ZT7LWX9CVB2NMK",
    "github": "ghp_" + RANDOM,
    "github user": "ghu_" + RANDOM,
    "github refresh": "ghr_" + RANDOM,
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
        'pwd = "{}"',
        "const DB_PASS = '{}';",
        'accessKey: "{}",',
        '"privateKey": "{}"',
        'password = """{}"""',
        'password = (\n    "{}")',
        'if password == "{}":',
        '#define WIFI_PASSWORD "{}"',
        'char password[] = "{}";',
        "<password>{}</password>",
        '<add key="Password" value="{}"/>',
    ],
)
def test_an_assigned_password_is_blanked_out(line: str) -> None:
    text, count = redacted(line.format("k9!vQ2mz7Lp").encode())

    assert text.decode() == line.format("*" * 11)
    assert count == 1


@pytest.mark.parametrize(
    "line",
    [
        'SECRET_KEY: str = "{}"',
        'token: str | None = "{}"',
        'const SECRET_KEY: string = "{}";',
        'const Password string = "{}"',
        'let password: &\'static str = "{}";',
        'private val password: String = "{}"',
    ],
)
def test_a_type_beside_the_name_hides_no_password(line: str) -> None:
    assert redacted(line.format("q8Wm2Lk9Zt77").encode()) == (
        line.format("*" * 12).encode(),
        1,
    )


@pytest.mark.parametrize(
    "line",
    [
        'os.environ["DB_PASSWORD"] = "{}"',
        "config['token'] = '{}'",
        'os.getenv("API_TOKEN", "{}")',
        'config("SECRET_KEY", default="{}")',
        'auth_token = os.getenv("T", "{}")',
        'process.env.TOKEN || "{}"',
        'os.environ.get("TOKEN") or "{}"',
        'define("DB_PASSWORD", "{}");',
        'setPassword("{}")',
        'builder.password("{}")',
        'var apiToken = []byte("{}")',
        "url = ${{TOKEN:-{}}}",
    ],
)
def test_a_password_that_is_set_or_handed_over_is_blanked_out(line: str) -> None:
    secret = "9f86d081884c7d659a2feaa0c55ad015"

    text, count = redacted(line.format(secret).encode())

    assert (text.decode(), count) == (line.format("*" * 32), 1)


@pytest.mark.parametrize(
    "line",
    [
        '"Server=db;User Id=sa;Password={};"',
        'x = "AccountName=x;AccountKey={}==;"',
        '"host=db password={} dbname=x"',
        '"https://host.org/?token={}&page=2"',
        '{{"Authorization": "Bearer {}"}}',
        "'Authorization', 'Basic {}'",
        'auth = "Bearer {}"',
    ],
)
def test_a_password_inside_of_a_string_is_blanked_out(line: str) -> None:
    secret = "9f86d081884c7d659a2feaa0c55ad015"

    text, count = redacted(line.format(secret).encode())

    assert secret not in text.decode()
    assert count == 1


@pytest.mark.parametrize(
    "value",
    [
        "secret-9f86d081884c7d65",
        "tok_1234567890abcdef",
        "Abc$9f86d081",
        "p%9f86d081x",
        "Abc(9f86d081",
        "testQ8Wm2Lk9Zt77",
        "change-q8Wm2Lk9Zt77",
    ],
)
def test_a_word_or_mark_in_a_secret_makes_it_no_placeholder(value: str) -> None:
    assert redacted(f'token = "{value}"'.encode()) == (
        f'token = "{"*" * len(value)}"'.encode(),
        1,
    )


def test_random_keys_are_blanked_out_whatever_they_are_made_of() -> None:
    made_by = random.Random(1)  # the same keys every time
    django = "abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)"
    alphabets = (django, string.ascii_letters + string.digits, "0123456789abcdef")
    keys = ["".join(made_by.choices(each, k=50)) for each in alphabets for _ in range(300)]

    shown = [key for key in keys if not redacted(f"SECRET_KEY = '{key}'".encode())[1]]

    assert shown == []


@pytest.mark.parametrize(
    "line",
    [
        'password = "your-password-1"',
        'token = "your-token-here"',
        'password = "%(password1)s"',
        'password = "<password-1>"',
        'password = "changeme1"',
        'password = "testing-1234"',
        'password = "password123"',
        'password = "abcd12345"',
        'token = "refresh_token"',
        'token = "$TOKEN1abc"',
        'token_path = "{base}/oauth2/<token>/authorize"',
        'TOKEN_PATTERN = "[0-9A-Za-z]{1,13}-[0-9A-Za-z]{1,20}"',
        'password = "sha256(salt+pw1)"',
        "tls_key = r'TLS_(?:CERT|CIPHER1)'",
        'headers = {"X-CSRFToken": "csrf_token_2"}',
        'PASSWORD_HASHERS = ["PasswordHasher", "django.contrib.auth.Argon2PasswordHasher"]',
        'hashes = ("sort_key", "192.168.0.0/24,127.0.0.1")',
        'digest = "9f86d081884c7d659a2feaa0c55ad015"',
        'check_password("q8Wm2Lk9Zt77")',
        'if token == "#bygroup":',
        "keyword=ngettext_lazy:1,2;",
        'tokenizer = "bert-base-uncased-v2"',
        "def test_token_1(self): x = 'abc'",
        "if not token:\n    name = 'version-1.2.3'",
        'TOKEN_TYPE = "urn:k8s:params:oauth:token-type"',
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


def test_a_private_key_may_begin_with_the_end_of_another_head() -> None:
    body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
    heads = "-----BEGIN PRIVATE KEY-----BEGIN PRIVATE KEY-----"

    text, count = redacted(f"{heads}\n{body}\n-----END PRIVATE KEY-----\n".encode())

    assert count == 1
    assert body.encode() not in text


@pytest.mark.parametrize("rest", ["", '"""\nx = compute(1)\n', "\n-----BEGIN CERTIFICATE-----\n"])
def test_a_private_key_that_is_cut_off_is_blanked_out(rest: str) -> None:
    head = 'KEY = """-----BEGIN RSA PRIVATE KEY-----\n'
    body = "\n".join([RANDOM + RANDOM[:28]] * 3)

    text, count = redacted(f"{head}{body}{rest}".encode())

    assert count == 1
    assert text.decode() == head + "\n".join(["*" * 64] * 3) + rest


def test_a_public_certificate_stays() -> None:
    text = f"-----BEGIN CERTIFICATE-----\n{RANDOM}\n-----END CERTIFICATE-----\n".encode()

    assert redacted(text) == (text, 0)


@pytest.mark.parametrize("part", ["123", "abc", "abc123", "a.b#", "{1}", "<a>", "(1", "[a"])
def test_a_value_that_repeats_itself_is_judged_all_the_same(part: str) -> None:
    value = (part * 200)[:190] + "!x"

    text, _ = redacted(f"password = '{value}'".encode())

    assert len(text) == len(value) + 13


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
        ": str = ",
        'getenv("TOKEN", ',
        'set_password("',
        ";Password=",
        "Authorization: Bearer ",
        "secret-",
        "$",
        ")",
        ";",
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
