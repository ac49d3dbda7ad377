"""Our entry in JSON, TOML and YAML files: put in, taken out, every other character kept."""

import json
import tomllib
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from zapomni_cli.clients.documents import Format, entry_of, has_section, with_entry, without_entry
from zapomni_cli.clients.errors import ConfigProblem, Uneditable, Unparsable
from zapomni_cli.clients.jsonc_scan import scan

ENTRY = {"command": "/opt/zapomni/bin/zapomni-mcp", "args": ["--transport", "stdio"]}
OTHER = {"type": "http", "url": "http://127.0.0.1:8000/mcp", "note": 'quotes " and \\ and é'}

JSON = [
    b"",
    b"\n",
    b"// nothing yet",
    b"// nothing yet\n",
    b"{}",
    b"{}\n",
    b"{\n}\n",
    b"{ /* empty */ }",
    b"{\n  // empty\n}\n",
    b'{"mcpServers":{}}',
    b'{"a":1,"mcpServers":{}}',
    b'{"mcpServers": {"other": {"command": "x"}}}',
    b'{"mcpServers": {"other": {"command": "x"},},}',
    b'{\n  "mcpServers": {}\n}',
    (
        b'{\n\t"theme": "dark",\n'
        b'\t"mcpServers": {\n\t\t"other": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}\n'
    ),
    b'{\r\n    "mcpServers": {\r\n        "other": { "command": "x" } // mine\r\n    }\r\n}\r\n',
    b'\xef\xbb\xbf{\n  "a": [1, 2, 3,],\n  "mcpServers": { /* none */ },\n}\n',
    b'{\n  "a": "b" // last\n  // and a remark\n}\n',
    b'{\n  "a": "b", // last\n  /* and\n     more */\n}\n',
    b'{ "a": 1,\n  "b": 2 }',
    b'{\n"mcpServers" :\n{\n"other" : { } , // x\n"third":{}\n}\n}',
    '{\n  "имя": "значение",\n  "mcpServers": {\n    "другой": {}\n  }\n}\n'.encode(),
    b'{"url": "http://x//y", "s": "/* no comment */ \\" }", "mcpServers": {"o": {}}}',
]
TOML = [
    b"",
    b"\n",
    b"# mine\n",
    b'model = "gpt"',
    b'model = "gpt"\n\n[mcp_servers.other]\ncommand = "x"\nargs = [\n  "a", # one\n  "[b]",\n]\n',
    b'model = "gpt"\r\n\r\n[mcp_servers.other]\r\ncommand = "x"\r\n',
    b'[mcp_servers.other]\ncommand="x"\n[mcp_servers.other.env]\nA="1"\n\n# the end\n',
    b"[mcp_servers]\n",
    b'mcp_servers.other.command = "x"\n',
    (
        b'text = """\n[mcp_servers.zapomni]\n\\"""\n"""\n'
        b"lit = '''\n[x]\n'''\n[[lists]]\na = {b = 1}\n"
    ),
    b"\xef\xbb\xbf[tui]\nnotifications = true\n",
]
YAML = [
    b"",
    b"# mine\n",
    b"GOOSE_PROVIDER: openai",
    b"GOOSE_PROVIDER: openai\nextensions:\n",
    b"extensions: # none yet\nGOOSE_MODEL: gpt\n",
    b"extensions: {}\nGOOSE_MODEL: gpt\n",
    b"extensions: ~",
    b"extensions: {developer: {enabled: true}, } # odd\n",
    (
        b"extensions:\n  # built in\n  developer:\n"
        b"    enabled: true\n    args:\n    - a\n    - b\nA: 1\n"
    ),
    b"extensions:\r\n    developer:\r\n        enabled: true\r\n\r\n# the end\r\n",
    (
        b"---\nextensions:\n  developer:\n    description: |\n"
        b"      # not a comment\n      text\n\n# x\nB: yes\n"
    ),
    b"\xef\xbb\xbfA: 1\nextensions:\n  developer: &d\n    enabled: true\n  copy: *d\n",
]
SAMPLES: list[tuple[Format, str, bytes]] = [
    *(("json", "mcpServers", content) for content in JSON),
    *(("toml", "mcp_servers", content) for content in TOML),
    *(("yaml", "extensions", content) for content in YAML),
]


def squeezed(content: bytes) -> bytes:
    """Return what is not space, without the signs of an empty section."""
    return b"".join(content.split()).replace(b"{}", b"").replace(b"~", b"")


def is_part(of: bytes, content: bytes) -> bool:
    """Tell whether something is left of a text by leaving out some of its bytes."""
    rest = iter(of)
    return all(byte in rest for byte in content)


@pytest.mark.parametrize(("kind", "section", "content"), SAMPLES)
def test_an_entry_is_added_and_everything_else_kept(
    kind: Format, section: str, content: bytes
) -> None:
    after = with_entry(kind, content, section, ENTRY)

    assert entry_of(kind, after, section) == ENTRY
    assert is_part(after, squeezed(content))
    assert after.startswith(b"\xef\xbb\xbf") == content.startswith(b"\xef\xbb\xbf")
    assert (b"\r\n" in content) == (b"\r\n" in after)
    assert b"\n" not in after.replace(b"\r\n", b"") if b"\r\n" in content else True


@pytest.mark.parametrize(("kind", "section", "content"), SAMPLES)
def test_an_entry_is_replaced_in_its_place(kind: Format, section: str, content: bytes) -> None:
    once = with_entry(kind, content, section, ENTRY)

    assert with_entry(kind, once, section, ENTRY) == once
    assert with_entry(kind, once, section, OTHER) == with_entry(kind, content, section, OTHER)


@pytest.mark.parametrize(("kind", "section", "content"), SAMPLES)
def test_an_entry_is_taken_out_again(kind: Format, section: str, content: bytes) -> None:
    changed = with_entry(kind, content, section, ENTRY)

    keep = has_section(kind, content, section)
    after = without_entry(kind, changed, section, keep_section=keep)

    assert entry_of(kind, after, section) is None
    assert squeezed(after) == squeezed(content)


@pytest.mark.parametrize(
    ("kind", "section", "content"),
    [
        ("json", "mcpServers", b"{\n  // mine\n  'a': 1\n}"),
        ("json", "mcpServers", b'{"a": 1 "b": 2}'),
        ("json", "mcpServers", b'{"a": 1'),
        ("json", "mcpServers", b'{"mcpServers": {}, "mcpServers": {}}'),
        ("json", "mcpServers", b"{}{}"),
        ("json", "mcpServers", b"{/* no end"),
        ("json", "mcpServers", b"{,}"),
        ("json", "mcpServers", b'{"a": 01}'),
        ("json", "mcpServers", b"[" * 5000),
        ("json", "mcpServers", "{}".encode("utf-16")),
        ("toml", "mcp_servers", b"a = \n"),
        ("toml", "mcp_servers", b"[a\n"),
        ("yaml", "extensions", b"a: [1\n"),
        ("yaml", "extensions", b"a: 1\n\tb: 2\n"),
        ("yaml", "extensions", b"a: 1\n---\nb: 2\n"),
        ("yaml", "extensions", b"a: !secret x\n"),
    ],
)
def test_what_cannot_be_parsed_is_refused(kind: Format, section: str, content: bytes) -> None:
    with pytest.raises(Unparsable):
        with_entry(kind, content, section, ENTRY)


@pytest.mark.parametrize(
    ("kind", "section", "content"),
    [
        ("json", "mcpServers", b"[]"),
        ("json", "mcpServers", b'{"mcpServers": []}'),
        ("toml", "mcp_servers", b'mcp_servers = { other = { command = "x" } }\n'),
        ("toml", "mcp_servers", b'mcp_servers.zapomni.command = "x"\n'),
        ("toml", "mcp_servers", b"mcp_servers = 1\n"),
        ("yaml", "extensions", b"- a\n"),
        ("yaml", "extensions", b"extensions: [a]\n"),
        ("yaml", "extensions", b"extensions: &x\n  a: 1\nother: *x\n"),
        ("yaml", "extensions", b"{a: 1}\n"),
        ("yaml", "extensions", b"a: 1\n...\n"),
    ],
)
def test_what_cannot_be_changed_alone_is_refused(
    kind: Format, section: str, content: bytes
) -> None:
    with pytest.raises(Uneditable):
        with_entry(kind, content, section, ENTRY)


def test_an_entry_that_is_no_table_is_refused() -> None:
    with pytest.raises(Uneditable):
        entry_of("json", b'{"mcpServers": {"zapomni": "x"}}', "mcpServers")


def test_members_are_laid_out_as_their_neighbours() -> None:
    content = b'{\n\t"mcpServers": {\n\t\t"other": {} // mine\n\t}\n}\n'

    after = with_entry("json", content, "mcpServers", {"command": "z"})

    assert after == (
        b'{\n\t"mcpServers": {\n\t\t"other": {}, // mine\n'
        b'\t\t"zapomni": {\n\t\t\t"command": "z"\n\t\t}\n\t}\n}\n'
    )


def test_comments_around_an_entry_stay_when_it_goes() -> None:
    content = (
        b'{\n  "mcpServers": {\n    "a": {}, // first\n    // ours\n'
        b'    "zapomni": {"command": "z"},\n    "b": {} // last\n  }\n}\n'
    )

    after = without_entry("json", content, "mcpServers", keep_section=True)

    assert after == content.replace(b'    "zapomni": {"command": "z"},\n', b"")


scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats(-1e6, 1e6)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
trivia = st.sampled_from(
    ["", "", " ", "\n", "\t", "\r\n  ", "// c\n", "/* } */", '\n  // "x"\n  ', " /* a\n b */ "]
)


@st.composite
def jsonc(draw: st.DrawFn, value: Any) -> str:
    """Write a value with space, comments and trailing commas wherever they may be."""
    match value:
        case dict():
            parts = [
                f"{draw(trivia)}{json.dumps(key)}{draw(trivia)}:{draw(jsonc(inner))}"
                for key, inner in value.items()
            ]
            opening, closing = "{", "}"
        case list():
            parts = [draw(jsonc(inner)) for inner in value]
            opening, closing = "[", "]"
        case _:
            return f"{draw(trivia)}{json.dumps(value)}{draw(trivia)}"
    has_comma: bool = draw(st.booleans())
    comma = "," if parts and has_comma else ""
    return f"{draw(trivia)}{opening}{','.join(parts)}{comma}{draw(trivia)}{closing}{draw(trivia)}"


@st.composite
def documents(draw: st.DrawFn, section: str) -> dict[str, Any]:
    """Make settings that may have a section of servers, but not ours."""
    data = draw(st.dictionaries(st.text(max_size=5), values, max_size=3))
    if draw(st.booleans()):
        names = st.text(max_size=5).filter(lambda name: name != "zapomni")
        data[section] = draw(st.dictionaries(names, values, max_size=3))
    return data


@given(st.data())
def test_any_json_with_comments_is_understood(data: st.DataObject) -> None:
    value = data.draw(values)

    assert scan(data.draw(jsonc(value))).value == value


@given(st.data())
def test_an_entry_in_any_json_comes_and_goes_alone(data: st.DataObject) -> None:
    value = data.draw(documents("mcpServers"))
    content = data.draw(jsonc(value)).encode()

    added = with_entry("json", content, "mcpServers", ENTRY)
    again = with_entry("json", added, "mcpServers", ENTRY)
    other = with_entry("json", added, "mcpServers", OTHER)
    gone = without_entry("json", added, "mcpServers", keep_section="mcpServers" in value)

    assert again == added
    assert other == with_entry("json", content, "mcpServers", OTHER)
    assert scan(gone.decode()).value == value
    assert comments(gone) == comments(content)


@given(documents("mcpServers"), st.sampled_from([None, 0, 2, "\t"]))
def test_plain_json_stays_plain_json(value: dict[str, Any], indent: int | str | None) -> None:
    content = json.dumps(value, indent=indent, ensure_ascii=False).encode()

    added = with_entry("json", content, "mcpServers", ENTRY)

    servers = {**value.get("mcpServers", {}), "zapomni": ENTRY}
    assert json.loads(added) == {**value, "mcpServers": servers}
    gone = without_entry("json", added, "mcpServers", keep_section="mcpServers" in value)
    assert gone == content


def comments(content: bytes) -> list[int]:
    return [content.count(mark) for mark in (b"// c", b"/* } */", b'// "x"', b"/* a\n b */")]


plain = st.recursive(
    st.booleans() | st.integers(-99, 99) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
keys = st.text("abcdefz_-", min_size=1, max_size=6)


@given(st.dictionaries(keys, plain, max_size=3), st.dictionaries(keys, plain, max_size=3))
def test_an_entry_in_any_yaml_comes_and_goes_alone(
    top: dict[str, Any], servers: dict[str, Any]
) -> None:
    data = {**top, "extensions": servers} if servers else top
    content = yaml.safe_dump(data, allow_unicode=True, sort_keys=False).encode() if data else b""

    try:
        added = with_entry("yaml", content, "extensions", ENTRY)
        gone = without_entry("yaml", added, "extensions", keep_section=bool(servers))
    except Uneditable:
        assert content.startswith(b"{}") or b"..." in content
        return

    assert with_entry("yaml", added, "extensions", ENTRY) == added
    assert gone == content


toml_values = st.one_of(
    st.booleans().map(lambda value: str(value).lower()),
    st.integers(-99, 99).map(str),
    st.sampled_from(
        ['"a#b"', "'[x]'", '["a", # c\n "b"]', '"""\n[mcp_servers.zapomni]\n"""', "{a = 1}"]
    ),
)


@given(
    st.dictionaries(keys, toml_values, max_size=3),
    st.dictionaries(keys, st.dictionaries(keys, toml_values, max_size=2), max_size=3),
    st.sampled_from(["", "\n", "# end\n"]),
)
def test_an_entry_in_any_toml_comes_and_goes_alone(
    top: dict[str, str], servers: dict[str, dict[str, str]], end: str
) -> None:
    lines = [f"{key} = {value}" for key, value in top.items()]
    for name, server in servers.items():
        lines += [f"[mcp_servers.{name}]", *(f"{key} = {value}" for key, value in server.items())]
    content = "".join(f"{line}\n" for line in lines) + end

    added = with_entry("toml", content.encode(), "mcp_servers", ENTRY)
    gone = without_entry("toml", added, "mcp_servers", keep_section=True)

    assert with_entry("toml", added, "mcp_servers", ENTRY) == added
    assert gone.decode().rstrip("\n") == content.rstrip("\n")
    assert tomllib.loads(gone.decode()) == tomllib.loads(content)


@given(st.binary(max_size=40), st.sampled_from(["json", "toml", "yaml"]))
def test_bytes_of_any_kind_are_changed_soundly_or_refused(content: bytes, kind: Format) -> None:
    try:
        added = with_entry(kind, content, "servers", ENTRY)
    except ConfigProblem:
        return

    assert entry_of(kind, added, "servers") == ENTRY
