"""`zapomni audit` as a person runs it."""

import json
from pathlib import Path

from tests.folders import running_database
from tests.zapomni_cli.test_keeping_commands import zapomni


def test_junk_is_counted_and_no_text_shown(tmp_path: Path) -> None:
    with running_database(tmp_path / "memory") as memory:
        empty = zapomni(memory, "audit")
        zapomni(memory, "add", "The key hangs behind the door of the shed")
        zapomni(memory, "add", "ok", "--source", "me")

        told = zapomni(memory, "audit")
        audit = json.loads(zapomni(memory, "audit", "--json").stdout)

    assert b"No junk found" in empty.stdout
    counts = {each["kind"]: each["count"] for each in audit["findings"] if each["count"]}
    assert counts == {"too_short": 1, "without_source": 1}
    assert audit["memories"] == 2
    assert b"shed" not in told.stdout
    for finding in audit["findings"]:
        for example in finding["examples"]:
            assert example.encode() in told.stdout
