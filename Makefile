# Two commands are all a fresh machine needs: `make run` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
# Tests wait for other processes now and then, so one more than there are cores.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
.DEFAULT_GOAL := help
# Compiled files are kept, whatever the machine says: to compile all of it anew takes longer than to start.
export PYTHONDONTWRITEBYTECODE :=
# `make test K=orders` runs what has "orders" in its name.
SELECT := $(if $(K),-k "$(K)")
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard memory/locale/*.po))
.PHONY: help run setup test test-fast soak coverage check catalogues docs bench fmt lock clean

help: ## list these targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: .venv/installed catalogues ## start Keepsake (first start installs, makes its database and migrates)
	@$(BIN)/python -m bot

setup: .venv/installed catalogues ## install only

test: .venv/installed-dev catalogues ## the test suite, on its own PostgreSQL (K=words selects)
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow" $(SELECT)

test-fast: .venv/installed-dev catalogues ## only what needs no database, in half a minute
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow" $(SELECT) tests/unit

soak: .venv/installed-dev catalogues ## what takes longest: the program as processes, kill -9, outages, browsers, imports, growth
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m slow $(SELECT)

coverage: .venv/installed-dev catalogues ## both together, counting lines
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --cov --cov-report=term $(SELECT)

check: .venv/installed-dev catalogues ## what CI runs: lint, format, types, tests, soak
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory soak

catalogues: $(CATALOGUES) ## compile the translations that changed

memory/locale/%.mo: memory/locale/%.po | .venv/installed
	@$(BIN)/pybabel --quiet compile --locale $* --input-file $< --output-file $@

docs: .venv/installed-dev ## generate the pages that come from the code
	@$(BIN)/python -m docs.generate

bench: .venv/installed-dev catalogues ## measure, as one table and as JSON in bench/results
	@$(BIN)/python -m bench

fmt: .venv/installed-dev ## put the code in order
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

LOCK := uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header
lock: ## pin all versions anew (needs uv); the locks hold no index address
	@$(LOCK) pyproject.toml --group build -o requirements.lock
	@$(LOCK) --group dev -c requirements.lock -o requirements-dev.lock

clean: ## remove what was built here (never your data folder)
	@rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage* *.egg-info build memory/locale/*.mo bench/results

.venv/bin/pip:
	@PYTHON="$(PYTHON)" sh .ci/venv

# A lock is complete: where pip looked for what its entries need, a release of today could come in its way.
.venv/installed: .venv/bin/pip requirements.lock pyproject.toml setup.py
	@echo "Installing Keepsake into .venv (first time only, about a minute) ..." >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.venv/installed-dev: .venv/installed requirements-dev.lock
	@echo "Installing the tools for tests ..." >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-dev.lock
	@touch $@
