"""A cross-encoder that the user brings reads the best candidates again; else nobody does."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from zapomni_model_small import VOCAB_PATH

from tests.folders import fresh_settings
from zapomni_core import ConfigurationError, MemoryEngine, load_settings

pytestmark = pytest.mark.anyio
NOTES = [f"Note {number} about the garden and the old wall." for number in range(60)]
FAVOURITE = "A violet grows behind the shed."


def write_model(folder: Path, *inputs: str) -> None:
    """Write a model that likes texts with the word violet, and dislikes all others."""
    word = VOCAB_PATH.read_text("utf-8").split("\n").index("violet")
    constants: dict[str, NDArray[np.generic]] = {
        "word": np.array(word, np.int64),
        "axis": np.array([1], np.int64),
        "much": np.array(16, np.float32),
        "base": np.array(8, np.float32),
    }
    nodes = [
        helper.make_node("Equal", ["input_ids", "word"], ["is_word"]),
        helper.make_node("Cast", ["is_word"], ["counted"], to=TensorProto.FLOAT),
        helper.make_node("Cast", ["token_type_ids"], ["in_text"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["counted", "in_text"], ["kept"]),
        helper.make_node("ReduceSum", ["kept", "axis"], ["found"], keepdims=1),
        helper.make_node("Mul", ["found", "much"], ["raised"]),
        helper.make_node("Sub", ["raised", "base"], ["logits"]),
    ]
    names = inputs or ("input_ids", "attention_mask", "token_type_ids")
    graph = helper.make_graph(
        nodes,
        "toy",
        [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "tokens"]) for n in names],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 1])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    folder.mkdir()
    onnx.save(model, folder / "model.onnx")
    (folder / "vocab.txt").write_bytes(VOCAB_PATH.read_bytes())


async def remember(engine: MemoryEngine) -> None:
    for note in (*NOTES, FAVOURITE):
        await engine.add_memory(note)


async def test_what_the_cross_encoder_likes_comes_first(tmp_path: Path) -> None:
    write_model(tmp_path / "reranker")
    settings = fresh_settings(tmp_path, reranker_model=tmp_path / "reranker")
    async with MemoryEngine(settings) as engine:
        await remember(engine)

        found = await engine.search_memory("What grows by the old wall?", limit=3, explain=True)

    first, second, _ = found.results
    assert first.text == FAVOURITE
    assert first.why is not None
    assert second.why is not None
    assert first.why.added["reranker"] > 0.9
    assert second.why.added["reranker"] < 0.1


async def test_without_one_nothing_is_read_again(tmp_path: Path) -> None:
    async with MemoryEngine(fresh_settings(tmp_path)) as engine:
        await remember(engine)

        found = await engine.search_memory("old wall", limit=3, explain=True)

    assert all(item.why is not None and "reranker" not in item.why.added for item in found.results)


def test_a_folder_without_the_files_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"model\.onnx and vocab\.txt"):
        load_settings(reranker_model=tmp_path)


async def test_a_model_that_wants_something_else_is_refused_by_name(tmp_path: Path) -> None:
    write_model(tmp_path / "reranker", "input_ids", "token_type_ids", "pixel_values")
    settings = fresh_settings(tmp_path, reranker_model=tmp_path / "reranker")
    async with MemoryEngine(settings) as engine:
        await engine.add_memory(FAVOURITE)

        with pytest.raises(ConfigurationError, match="pixel_values"):
            await engine.search_memory("violet")
