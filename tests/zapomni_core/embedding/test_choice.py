"""Which embedder the settings choose, and that no two share a name in the store."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import zapomni_model_small

from tests.folders import fresh_settings
from zapomni_core.embedding import open_embedder

pytestmark = pytest.mark.anyio

MINILM = "all-MiniLM-L6-v2"
MINILM_PACKAGE = Path(__file__).parents[3] / "models/minilm/src/zapomni_model_minilm"


@pytest.fixture
def executor() -> Iterator[Executor]:
    with ThreadPoolExecutor(1) as executor:
        yield executor


@pytest.fixture
def minilm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the package of MiniLM, with the weights of the built-in model in it."""
    package = tmp_path / "packages" / MINILM_PACKAGE.name
    package.mkdir(parents=True)
    shutil.copy(MINILM_PACKAGE / "__init__.py", package)
    (package / "model.onnx").symlink_to(zapomni_model_small.MODEL_PATH)
    monkeypatch.delitem(sys.modules, package.name, raising=False)
    monkeypatch.syspath_prepend(package.parent)


async def test_with_nothing_set_the_built_in_model_embeds(
    executor: Executor, tmp_path: Path
) -> None:
    embedder = open_embedder(fresh_settings(tmp_path), executor)

    assert embedder.model_id == zapomni_model_small.MODEL_ID
    assert embedder.max_tokens == zapomni_model_small.MAX_TOKENS
    assert await embedder.dimension() == zapomni_model_small.DIMENSION


async def test_the_built_in_model_can_be_named(executor: Executor, tmp_path: Path) -> None:
    named = fresh_settings(tmp_path, embedding_model="zapomni-small-2")

    assert open_embedder(named, executor).model_id == zapomni_model_small.MODEL_ID


@pytest.mark.usefixtures("minilm")
async def test_minilm_is_used_as_it_was_trained(executor: Executor, tmp_path: Path) -> None:
    embedder = open_embedder(fresh_settings(tmp_path, embedding_model=MINILM), executor)

    question = await embedder.embed(["cats purr"], "query")
    passage = await embedder.embed(["cats purr"], "passage")

    assert embedder.max_tokens == 256
    np.testing.assert_array_equal(question, passage)
    assert question.shape == (1, await embedder.dimension())


@pytest.mark.usefixtures("minilm")
async def test_every_choice_has_its_own_name_in_the_store(
    executor: Executor, tmp_path: Path
) -> None:
    choices = [
        fresh_settings(tmp_path),
        fresh_settings(tmp_path, embedding_model=MINILM),
        fresh_settings(tmp_path, ollama_host="gpu"),
        fresh_settings(tmp_path, ollama_host="gpu", embedding_model=MINILM),
    ]

    names = [open_embedder(choice, executor).model_id for choice in choices]

    assert len(set(names)) == len(choices)
