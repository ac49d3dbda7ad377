# /// script
# requires-python = ">=3.12"
# ///
"""Make training data from dialogues with questions about them.

uv run pairs_from_dialogues.py OUT --friendsqa CLONE --molweni CLONE --qmsum CLONE

Each CLONE is a clone of that data set's repository, see README.md. Writes OUT/friendsqa.jsonl,
OUT/molweni.jsonl and OUT/qmsum.jsonl.
"""

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pairs import Dialogue, Question, write_dialogues

LONGEST_TURN_CHARS = 1200
# In a meeting, shorter turns ("Yeah.", "Okay, go on.") answer nothing.
FEWEST_WORDS = 9
# A question that half the meeting answers teaches little.
MOST_ANSWERS = 30


def main() -> None:
    """Read the three data sets."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("out", type=Path)
    for name in ("friendsqa", "molweni", "qmsum"):
        parser.add_argument(f"--{name}", type=Path, required=True, metavar="CLONE")
    arguments = parser.parse_args()
    write_dialogues(arguments.out / "friendsqa.jsonl", friendsqa(arguments.friendsqa))
    write_dialogues(arguments.out / "molweni.jsonl", molweni(arguments.molweni))
    write_dialogues(arguments.out / "qmsum.jsonl", qmsum(arguments.qmsum))


def friendsqa(clone: Path) -> Iterator[Dialogue]:
    """Read the dev and test splits: scenes, and questions with the utterances that answer."""
    for split in ("dev", "tst"):
        for scene in read_json(clone / "dat" / f"friendsqa_{split}.json")["data"]:
            for part in scene["paragraphs"]:
                yield _scene(part)


def _scene(part: dict[str, Any]) -> Dialogue:
    utterances = part["utterances:"]  # the colon is part of the key
    number_of = {utterance["uid"]: number for number, utterance in enumerate(utterances)}
    turns = [
        f"{_first_names(said['speakers'])}: {joined(said['utterance'])}" for said in utterances
    ]
    questions = [
        Question(joined(asked["question"]), sorted(answered))
        for asked in part["qas"]
        if (answered := {number_of[a["utterance_id"]] for a in asked["answers"]})
    ]
    return Dialogue(turns, questions)


def _first_names(speakers: list[str]) -> str:
    return " and ".join(name.split()[0] for name in speakers)


def molweni(clone: Path) -> Iterator[Dialogue]:
    """Read the test split of the reading comprehension: chats, and questions with answers."""
    path = clone / "MRC(withDiscourse)" / "test.json"
    for chat in read_json(path)["data"]["dialogues"]:
        turns = [f"{said['speaker']}: {joined(said['text'])}" for said in chat["edus"]]
        texts = [said["text"].lower() for said in chat["edus"]]
        questions = list(_clear_questions(chat["qas"], texts))
        if questions:
            yield Dialogue(turns, questions)


def _clear_questions(asked: list[dict[str, Any]], texts: list[str]) -> Iterator[Question]:
    # The answer is given as words, not as a turn: take it where it can be only one turn.
    for each in asked:
        if each["answers"] and not each.get("is_impossible"):
            answer = each["answers"][0]["text"].lower()
            turns = [number for number, text in enumerate(texts) if answer in text]
            if len(turns) == 1:
                yield Question(joined(each["question"]), turns)


def qmsum(clone: Path) -> Iterator[Dialogue]:
    """Read the train split: meetings, and questions with the spans of turns that matter."""
    for path in sorted((clone / "data" / "ALL" / "train").glob("*.json")):
        meeting = read_json(path)
        turns = [
            f"{said['speaker']}: {without_noises(said['content'])}"[:LONGEST_TURN_CHARS]
            for said in meeting["meeting_transcripts"]
        ]
        questions = [
            Question(asked["query"], answering)
            for asked in meeting["specific_query_list"]
            if 0 < len(answering := _turns_in(asked["relevant_text_span"], turns)) <= MOST_ANSWERS
        ]
        if questions:
            yield Dialogue(turns, questions)


def _turns_in(spans: list[tuple[str, str]], turns: list[str]) -> list[int]:
    numbers = [n for a, b in spans for n in range(int(a), min(int(b) + 1, len(turns)))]
    return [number for number in numbers if len(turns[number].split()) >= FEWEST_WORDS]


def joined(tokens: str) -> str:
    """Write tokenized text as people write."""
    text = re.sub(r"\s+(['’]\w|n't|[.,!?;:])", r"\1", tokens)
    return text.replace("( ", "(").replace(" )", ")")


def without_noises(tokens: str) -> str:
    """Take out the marks for laughter, gaps and the like."""
    return re.sub(r"{[^}]*}", "", joined(tokens))


def read_json(path: Path) -> Any:
    """Read one JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
