# Bare `make` prints this list. Each target's help is the text after its two hashes.
PYTHON ?= python3
VENV   ?= .venv
PEERS  ?= build/peers
BIN    := $(if $(filter Windows_NT,$(OS)),Scripts,bin)
IN     := $(VENV)/$(BIN)
NATIVE := $(shell find native tests/native -name '*.[ch]pp' 2> /dev/null)
BUILD_TOOLS := "scikit-build-core>=0.10" "nanobind>=2.4" cmake ninja

.DEFAULT_GOAL := help
.PHONY: course help dev test test-slow lint format types asan tsan bench bench-all bench-readme peers simulate kill fuzz fuzz-asan docs release clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

dev: ## .venv with hedgerow (editable), test and lint tools; run it again after a change in native/
	test -x $(IN)/python || $(PYTHON) -m venv $(VENV)
	$(IN)/python -m pip install --quiet $(BUILD_TOOLS)
	$(IN)/python -m pip install --no-build-isolation --editable ".[test,lint]"

test: ## what matters most of the test suite: about four minutes
	$(IN)/python -m pytest

test-slow: ## the rest: simulations, estimator checks of rare settings, browsers, kills
	$(IN)/python -m pytest -m slow

lint: ## ruff, clang-format and numpydoc's validation of docstrings, changing nothing
	$(IN)/ruff check .
	$(IN)/ruff format --check .
	$(IN)/python tools/check_docstrings.py
	$(if $(NATIVE),$(IN)/clang-format --dry-run -Werror $(NATIVE))

format: ## ruff and clang-format, changing files
	$(IN)/ruff check --fix .
	$(IN)/ruff format .
	$(if $(NATIVE),$(IN)/clang-format -i $(NATIVE))

types: ## mypy, strict
	$(IN)/mypy

asan: ## native tests under the address and undefined-behaviour sanitizers
	PATH="$(abspath $(IN)):$$PATH" tools/sanitize asan

tsan: ## native tests under the thread sanitizer
	PATH="$(abspath $(IN)):$$PATH" tools/sanitize tsan

bench: ## one tree on 1,000 and 200,000 rows against the peers that .venv has; cold start
	$(IN)/python benchmarks/tree.py --workload tree_1k --workload tree_200k
	$(IN)/python benchmarks/cold_start.py

peers: ## build/peers: a second environment with hedgerow and every peer that installs here
	test -x $(PEERS)/$(BIN)/python || $(PYTHON) -m venv $(PEERS)
	$(PEERS)/$(BIN)/python -m pip install --quiet --force-reinstall --no-deps .
	$(PEERS)/$(BIN)/python -m pip install --quiet .
	for name in snapml scikit-learn-intelex ydf lightgbm xgboost catboost; do \
	  $(PEERS)/$(BIN)/python -m pip install --quiet $$name || echo "$$name: cannot be installed here"; done

bench-all: peers ## every benchmark against every peer (takes many minutes)
	$(PEERS)/$(BIN)/python benchmarks/tree.py
	$(PEERS)/$(BIN)/python benchmarks/scaling.py
	$(PEERS)/$(BIN)/python benchmarks/cold_start.py

bench-readme: ## README's speed table, all rows in one run of build/peers (about half an hour; close other programs)
	$(PEERS)/$(BIN)/python benchmarks/bars.py --repeats 2
	$(PEERS)/$(BIN)/python benchmarks/tree.py --workload tree_1m --peer hedgerow --peer "sklearnex bins" --peer "snapml exact" --peer scikit-learn --repeats 2
	$(PEERS)/$(BIN)/python benchmarks/forest.py --workload forest_2 --workload forest_7 --peer hedgerow --peer "sklearnex bins" --peer "snapml exact" --repeats 2
	$(PEERS)/$(BIN)/python benchmarks/svm.py --workload rbf_30k_C1 --repeats 2
	for shape in large categories small; do $(PEERS)/$(BIN)/python benchmarks/gradient.py --threads 2 --shape $$shape; done
	$(PEERS)/$(BIN)/python benchmarks/gradient.py --threads 2 --shape pixels --models hedgerow,lightgbm_quantised
	$(PEERS)/$(BIN)/python benchmarks/sparse.py --model tree
	$(PEERS)/$(BIN)/python benchmarks/export.py

course: ## docs/course: the lectures as pages, every number and picture made anew
	$(IN)/python tools/build_course.py

simulate: ## are intervals and tests true? By simulation, as docs/statistics.md and docs/ensembles.md record it (takes many minutes)
	$(IN)/python tools/simulate.py

kill: ## kill a study at twenty random moments: does it end the same?
	$(IN)/python tools/kill_study.py

fuzz: ## five minutes of files made to do harm: model files, scoring programs, rules, results, checkpoints
	$(IN)/python tools/fuzz --seconds 300

fuzz-asan: ## the same of model files, with a module built with sanitizers (a long build)
	PYTHON="$(IN)/python" tools/fuzz_sanitized --seconds 300 --only model

release: ## dist/: source and wheels, checked and tried in fresh environments of every Python here (PYTHONS=...); publishes nothing
	$(PYTHON) tools/release.py $(PYTHONS)

docs: ## build/site/html: the site, for which .venv needs the docs extra; warnings are errors
	$(IN)/python tools/make_site.py
	$(IN)/python -m sphinx -W --keep-going -q -b html build/site/source build/site/html

clean: ## remove what was built (.venv and benchmarks/cache stay)
	rm -rf build dist wheelhouse .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -path ./$(VENV) -prune -o -name __pycache__ -type d -exec rm -rf {} +
