# The front door. Every target sets up what it needs; nothing has to be installed before.
.DEFAULT_GOAL := help
.PHONY: help setup run demo test check format inspect conformance clients test-page test-spacy model-minilm eval eval-graph eval-code dist bench bench-load soak clean

READY := .venv/.ready
RUN := .venv/bin/python
MINILM := models/minilm/src/zapomni_model_minilm/model.onnx
# uv removes what it was not asked for, so ask for the second model once it has been built.
GROUPS = $(if $(wildcard $(MINILM)),--group minilm)
# Kept out of .venv: it brings rich, and structlog imports rich wherever it finds it.
IMPORT_LINTER := import-linter>=2.5,<3

help: ## Show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY) ## Install everything into .venv (the first time compiles the database: minutes)

# A process that has to compile what it imports takes twice as long to start; uv leaves out src.
$(READY): pyproject.toml .python-version $(wildcard models/*/pyproject.toml)
	@echo "Installing (the first time may compile the database for some minutes) ..." >&2
	@sh scripts/uv.sh sync --quiet --compile-bytecode $(GROUPS)
	@$(RUN) -m compileall -q src
	@touch $@

run: $(READY) ## Serve memory over HTTP and show how to connect clients
	@$(RUN) scripts/show_connect.py
	@$(RUN) -m zapomni_mcp

demo: $(READY) ## Store memories, restart the server, ask for them
	@$(RUN) scripts/demo.py

test: $(READY) ## Run the tests, except those in a browser
	@$(RUN) -m pytest -q -n logical --maxprocesses 4 --ignore=tests/page

test-page: $(READY) ## Have a real browser use the page (installs Debian's Chromium if it is missing)
	@sh scripts/chromium.sh
	@$(RUN) -m pytest -q tests/page

test-spacy: $(READY) ## Run the tests of the spaCy extractor in an environment with spaCy
	@sh scripts/uv.sh run --quiet --isolated --extra spacy -m pytest -q tests/zapomni_core/knowledge/test_entities_spacy.py

check: $(READY) ## Run ruff, mypy, import-linter and the file-size check
	@$(RUN) -m ruff format --check --quiet
	@$(RUN) -m ruff check --quiet
	@$(RUN) -m mypy
	@PYTHONPATH=src sh scripts/uv.sh tool run --quiet --from '$(IMPORT_LINTER)' lint-imports
	@$(RUN) scripts/check_sizes.py

format: $(READY) ## Format the code and fix what can be fixed
	@$(RUN) -m ruff check --fix --quiet
	@$(RUN) -m ruff format --quiet

inspect: $(READY) ## Have the official MCP inspector check and call the tools (needs npm)
	@$(RUN) -m scripts.inspector

conformance: $(READY) ## Have the official MCP conformance suite judge the HTTP server (needs npm)
	@$(RUN) -m scripts.conformance

clients: $(READY) ## Have real clients and agents remember and recall (needs npm; 1.5 GB, minutes)
	@$(RUN) -m scripts.clients

model-minilm: $(MINILM) ## Build all-MiniLM-L6-v2 and install it, for EMBEDDING_MODEL (84 MB)
	@sh scripts/uv.sh sync --quiet --group minilm
	@touch $(READY)

$(MINILM): models/minilm/build.py models/small/encoder.py models/small/sources.py
	@sh scripts/uv.sh run --quiet models/minilm/build.py

eval: $(READY) ## Measure recall on public question sets, where they are at hand (EVAL="mbpp --legs")
	@$(RUN) -m benchmarks.recall $(EVAL)

eval-graph: $(READY) ## Measure names, facts and what replaces what (GRAPH="entities", "facts")
	@$(RUN) -m benchmarks.graph $(GRAPH)

eval-code: $(READY) ## Have others judge what is read out of code (CODE="python calls"; needs npm and ctags)
	@$(RUN) -m benchmarks.code $(CODE)

dist: $(READY) ## Build wheels, the bundle for one-click installation and the registry's entry
	@$(RUN) -m scripts.dist

bench: $(READY) ## Measure speed and memory (minutes); prints tables
	@$(RUN) -m benchmarks.speed

bench-load: $(READY) ## Put a hundred clients on one server and compare with the targets (minutes)
	@$(RUN) -m benchmarks.load --seconds 300

soak: $(READY) ## Load the server with fifty clients for half an hour
	@$(RUN) -m benchmarks.load --seconds 1800 --clients 50 --callers 50

clean: ## Remove everything that was installed or built here
	@rm -rf .venv .bootstrap build dist $(MINILM)
