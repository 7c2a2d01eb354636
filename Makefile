# The only list of commands; continuous integration calls the same. `make` alone lists them.
PYTHON ?= python3
BIN := .venv/bin
FRAMEWORKS ?= all
# How many tests run at once: some of them wait, so one more than there are cores.
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
# Tests of hours are not ended as those that hang.
PATIENT := -o faulthandler_timeout=0
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The tests start hundreds of processes: nothing is compiled twice, also where the environment asks for that.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help setup demo check format test test-full conformance adapters soak mutants bench bench-large bench-documents bench-search bench-remote bench-mcp fleet docs lock build bundle sbom lowest release clean corpus bench-corpus

help: ## list the commands
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 17

.venv/installed: pyproject.toml requirements.lock
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "readwell needs Python >= 3.11: make PYTHON=python3.12")'
	@echo "installing readwell and its dependencies into .venv: about a minute"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --no-deps --editable .
	$(BIN)/python -m compileall -q src
	@touch $@

.venv/ready: .venv/installed requirements-dev.lock
	@echo "installing the test dependencies into .venv: about a minute"
	$(BIN)/python -m pip install --require-hashes -r requirements-dev.lock
	@touch $@

.venv-docs/ready: requirements-docs.lock
	$(PYTHON) -m venv .venv-docs
	.venv-docs/bin/python -m pip install --quiet --require-hashes -r requirements-docs.lock
	@touch $@

setup: .venv/ready ## install readwell and its test dependencies into .venv

demo: .venv/installed ## install readwell and read a shipped sample in every dialect
	$(BIN)/python examples/side_by_side.py

check: .venv/ready ## lint, type-check all, compare generated parts, report sizes
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python scripts/readme.py --check
	$(BIN)/python scripts/module_list.py --check
	$(BIN)/python scripts/format_table.py --check
	$(BIN)/python scripts/agent_pages.py --check
	$(BIN)/python benchmarks/performance_page.py --check
	$(BIN)/python benchmarks/document_tables.py --check
	$(BIN)/python benchmarks/scan_page.py --check
	$(BIN)/python benchmarks/search_page.py --check
	$(BIN)/python benchmarks/remote_page.py --check
	$(BIN)/python benchmarks/corpus_page.py --check
	$(BIN)/python benchmarks/fleet_page.py --check
	$(BIN)/pyright
	$(BIN)/python scripts/sizes.py

format: .venv/ready ## format the code and refresh what is generated: parts of README and docs/errors.md, MODULES.md, llms.txt and AGENTS.md
	$(BIN)/ruff format .
	$(BIN)/python scripts/readme.py
	$(BIN)/python scripts/module_list.py
	$(BIN)/python scripts/format_table.py --write
	$(BIN)/python scripts/agent_pages.py
	$(BIN)/ruff check --fix .

test: .venv/ready ## run the quick tests, about two minutes on two cores
	READWELL_EFFORT=quick $(BIN)/python -m pytest -q -n $(WORKERS) -m "not slow"

test-full: check ## run all checks and tests, examples included, under fifteen minutes
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal

conformance: .venv/ready ## run the MCP inspector and conformance suite against the server; installs Node
	$(BIN)/python -m pytest -q tests/doors/test_mcp_conformance.py

adapters: .venv/ready ## test each adapter in its framework; some only: make adapters FRAMEWORKS="langchain agno"
	READWELL_FRAMEWORKS="$(FRAMEWORKS)" $(BIN)/python -m pytest $(PATIENT) -v --no-header tests/adapters

corpus: .venv/ready ## test corpora on every engine that is installed: 30 kills of runs, workers killed every 5 seconds, recipes
	READWELL_EFFORT=6 $(BIN)/python -m pytest $(PATIENT) -q -rPs tests/dataset

bench-corpus: .venv/ready ## measure corpora: documents a second by workers and engine, memory, resuming; about ten minutes
	$(BIN)/python benchmarks/corpus_runs.py
	$(BIN)/python benchmarks/corpus_page.py

soak: adapters ## run property tests and attacks 200 times as long, a long load on the MCP server, all adapters
	READWELL_EFFORT=200 $(BIN)/python -m pytest $(PATIENT) -q -n auto tests/laws tests/hostile
	READWELL_EFFORT=200 $(BIN)/python -m pytest $(PATIENT) -q -rP tests/doors/test_mcp_load.py

mutants: .venv/ready ## mutation testing: count random changes that no test notices: COUNT=40 SEED=1 PATHS=src/readwell
	$(BIN)/python scripts/mutants.py --count $(or $(COUNT),40) --seed $(or $(SEED),1) $(PATHS)

bench: .venv/ready ## compare start-up and reading with alternatives, about five minutes
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/run.py

bench-large: .venv/ready ## the same with a file of 10 GB
	$(BIN)/python benchmarks/run.py --large

bench-documents: .venv/ready ## compare document conversion with other converters: speed, quality, made scans, pictures, about 15 minutes
	$(BIN)/python benchmarks/documents.py
	$(BIN)/python benchmarks/trade_peers.py
	$(BIN)/python benchmarks/format_peers.py
	$(BIN)/python benchmarks/long_sheet.py
	$(BIN)/python benchmarks/scans.py
	$(BIN)/python benchmarks/scan_page.py
	$(BIN)/python benchmarks/scan_picture.py

bench-search: .venv/ready ## compare search with ripgrep, grep and frameworks' tools, and ask 300 questions; about 20 minutes
	$(BIN)/python benchmarks/searching.py
	$(BIN)/python benchmarks/questions.py
	$(BIN)/python benchmarks/search_page.py
	$(BIN)/python benchmarks/search_plots.py

bench-remote: .venv/ready ## count requests and bytes of remote roots, measure totals and listings; about a minute
	$(BIN)/python benchmarks/remote_roots.py
	$(BIN)/python benchmarks/remote_page.py

bench-mcp: .venv/ready ## compare the MCP server with a bare one and a peer: calls, bytes, tokens; about a minute
	$(BIN)/python benchmarks/mcp_server.py

fleet: .venv/ready ## run three replicas under load for MINUTES=10, with restarts and a kill; needs nginx
	$(BIN)/python benchmarks/fleet.py $(or $(MINUTES),10)
	$(BIN)/python benchmarks/fleet_page.py

docs: .venv/ready .venv-docs/ready ## build the guide into build/guide; fail on warnings and broken links; test the commands of the pages
	.venv-docs/bin/python scripts/guide.py build/guide
	$(BIN)/python -m pytest -q tests/test_docs.py tests/test_guide.py tests/test_readme.py tests/test_inline_commands.py -m "not slow"
	$(BIN)/python -m pytest -q tests/test_commands.py

lock: .venv/ready ## resolve the dependencies again and write the lock files
	$(BIN)/uv pip compile --quiet --no-header --universal --generate-hashes --python-version 3.11 \
		pyproject.toml --extra all --extra ocr -o requirements.lock
	$(BIN)/uv pip compile --quiet --no-header --universal --generate-hashes --python-version 3.11 \
		pyproject.toml --extra all --extra ocr --extra dask --group dev -o requirements-dev.lock
	$(BIN)/uv pip compile --quiet --no-header --universal --generate-hashes --python-version 3.11 \
		pyproject.toml --group docs -o requirements-docs.lock

build: .venv/ready ## build the wheel and the source archive into dist
	rm -rf dist
	$(BIN)/uv build --quiet

bundle: build ## build the bundle for desktop clients into dist; checks its manifest with the official tool
	$(BIN)/python scripts/release.py bundle

sbom: .venv/ready ## write the list of all dependencies with versions and licences into build/sbom.json
	$(BIN)/python scripts/release.py sbom

lowest: .venv/ready ## run the quick tests with the lowest versions of the direct dependencies
	$(BIN)/python scripts/release.py lowest

release: check build ## build and check all that a release needs, then print what a person must do
	$(BIN)/python scripts/release.py

clean: ## remove everything built and installed
	rm -rf .venv .venv-docs .venv-release build dist .hypothesis .pytest_cache .ruff_cache
