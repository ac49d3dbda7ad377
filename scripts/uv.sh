#!/bin/sh
# Run uv; fetch it first if it is missing.
set -eu

find_uv() {
    if command -v uv >/dev/null 2>&1; then
        echo uv
    elif [ -x .bootstrap/bin/uv ]; then
        echo .bootstrap/bin/uv
    elif python3 -m uv --version >/dev/null 2>&1; then
        echo "python3 -m uv"
    fi
}

# A venv of our own first: many systems refuse to let pip install beside their packages.
fetch_uv() {
    echo "Fetching uv ..." >&2
    { python3 -m venv .bootstrap && .bootstrap/bin/python -m pip install --quiet uv; } >&2 ||
        python3 -m pip install --quiet --user uv >&2
}

uv=$(find_uv)
if [ -z "$uv" ]; then
    fetch_uv
    uv=$(find_uv)
fi
exec $uv "$@"
