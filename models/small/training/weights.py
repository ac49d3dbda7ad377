"""Read the weights back out of an ONNX file that encoder.py has written."""

from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

__all__ = ["Arrays", "read_weights"]

# Under the names of the original checkpoints; a matrix is [outputs, inputs].
type Arrays = dict[str, NDArray[np.float32]]


def read_weights(path: Path) -> Arrays:
    """Return the weights at full precision, as far as the 8 bits hold it."""
    tensors = {t.name: numpy_helper.to_array(t) for t in onnx.load(path).graph.initializer}
    words = tensors["words"].astype(np.float32) * tensors["word_scales"]
    weights: Arrays = {name: array for name, array in tensors.items() if "LayerNorm" in name}
    weights["embeddings.word_embeddings.weight"] = words
    # The file has segment 0 inside the positions.
    weights["embeddings.position_embeddings.weight"] = tensors["positions"]
    weights["embeddings.token_type_embeddings.weight"] = np.zeros((2, words.shape[1]), np.float32)
    stems = [n.removesuffix(".quantised") for n in tensors if n.endswith(".quantised")]
    for stem in (stem for stem in stems if not stem.startswith("tagger")):
        weights |= _linear(stem, _matrix(tensors, stem), tensors)
    return weights


def _linear(stem: str, matrix: NDArray[np.float32], tensors: Arrays) -> Arrays:
    if not stem.endswith(".packed"):
        return {f"{stem}.dense.weight": matrix, f"{stem}.dense.bias": tensors[f"{stem}.bias"]}
    stem = stem.removesuffix(".packed")
    parts = ("query", "key", "value")
    biases = np.split(tensors[f"{stem}.bias"], 3)
    matrices = np.split(matrix, 3)
    named = {f"{stem}.{part}.weight": each for part, each in zip(parts, matrices, strict=True)}
    return named | {f"{stem}.{part}.bias": each for part, each in zip(parts, biases, strict=True)}


def _matrix(tensors: Arrays, stem: str) -> NDArray[np.float32]:
    # Blocks of inputs with one scale each; 128 stands for zero.
    blocks = tensors[f"{stem}.quantised"].astype(np.float32) - 128
    scales = tensors[f"{stem}.scales"].reshape(*blocks.shape[:2], 1)
    return np.asarray((blocks * scales).reshape(len(blocks), -1), np.float32)
