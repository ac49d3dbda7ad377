"""Files of other memory programs become one memory for each thing they knew."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from tests.zapomni_core.importing.exports import (
    faults_in,
    memories_in,
    reasons_in,
    texts_in,
    write_json,
    write_lines,
)
from zapomni_core.importing import ImportKind, detect

ENTITY = {
    "type": "entity",
    "name": "Ada",
    "entityType": "person",
    "observations": ["Likes tea", "Plays chess"],
}
RELATION = {"type": "relation", "from": "Ada", "to": "Mill Lane", "relationType": "lives_in"}


def test_the_memory_server_gives_an_observation_or_a_sentence_each(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "memory.json", [ENTITY, RELATION])

    found = memories_in(path)

    assert [memory.text for memory in found] == [
        "Ada (person): Likes tea",
        "Ada (person): Plays chess",
        "Ada lives_in Mill Lane",
    ]
    assert found[0].metadata["source"] == "mcp-memory"
    assert found[2].metadata["relation"] == "lives_in"


def test_a_whole_graph_in_one_object_is_read_like_lines(tmp_path: Path) -> None:
    lines = write_lines(tmp_path / "a.jsonl", [ENTITY, RELATION])
    graph = {"entities": [ENTITY], "relations": [RELATION]}
    whole = write_json(tmp_path / "b.json", graph)

    assert memories_in(whole) == memories_in(lines)


def test_a_broken_line_costs_only_itself(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "memory.json", [ENTITY])
    path.write_text(path.read_text() + '{"type": "entity", "na\n' + '{"type":"entity"}\n')

    assert len(memories_in(path)) == 2
    assert [fault.reason for fault in faults_in(path)] == [
        "not valid JSON",
        "neither an entity nor a relation",
    ]


def test_mem0_memories_keep_owner_time_and_categories(tmp_path: Path) -> None:
    memory = {
        "id": "m1",
        "memory": "Likes tea",
        "user_id": "ada",
        "categories": ["drinks"],
        "metadata": {"mood": "calm"},
        "created_at": "2025-03-01T08:00:00.5-08:00",
        "updated_at": None,
    }
    relation = {"source": "ada", "relationship": "drinks", "target": "tea"}
    path = write_json(tmp_path / "all.json", {"results": [memory], "relations": [relation]})

    known, related = memories_in(path)

    assert known.metadata == {
        "source": "mem0",
        "user_id": "ada",
        "memory_id": "m1",
        "timestamp": "2025-03-01T08:00:00.5-08:00",
        "tags": ["drinks"],
        "mem0": {"mood": "calm"},
    }
    assert related.text == "ada drinks tea"


def test_a_list_of_mem0_memories_gives_the_same_ids(tmp_path: Path) -> None:
    memory = {"id": "m1", "memory": "Likes tea"}

    answer = memories_in(write_json(tmp_path / "a.json", {"results": [memory]}))

    assert memories_in(write_json(tmp_path / "b.json", [memory])) == answer


def test_the_history_of_mem0_gives_the_newest_text_of_what_is_not_deleted(
    tmp_path: Path,
) -> None:
    path = tmp_path / "history.db"
    rows = [
        ("1", "m1", None, "Likes tea", "ADD", "2025-03-01T08:00:00+00:00", None, 0),
        ("2", "m2", None, "Likes rain", "ADD", "2025-03-01T08:00:00+00:00", None, 0),
        ("3", "m1", "Likes tea", "Likes coffee", "UPDATE", "2025-03-01T08:00:00+00:00", "x", 0),
        ("4", "m2", "Likes rain", None, "DELETE", None, None, 1),
    ]
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT,"
            " new_memory TEXT, event TEXT, created_at DATETIME, updated_at DATETIME,"
            " is_deleted INTEGER, actor_id TEXT, role TEXT)"
        )
        database.executemany(
            "INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)", rows
        )

    (memory,) = memories_in(tmp_path)

    assert memory.text == "Likes coffee"
    assert memory.metadata["timestamp"] == "2025-03-01T08:00:00+00:00"
    assert reasons_in(path) == {"deleted in mem0": 1}
    answer = write_json(tmp_path / "all.json", [{"id": "m1", "memory": "Likes coffee"}])
    assert memories_in(answer)[0].external_id == memory.external_id


NOTE = """---
title: Coffee
type: note
permalink: drinks/coffee
tags:
  - drink
created: 2025-07-08T09:10:11+03:00
---
# Coffee

It wakes people up.

- [method] Pour slowly #slow (at home)
- [ ] buy beans
- [a link](https://example.org)
- pairs_with [[Cake]]
- "made of" [[Beans]] (roasted)
- [[Tea]]
```
- [code] no observation
```
"""


def test_a_note_gives_its_observations_relations_and_the_rest(tmp_path: Path) -> None:
    (tmp_path / "drinks").mkdir()
    (tmp_path / "drinks" / "coffee.md").write_text(NOTE)

    observation, *relations, note = memories_in(tmp_path)

    assert observation.text == "Coffee (method): Pour slowly #slow (at home)"
    assert observation.metadata == {
        "source": "basic-memory",
        "title": "Coffee",
        "path": "drinks/coffee.md",
        "permalink": "drinks/coffee",
        "note_type": "note",
        "category": "method",
        "tags": ["drink", "slow"],
        "timestamp": "2025-07-08T09:10:11+03:00",
        "position": 0,
    }
    assert [relation.text for relation in relations] == [
        "Coffee pairs_with Cake",
        "Coffee made of Beans (roasted)",
        "Coffee links_to Tea",
    ]
    assert "It wakes people up." in note.text
    assert "buy beans" in note.text
    assert "Pour slowly" not in note.text
    assert "no observation" in note.text


def test_a_note_that_moves_keeps_its_ids(tmp_path: Path) -> None:
    (tmp_path / "coffee.md").write_text(NOTE)
    before = [memory.external_id for memory in memories_in(tmp_path)]

    (tmp_path / "coffee.md").rename(tmp_path / "moved.md")

    assert [memory.external_id for memory in memories_in(tmp_path)] == before


def test_a_note_without_a_date_takes_that_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "plain.md"
    path.write_text("Just words.")
    os.utime(path, (1_700_000_000, 1_700_000_000))

    (memory,) = memories_in(tmp_path, ImportKind.BASIC_MEMORY)

    assert memory.metadata["timestamp"] == "2023-11-14T22:13:20+00:00"
    assert memory.metadata["timestamp_of"] == "file"


def test_a_date_without_an_offset_is_local_as_in_basic_memory(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\ncreated: 2025-07-08 09:10\n---\nWords")

    (memory,) = memories_in(tmp_path, ImportKind.BASIC_MEMORY)

    local = datetime(2025, 7, 8, 9, 10).astimezone()
    assert datetime.fromisoformat(memory.metadata["timestamp"]) == local


def test_markdown_of_others_is_not_taken_for_notes(tmp_path: Path) -> None:
    (tmp_path / "readme.md").write_text("# Read me\n\nWords")

    assert detect(tmp_path) is None
    assert texts_in(tmp_path, ImportKind.BASIC_MEMORY) == ["# Read me\n\nWords"]
