"""Write a BERT encoder with mean pooling as one 8-bit ONNX file, deterministically.

A tagger may sit on it: a head that reads the labels of tokens off the states between layers.
"""

from dataclasses import dataclass, field

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

__all__ = ["Floats", "Weights", "encoder_graph", "layer_count"]

type Floats = NDArray[np.float32]
# Under the names of the original checkpoints; a matrix is [inputs, outputs].
type Weights = dict[str, Floats]

HEADS = 12
DIMENSION = 384
EPSILON = 1e-12
BLOCK = 32
MICROSOFT = "com.microsoft"
# Level 4 quantises activations to 8 bits per block of one token, so that a vector
# does not depend on the other texts of its batch.
ACCURACY_LEVEL = 4
# After how many layers the tagger looks.
TAGGED_STATES = (6, 9, 12)


@dataclass(frozen=True, slots=True)
class Graph:
    """An ONNX graph under construction."""

    nodes: list[onnx.NodeProto] = field(default_factory=list)
    tensors: list[onnx.TensorProto] = field(default_factory=list)

    def constant(self, name: str, array: NDArray[np.generic]) -> str:
        """Add a constant tensor and return its name."""
        self.tensors.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def ints(self, name: str, *values: int) -> str:
        """Add a constant list of integers and return its name."""
        return self.constant(name, np.array(values, np.int64))

    def apply(self, operation: str, inputs: list[str], **attributes: float) -> str:
        """Add a standard operator and return the name of its output."""
        return self.split(operation, inputs, 1, **attributes)[0]

    def fused(self, operation: str, inputs: list[str], **attributes: float) -> str:
        """Add an operator that only onnxruntime has and return the name of its output."""
        name = self.apply(operation, inputs, **attributes)
        self.nodes[-1].domain = MICROSOFT
        return name

    def output(self, name: str, tensor: str) -> None:
        """Let a tensor be seen from outside, under a name."""
        self.nodes.append(helper.make_node("Identity", [tensor], [name], name=name))

    def split(
        self, operation: str, inputs: list[str], outputs: int, **attributes: float
    ) -> list[str]:
        """Add a standard operator and return the names of its outputs."""
        stem = f"{operation}_{len(self.nodes)}"
        names = [f"{stem}_{number}" for number in range(outputs)]
        node = helper.make_node(operation, inputs, names, name=stem)
        node.attribute.extend(helper.make_attribute(*item) for item in sorted(attributes.items()))
        self.nodes.append(node)
        return names


def layer_count(weights: Weights) -> int:
    """Count the layers that the weights are of."""
    return sum(name.endswith("attention.self.query.weight") for name in weights)


def encoder_graph(weights: Weights, name: str, tagger: Weights | None = None) -> bytes:
    """Write the whole encoder: token ids and mask in, unit vectors out.

    With a tagger, the way words are written also goes in, and the probabilities of labels come
    out for each token.
    """
    graph = Graph()
    mask = graph.apply("Cast", ["attention_mask"], to=TensorProto.INT32)
    states = [embed_tokens(graph, weights)]
    for layer in range(layer_count(weights)):
        states.append(encoder_layer(graph, weights, f"encoder.layer.{layer}", states[-1], mask))
    graph.output("embedding", normalise(graph, mean_over_tokens(graph, states[-1])))
    if tagger:
        looked_at = [states[number] for number in TAGGED_STATES]
        graph.output("labels", label_tokens(graph, tagger, looked_at))
    return serialise(graph, name, tagger)


def label_tokens(graph: Graph, tagger: Weights, states: list[str]) -> str:
    """Join states with the way the word is written; two layers give probabilities."""
    cases = graph.constant("tagger.cases", tagger["cases.weight"])
    written = graph.apply("Gather", [cases, "cases"])
    joined = graph.apply("Concat", [*states, written], axis=2)
    inner = linear(graph, "tagger.inner", tagger["inner.weight"].T, joined)
    bias = graph.constant("tagger.inner.bias", tagger["inner.bias"])
    active = graph.fused("BiasGelu", [inner, bias])
    matrix = graph.constant("tagger.outer", tagger["outer.weight"].T)
    bias = graph.constant("tagger.outer.bias", tagger["outer.bias"])
    scores = graph.apply("Add", [graph.apply("MatMul", [active, matrix]), bias])
    return graph.apply("Softmax", [scores], axis=2)


def embed_tokens(graph: Graph, weights: Weights) -> str:
    """Look up 8-bit word rows, add positions, normalise."""
    rows = weights["embeddings.word_embeddings.weight"]
    scales = np.abs(rows).max(axis=1, keepdims=True) / np.float32(127)
    words = graph.constant("words", np.round(rows / scales).astype(np.int8))
    found = graph.apply("Gather", [words, "input_ids"])
    scale = graph.apply("Gather", [graph.constant("word_scales", scales), "input_ids"])
    embedded = graph.apply("Mul", [graph.apply("Cast", [found], to=TensorProto.FLOAT), scale])

    # Every text is a single segment, so segment 0 is part of each position.
    segment = weights["embeddings.token_type_embeddings.weight"][0]
    positions = weights["embeddings.position_embeddings.weight"] + segment
    length = graph.apply("Shape", ["input_ids"], start=1, end=2)
    table = graph.constant("positions", positions)
    used = graph.apply("Slice", [table, graph.ints("zero", 0), length])
    total = graph.apply("Add", [embedded, used])
    inputs = [total, *norm_parameters(graph, weights, "embeddings.LayerNorm")]
    return graph.apply("LayerNormalization", inputs, axis=-1, epsilon=EPSILON)


def encoder_layer(graph: Graph, weights: Weights, name: str, hidden: str, mask: str) -> str:
    """Add self-attention and feed-forward, each with its residual and norm."""
    attended = self_attention(graph, weights, f"{name}.attention.self", hidden, mask)
    hidden = residual(graph, weights, f"{name}.attention.output", attended, hidden)
    inner = f"{name}.intermediate"
    wide = linear(graph, inner, weights[f"{inner}.dense.weight"], hidden)
    bias = graph.constant(f"{inner}.bias", weights[f"{inner}.dense.bias"])
    active = graph.fused("BiasGelu", [wide, bias])
    return residual(graph, weights, f"{name}.output", active, hidden)


def self_attention(graph: Graph, weights: Weights, name: str, hidden: str, mask: str) -> str:
    """Project to queries, keys and values with one product, then attend."""
    parts = ("query", "key", "value")
    matrix = np.concatenate([weights[f"{name}.{part}.weight"] for part in parts], axis=1)
    biases = np.concatenate([weights[f"{name}.{part}.bias"] for part in parts])
    packed = linear(graph, f"{name}.packed", matrix, hidden)
    projected = graph.split("Split", [packed], 3, axis=2, num_outputs=3)
    inputs = [*projected, graph.constant(f"{name}.bias", biases), mask]
    return graph.fused("MultiHeadAttention", inputs, num_heads=HEADS)


def residual(graph: Graph, weights: Weights, name: str, inner: str, outer: str) -> str:
    """Project the inner state, add the outer one, normalise."""
    projected = linear(graph, name, weights[f"{name}.dense.weight"], inner)
    norm = norm_parameters(graph, weights, f"{name}.LayerNorm")
    bias = graph.constant(f"{name}.bias", weights[f"{name}.dense.bias"])
    inputs = [projected, outer, *norm, bias]
    return graph.fused("SkipLayerNormalization", inputs, epsilon=EPSILON)


def norm_parameters(graph: Graph, weights: Weights, name: str) -> list[str]:
    """Add the gain and the bias of a layer norm."""
    names = (f"{name}.weight", f"{name}.bias")
    return [graph.constant(each, weights[each]) for each in names]


def linear(graph: Graph, name: str, matrix: Floats, hidden: str) -> str:
    """Multiply by a matrix kept in 8 bits, one scale for each block of inputs."""
    inputs, outputs = matrix.shape
    blocks = matrix.T.reshape(outputs, inputs // BLOCK, BLOCK)
    scales = np.abs(blocks).max(axis=2, keepdims=True) / np.float32(127)
    quantised = (np.round(blocks / scales) + 128).astype(np.uint8)
    return graph.fused(
        "MatMulNBits",
        [
            hidden,
            graph.constant(f"{name}.quantised", quantised),
            graph.constant(f"{name}.scales", scales.reshape(-1)),
        ],
        K=inputs,
        N=outputs,
        bits=8,
        block_size=BLOCK,
        accuracy_level=ACCURACY_LEVEL,
    )


def mean_over_tokens(graph: Graph, hidden: str) -> str:
    """Average the states of the tokens that are not padding."""
    axis = graph.ints("token_axis", 1)
    mask = graph.apply("Cast", ["attention_mask"], to=TensorProto.FLOAT)
    column = graph.apply("Unsqueeze", [mask, graph.ints("last_axis", 2)])
    total = graph.apply("ReduceSum", [graph.apply("Mul", [hidden, column]), axis], keepdims=0)
    return graph.apply("Div", [total, graph.apply("ReduceSum", [mask, axis], keepdims=1)])


def normalise(graph: Graph, vectors: str) -> str:
    """Scale vectors to unit length."""
    length = graph.apply("ReduceL2", [vectors, graph.ints("vector_axis", 1)], keepdims=1)
    return graph.apply("Div", [vectors, length])


def serialise(graph: Graph, name: str, tagger: Weights | None) -> bytes:
    """Close the graph and return its deterministic bytes."""
    inputs = ["input_ids", "attention_mask", *(["cases"] if tagger else [])]
    outputs: dict[str, list[str | int]] = {"embedding": ["batch", DIMENSION]}
    if tagger:
        outputs["labels"] = ["batch", "tokens", len(tagger["outer.bias"])]
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            name,
            [
                helper.make_tensor_value_info(each, TensorProto.INT64, ["batch", "tokens"])
                for each in inputs
            ],
            [
                helper.make_tensor_value_info(each, TensorProto.FLOAT, shape)
                for each, shape in outputs.items()
            ],
            graph.tensors,
        ),
        opset_imports=[helper.make_opsetid("", 20), helper.make_opsetid(MICROSOFT, 1)],
        producer_name="zapomni",
        ir_version=9,
    )
    content: bytes = model.SerializeToString(deterministic=True)
    return content
