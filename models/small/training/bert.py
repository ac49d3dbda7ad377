"""The encoder in torch: read from our 8-bit ONNX file, embed, average over tokens."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from transformers import BertConfig, BertModel
from weights import read_weights

__all__ = ["embed", "load_bert"]

HEADS = 12
EPSILON = 1e-12


def load_bert(path: Path) -> BertModel:
    """Return a model with the weights of an ONNX file that encoder.py has written; no dropout."""
    weights = read_weights(path)
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
