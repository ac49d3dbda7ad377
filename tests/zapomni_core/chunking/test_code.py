"""Source code is cut between blocks, then between lines."""

import pytest

from zapomni_core.chunking import ChunkLimits, split_text
from zapomni_core.chunking.language import is_code

PYTHON = '''\
import os
import sys


@cached
def load(path):
    """Read a file."""
    with open(path) as file:

        return file.read()


# Explains what save does.
def save(
    path,
    data,
):
    try:
        write(path, data)
    except OSError:
        raise


class Store:
    """Keep things."""

    def get(self, key):
        return self.items[key]

    def put(self, key, value):
        self.items[key] = value
'''
JAVASCRIPT = """\
const limit = 10;

function first(list) {
  if (list.length) {
    return list[0];
  } else {
    return null;
  }
}
function last(list) {
  const index = list.length - 1;

  return list[index];
}

export const both = (list) => {
  return [first(list), last(list)];
};
"""
PROSE = """\
We met in the old town (as always) and talked about the plan: leave early, come back late.
If it rains, we stay; if it does not, we go. Nobody objected.
Return tickets cost 12 euros. Class starts at nine.
"""


def count_words(text: str) -> int:
    return len(text.split())


def chunks_of(text: str, max_tokens: int, language: str | None = None) -> list[str]:
    spans = split_text(text, count_words, ChunkLimits(max_tokens, 0), language)
    return [text[span.start : span.end] for span in spans]


def test_python_functions_stay_whole_with_their_decorators_and_comments() -> None:
    load = PYTHON[PYTHON.index("@cached") : PYTHON.index("# Explains")].strip()
    save = PYTHON[PYTHON.index("# Explains") : PYTHON.index("class Store")].strip()

    chunks = chunks_of(PYTHON, 22, "python")

    assert sum(load in chunk for chunk in chunks) == 1
    assert sum(save in chunk for chunk in chunks) == 1


def test_a_class_too_large_is_cut_between_its_methods() -> None:
    text = PYTHON[PYTHON.index("class Store") :]

    assert chunks_of(text, 8, "python") == [
        'class Store:\n    """Keep things."""',
        "def get(self, key):\n        return self.items[key]",
        "def put(self, key, value):\n        self.items[key] = value",
    ]


def test_javascript_functions_stay_whole_even_without_blank_lines() -> None:
    first = JAVASCRIPT[JAVASCRIPT.index("function first") : JAVASCRIPT.index("function last")]
    last = JAVASCRIPT[JAVASCRIPT.index("function last") : JAVASCRIPT.index("export")]

    chunks = chunks_of(JAVASCRIPT, 18, "javascript")

    assert first.strip() in chunks
    assert last.strip() in chunks


def test_code_is_cut_between_lines_when_nothing_else_divides_it() -> None:
    lines = [f"value_{number} = compute({number}, scale)" for number in range(20)]

    chunks = chunks_of("\n".join(lines), 9, "python")

    assert [line for chunk in chunks for line in chunk.splitlines()] == lines


def test_a_line_too_long_is_cut_between_words() -> None:
    text = "x = [" + ", ".join(str(number) for number in range(40)) + "]"

    chunks = chunks_of(text, 12, "python")

    assert " ".join(chunks) == text


@pytest.mark.parametrize("text", [PYTHON, JAVASCRIPT, "#!/bin/sh\necho hello\n"])
def test_code_is_recognised_without_a_language(text: str) -> None:
    assert is_code(text, None)


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        "# Notes\n\nSome text.\n\n```js\nlet a = 1;\nlet b = 2;\nlet c = 3;\nlet d = 4;\n```\n",
        "- milk\n- bread\n- eggs\n",
        "Ann: are you there?\nBob: yes\nAnn: good (finally)\n",
        "今天天气很好。\n我们去公园散步吧！\n你觉得怎么样？\n",
    ],
)
def test_prose_is_not_taken_for_code(text: str) -> None:
    assert not is_code(text, None)


def test_a_language_name_decides_and_other_names_do_not() -> None:
    assert is_code(PROSE, "Python")
    assert not is_code(PYTHON, "markdown")
    assert is_code(PYTHON, "en")
    assert not is_code(PROSE, "cs")
