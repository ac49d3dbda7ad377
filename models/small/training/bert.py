"""The encoder in torch: read from our 8-bit ONNX file, embed, average over tokens."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from transformers import BertConfig, BertModel

__all__ = ["embed", "load_bert"]

HEADS = 12
EPSILON = 1e-12

type Arrays = dict[str, NDArray[np.float32]]


def load_bert(path: Path) -> BertModel:
    """Return a model with the weights of an ONNX file that encoder.py has written; no dropout."""
    weights = _weights(path)
    words = weights["embeddings.word_embeddings.weight"]
    config = BertConfig(
        vocab_size=words.shape[0],
        hidden_size=words.shape[1],
        num_hidden_layers=sum(name.endswith("attention.self.query.weight") for name in weights),
        num_attention_heads=HEADS,
        intermediate_size=len(weights["encoder.layer.0.intermediate.dense.bias"]),
        max_position_embeddings=len(weights["embeddings.position_embeddings.weight"]),
        layer_norm_eps=EPSILON,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    model = BertModel(config, add_pooling_layer=False)  # type: ignore[no-untyped-call]
    tensors = {name: torch.from_numpy(np.array(array)) for name, array in weights.items()}
    missing, unexpected = model.load_state_dict(tensors, strict=False)
    if set(missing) - {"embeddings.position_ids", "embeddings.token_type_ids"} or unexpected:
        raise ValueError(f"{path} does not fit: {missing} {unexpected}")
    return model


def embed(model: BertModel, token_ids: Sequence[Sequence[int]]) -> torch.Tensor:
    """Return one unit vector for each text: the mean over its tokens."""
    shape = (len(token_ids), max(map(len, token_ids)))
    padded, mask = torch.zeros(shape, dtype=torch.int64), torch.zeros(shape, dtype=torch.int64)
    for row, ids in enumerate(token_ids):
        padded[row, : len(ids)] = torch.tensor(ids)
        mask[row, : len(ids)] = 1
    padded, mask = padded.to(model.device), mask.to(model.device)
    hidden = model(input_ids=padded, attention_mask=mask).last_hidden_state
    column = mask.unsqueeze(2).to(hidden.dtype)
    mean = (hidden * column).sum(1).float() / column.sum(1).float()
    return torch.nn.functional.normalize(mean, dim=1)


def _weights(path: Path) -> Arrays:
    tensors = {t.name: numpy_helper.to_array(t) for t in onnx.load(path).graph.initializer}
    words = tensors["words"].astype(np.float32) * tensors["word_scales"]
    weights: Arrays = {name: array for name, array in tensors.items() if "LayerNorm" in name}
    weights["embeddings.word_embeddings.weight"] = words
    # The file has segment 0 inside the positions.
    weights["embeddings.position_embeddings.weight"] = tensors["positions"]
    weights["embeddings.token_type_embeddings.weight"] = np.zeros((2, words.shape[1]), np.float32)
    for stem in (n.removesuffix(".quantised") for n in tensors if n.endswith(".quantised")):
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
