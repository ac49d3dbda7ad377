"""The ONNX runtime, told to keep to itself."""

import os

# onnxruntime 1.31 notes an id of the device under ~/.cache and sends events to its makers, from
# its import on; `disable_telemetry_events` comes too late for that.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime as ort

__all__ = ["ort"]
