# Everything below lives in a virtual environment inside the clone. It is set up on first use and again when
# pyproject.toml changes. Variables can be given on the command line: make test PYTHON=python3.13 WORKERS=4

VENV ?= .venv
BIN := $(VENV)/bin

# The first Python of a supported version that is found.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python3.10; do \
	"$$python" -c 'import sys; sys.exit(not (3, 10) <= sys.version_info[:2] < (3, 15))' 2>/dev/null \
	&& { echo "$$python"; break; }; done)

DEMO ?=
BENCH ?=
GALLERY ?=
WORKERS ?= $(shell nproc 2>/dev/null || echo 2)
MARK ?= not slow
LEVEL ?= x86-64-v3
CODE := $(CURDIR)/build/machine-code
PYTEST_ARGS ?=
OLDEST_PYTHON ?= python3.10
OLDEST_TESTS ?= tests/robot tests/recording tests/saving tests/unit tests/viewer

export PIP_DISABLE_PIP_VERSION_CHECK = 1

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test test-oldest floors lint typecheck docs gallery pytest bench bench-quick wheel format clean distclean

help:
	@echo "make demo       run the demonstration scene          DEMO='NAME --seconds 5' or DEMO=--list"
	@echo "make test       lint, types, documentation, tests     MARK= runs the slow ones too"
	@echo "make test-oldest  tests with the oldest Python and dependencies that are allowed"
	@echo "make floors     whether the oldest and the newest dependencies fit together"
	@echo "make bench      compare speed with installed peers    BENCH='options'"
	@echo "make bench-quick  the same in a few minutes, with few scenes and rounds"
	@echo "make docs       build the documentation in build/docs"
	@echo "make gallery    take the pictures of all scenes anew  GALLERY='names of some'"
	@echo "make wheel      build dist/*.whl with the machine code of all kernels for x86-64-v3"
	@echo "make lint       ruff check and format check           make typecheck: mypy"
	@echo "make format     let ruff rewrite the sources"
	@echo "make clean      remove build output and tool caches   make distclean: the environment too"

demo: $(VENV)/.ready-to-run
	$(BIN)/opendynamics demo $(DEMO)

test: lint typecheck docs pytest

lint: $(VENV)/.ready-to-develop
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# Whether the oldest versions that are allowed fit together, and the newest: asks the index, installs nothing.
floors: $(VENV)/.ready-to-develop
	$(BIN)/python -m tests.floors --resolve

typecheck: $(VENV)/.ready-to-develop
	$(BIN)/mypy

# Always from scratch (-E): an incremental build does not repeat the warnings of pages it skips.
docs: $(VENV)/.ready-to-develop
	$(BIN)/python -m sphinx -b html -E -W --keep-going -q -d build/doctrees docs build/docs
	@echo "documentation: build/docs/index.html"

gallery: $(VENV)/.ready-to-develop
	$(BIN)/python docs/gallery.py $(GALLERY)

# The kernels are compiled once, before the workers start, instead of by every worker at the same time.
pytest: $(VENV)/.ready-to-develop
	$(BIN)/opendynamics warmup
	$(BIN)/python -m pytest -n $(WORKERS) -m "$(MARK)" $(PYTEST_ARGS)

# The floors of pyproject.toml: the oldest Python and the oldest versions, in an environment of their own. `make test` has the newest.
# Threads of the oldest NumPy's OpenBLAS wait for each other by spinning, which takes minutes for a small matrix on a busy machine.
test-oldest: $(VENV)/.ready-to-run
	$(OLDEST_PYTHON) -m venv --clear build/oldest
	$(BIN)/python -m tests.floors > build/oldest/floors.txt
	build/oldest/bin/python -m pip install --quiet --constraint build/oldest/floors.txt \
	  --editable '.[cli,view,render,video,plot,mesh,robot]' hypothesis ipykernel nbclient pytest pytest-xdist selenium
	OPENBLAS_NUM_THREADS=1 build/oldest/bin/python -m pytest -n $(WORKERS) -m "$(MARK)" $(OLDEST_TESTS)

bench: $(VENV)/.ready-to-run
	$(BIN)/python -m benchmarks.run $(BENCH)
	$(BIN)/python -m benchmarks.box3d --solvers soft auto --json build/bench/box3d.json
	$(BIN)/python -m benchmarks.precision --json build/bench/precision.json

# A few minutes: the scenes that tell most, two rounds each.
bench-quick: $(VENV)/.ready-to-run
	$(BIN)/python -m benchmarks.run --repeat 2 --scenes pendulum2 chain50 wall10 heap200 ragdoll20 terrain_hfield $(BENCH)
	$(BIN)/python -m benchmarks.box3d --repeat 1 --steps 20 --shares 0.25 1

# An installed wheel like this never compiles: see core/compile/shipped.py.
wheel: $(VENV)/.ready-to-run
	rm -rf $(CODE)
	NUMBA_CPU_NAME=$(LEVEL) NUMBA_CPU_FEATURES= OPENDYNAMICS_CACHE_DIR=$(CODE)/$(LEVEL) $(BIN)/opendynamics warmup
	$(BIN)/python -c "from importlib.metadata import version as v; print('numba==' + v('numba'), 'llvmlite==' + v('llvmlite'), \
	  'numpy==' + '.'.join(v('numpy').split('.')[:2]) + '.*')" > $(CODE)/requires.txt
	OPENDYNAMICS_MACHINE_CODE=$(CODE) $(BIN)/python -m pip wheel --no-deps --wheel-dir dist .

format: $(VENV)/.ready-to-develop
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -path ./$(VENV) -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean
	rm -rf $(VENV)

# ------------------------------------------------------------------------------------------ environment

$(VENV)/.ready-to-run: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[cli]'
	@touch $@

$(VENV)/.ready-to-develop: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[cli,dev,docs]'
	@touch $(VENV)/.ready-to-run $@

# Debian keeps the half of venv that brings pip in a package of its own, e.g. python3-venv.
$(BIN)/python:
	@if [ -z "$(PYTHON)" ]; then \
	  echo "No Python 3.10 to 3.14 was found. Install one, or name it: make PYTHON=/path/to/python3" >&2; \
	  exit 1; \
	fi
	@if ! "$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null; then \
	  package="$(notdir $(PYTHON))-venv"; \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "$(PYTHON) cannot create virtual environments yet: installing $$package"; \
	    apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$$package"; \
	  else \
	    echo "$(PYTHON) cannot create virtual environments: its venv or ensurepip module is missing." >&2; \
	    echo "On Debian and Ubuntu: sudo apt install $$package   then run make again." >&2; \
	    exit 1; \
	  fi; \
	fi
	"$(PYTHON)" -m venv --clear $(VENV)
