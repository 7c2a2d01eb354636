# The only list of commands; continuous integration calls the same. `make` alone lists them.
PYTHON ?= python3
BIN := .venv/bin
FRAMEWORKS ?= all
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help setup demo check format test test-full conformance adapters soak mutants bench bench-large bench-documents bench-search bench-mcp docs lock clean

help: ## list the commands
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 17

.venv/installed: pyproject.toml requirements.lock
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "readwell needs Python >= 3.11: make PYTHON=python3.12")'
	@echo "installing readwell and what its extras need into .venv: about a minute"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --no-deps --editable .
	$(BIN)/python -m compileall -q src
	@touch $@

.venv/ready: .venv/installed requirements-dev.lock
	@echo "installing what the tests need into .venv: about a minute"
	$(BIN)/python -m pip install --require-hashes -r requirements-dev.lock
	@touch $@

.venv-docs/ready: requirements-docs.lock
	$(PYTHON) -m venv .venv-docs
	.venv-docs/bin/python -m pip install --quiet --require-hashes -r requirements-docs.lock
	@touch $@

setup: .venv/ready ## install readwell and what its tests need into .venv

demo: .venv/installed ## install readwell and read a shipped sample in every dialect
	$(BIN)/python examples/side_by_side.py

check: .venv/ready ## lint, type-check src, scripts and benchmarks, compare generated parts, report sizes
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/python scripts/readme.py --check
	$(BIN)/python benchmarks/performance_page.py --check
	$(BIN)/python benchmarks/document_tables.py --check
	$(BIN)/python scripts/sizes.py

format: .venv/ready ## format the code and refresh the generated parts of the README
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python scripts/readme.py

test: .venv/ready ## the tests that a change should pass, about two minutes on two cores
	READWELL_EFFORT=quick $(BIN)/python -m pytest -q -n auto -m "not slow"

test-full: check ## every test, examples included, under fifteen minutes
	$(BIN)/python -m pytest -q -n auto

conformance: .venv/ready ## the protocol's own checks of the MCP server: inspector and conformance suite, on a Node of their own
	$(BIN)/python -m pytest -q tests/doors/test_mcp_conformance.py

adapters: .venv/ready ## every agent framework's own loop with its adapter, or of some: make adapters FRAMEWORKS="langchain agno"
	READWELL_FRAMEWORKS="$(FRAMEWORKS)" $(BIN)/python -m pytest -v --no-header tests/adapters

soak: adapters ## the laws and attacks with two hundred times as many examples, long load on the MCP server, all frameworks, by hand
	READWELL_EFFORT=200 $(BIN)/python -m pytest -q -n auto tests/laws tests/hostile
	READWELL_EFFORT=200 $(BIN)/python -m pytest -q -rP tests/doors/test_mcp_load.py

mutants: .venv/ready ## change single places of the source at random and count what no test notices: COUNT=40 SEED=1 PATHS=src/readwell
	$(BIN)/python scripts/mutants.py --count $(or $(COUNT),40) --seed $(or $(SEED),1) $(PATHS)

bench: .venv/ready ## start-up and reading beside what one would use instead: ratios of one run, about five minutes
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/run.py

bench-large: .venv/ready ## the same with 10 GB
	$(BIN)/python benchmarks/run.py --large

bench-documents: .venv/ready ## documents as Markdown beside other converters: speed, scores, pictures, about five minutes
	$(BIN)/python benchmarks/documents.py
	$(BIN)/python benchmarks/long_sheet.py

bench-search: .venv/ready ## searching beside ripgrep, grep and a plain loop: ratios of one run, about a minute
	$(BIN)/python benchmarks/searching.py

bench-mcp: .venv/ready ## the MCP server beside a bare one and a peer: calls, bytes, tokens; about a minute
	$(BIN)/python benchmarks/serving.py

docs: .venv/ready .venv-docs/ready ## build the guide into build/guide; warnings and broken links are errors; check that the pages are true
	.venv-docs/bin/python scripts/guide.py build/guide
	$(BIN)/python -m pytest -q tests/test_docs.py tests/test_guide.py tests/test_readme.py tests/test_commands.py -m "not slow"

lock: .venv/ready ## resolve the dependencies anew
	$(BIN)/uv pip compile --quiet --no-header --universal --generate-hashes --python-version 3.11 \
		pyproject.toml --all-extras -o requirements.lock
	$(BIN)/uv pip compile --quiet --no-header --universal --generate-hashes --python-version 3.11 \
		pyproject.toml --all-extras --group dev -o requirements-dev.lock
	$(BIN)/uv pip compile --quiet --no-header --universal --generate-hashes --python-version 3.11 \
		pyproject.toml --group docs -o requirements-docs.lock

clean: ## remove what was built and installed
	rm -rf .venv .venv-docs build dist .hypothesis .pytest_cache .ruff_cache
