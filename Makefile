# Five minutes to your room: `make play` to play, `make test` to prove it all.

SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PROVE_MINUTES ?= 60
# `make lock UPGRADE=--upgrade` takes the newest versions; without it those that are there stay where they fit.
UPGRADE ?=
# What is compiled once is kept, whatever the shell says: a hundred processes of the tests start from it.
unexport PYTHONDONTWRITEBYTECODE
# More than there are cores: half of the tests wait for a server, a browser or a disk.
COPIES ?= 8
# A file at a time, the longest first, browser tests in a row (tests/plugins/copies.py, pace.py): what is set up is set up once.
PYTEST := $(BIN)/python -m pytest --quiet --copies $(COPIES)

.DEFAULT_GOAL := help
.PHONY: help install play docs test again check seconds coverage fix bench prove pictures clauses lock sbom audit clean

help: ## list what can be made
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 18

install: $(VENV)/.installed ## set up .venv with everything the project uses, and build the page
	@$(BIN)/python scripts/web.py || echo "The page could not be built; the server says so in its place, and all else works." >&2

# The lock pins every version and every file by its hash; pyproject.toml only states floors. It is complete, so pip
# resolves nothing (--no-deps): asked to, it looks at newer releases of what is wanted with an extra, and gives up.
$(VENV)/.installed: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "letitride needs Python 3.11 or newer; $$($(PYTHON) --version 2>&1) was found. Set PYTHON=/path/to/python3.11." >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "$(PYTHON) cannot make a virtual environment; on Debian and Ubuntu install python3-venv." >&2; exit 2; }
	@echo "Installing into $(VENV) …" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --requirement requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

play: install ## open a house of demo tables and print its address; PORT=8080 ARGS="--bots 3" are passed on
	@nice $(BIN)/python scripts/docs.py --missing & $(BIN)/letitride serve $(if $(PORT),--port $(PORT)) $(ARGS)

docs: install ## the documentation site, which a house shows at /docs/; what is read is read again only where it changed
	@$(BIN)/python scripts/docs.py

test: install ## everything: format, lint, types, import contracts, all tests
	@scripts/browser
	@scripts/check & check=$$!; $(PYTEST); tests=$$?; wait $$check && exit $$tests

again: install ## the checks, and the tests that failed last, one after the other: what passes now failed by a race
	@scripts/check
	@$(BIN)/python -m pytest --quiet --last-failed --last-failed-no-failures none

check: install ## the same, without the slow tests
	@scripts/check
	@$(PYTEST) -m "not slow"

seconds: install ## measure what each test file takes, for the order of the files and for what `make check` leaves out
	@scripts/browser
	@$(PYTEST) --write-seconds

coverage: install ## which share of each room the tests reach, servers and commands they start included
	@scripts/browser
	@$(BIN)/python scripts/rooms_covered.py --copies $(COPIES)

fix: install ## format and mend what can be mended by machine
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .
	@$(BIN)/python scripts/rulebook_format.py
	@$(BIN)/python scripts/round_record.py
	@$(BIN)/python scripts/module_index.py
	@$(BIN)/python scripts/protocol.py
	@$(BIN)/python scripts/digests.py
	@$(BIN)/python scripts/web_types.py

bench: install ## measure, beside peers and a plain C limit
	@$(BIN)/python benchmarks/hands.py
	@$(BIN)/python benchmarks/analysis.py
	@$(BIN)/python benchmarks/engine.py
	@$(BIN)/python benchmarks/simulation.py
	@$(BIN)/python benchmarks/rl.py
	@$(BIN)/python benchmarks/server.py
	@$(BIN)/python benchmarks/floods.py

prove: install ## the long proofs, within PROVE_MINUTES
	@scripts/prove --minutes $(PROVE_MINUTES)

pictures: install ## take the pictures of docs/images from a real browser
	@scripts/browser
	@$(BIN)/python scripts/screenshots.py

clauses: install ## which clauses of the rule documents are proven
	@scripts/clauses

TOOLS := build/tools
COMPILE := $(TOOLS)/bin/uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate --generate-hashes

# What only maintainers run is kept apart from what developers and servers do.
$(TOOLS)/.installed: requirements-tools.lock
	@$(PYTHON) -m venv $(TOOLS)
	@$(TOOLS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --requirement requirements-tools.lock
	@touch $@

lock: $(TOOLS)/.installed ## choose new versions for the locks: development, running, building, tools, floors
	@$(COMPILE) $(UPGRADE) --group dev --extra all pyproject.toml scripts/build-requirements.txt --output-file requirements.lock
	@$(COMPILE) $(UPGRADE) --extra server pyproject.toml --constraint requirements.lock --output-file requirements-run.lock
	@$(COMPILE) $(UPGRADE) --extra rl --extra server pyproject.toml scripts/build-requirements.txt --constraint requirements.lock --output-file requirements-build.lock
	@$(COMPILE) $(UPGRADE) scripts/tool-requirements.txt --output-file requirements-tools.lock
	@$(COMPILE) $(UPGRADE) --extra all --resolution lowest-direct pyproject.toml --output-file build/floors.txt
	@$(COMPILE) $(UPGRADE) build/floors.txt scripts/floors-requirements.txt --output-file requirements-floors.lock

sbom: install $(TOOLS)/.installed ## what a server is made of, as CycloneDX: build/sbom/python.cdx.json and page.cdx.json
	@mkdir -p build/sbom
	@$(TOOLS)/bin/cyclonedx-py requirements requirements-run.lock --pyproject pyproject.toml --mc-type application --of JSON --output-reproducible --output-file build/sbom/python.cdx.json
	@$(BIN)/python scripts/web.py --sbom build/sbom/page.cdx.json

audit: install ## look the locks up among known vulnerabilities; says so where no service that knows them answers
	@$(BIN)/python -m scripts.audit

clean: ## remove everything that was made
	rm -rf $(VENV) build dist web/node_modules src/letitride/server/assets .pytest_cache .mypy_cache .ruff_cache .hypothesis .schemathesis .coverage .import_linter_cache .mutation
