# Commands for developers and CI. `make` alone lists them; each target sets up what it needs.
#   PYTHON=python3.12   use another interpreter    ARGS="-k cypher"   pass arguments to pytest
.DEFAULT_GOAL := help
.PHONY: help demo test quick check format lint types fix coverage nightly sanitize lowest docs site hooks bench clean
.SILENT:
# Tests start many processes; without cached bytecode each would compile everything it imports.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
WORKERS ?= auto
VENV := .venv
LOWEST := .venv-lowest
EXTRAS := encoders,hashtags,pictures,postgresql,tune
RUN := $(VENV)/bin/python
SANITIZED := tests/search/paths tests/search/bases/test_new_kind.py tests/loaders/wikipedia/wikitext
NATIVE := $(wildcard search/paths/native.c loaders/wikipedia/wikitext/native.c)
DISTRIBUTED := -n $(WORKERS) --dist loadgroup
PYTEST := $(RUN) -m pytest $(DISTRIBUTED)
QUICK := -q -m "not slow and not server" --hypothesis-profile=quick
DEMO := demo

help: ## list the targets
	awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

demo: export WAYWORD_STORE := $(DEMO)/store
demo: $(VENV)/wayword ## load WordNet, score a pair and draw its path
	mkdir -p $(DEMO)
	say() { printf '\n$$ wayword'; printf ' %s' "$$@"; printf '\n'; $(RUN) -m wayword "$$@"; }; \
	set -e; say load wordnet; say score enclose birdcage; say path enclose birdcage --output $(DEMO)/enclose-birdcage.svg
	printf '\nOpen %s in a browser. To continue:\n  . %s/bin/activate; export WAYWORD_STORE=%s; wayword --help\n' \
	  $(DEMO)/enclose-birdcage.svg '$(CURDIR)/$(VENV)' "'$(CURDIR)/$(DEMO)/store'"

test: $(VENV)/wayword-dev ## run every test (WAYWORD_TEST_DATA=folder includes those on real data)
	$(PYTEST) $(ARGS)

quick: $(VENV)/wayword-dev ## run the tests that need no server and little time
	$(PYTEST) $(QUICK) $(ARGS)

check: format lint types test ## check format, lint and types, and run every test

format: $(VENV)/wayword-dev
	$(RUN) -m ruff format --check .

lint: $(VENV)/wayword-dev
	$(RUN) -m ruff check .

types: $(VENV)/wayword-dev
	$(RUN) -m mypy

fix: $(VENV)/wayword-dev ## format, and fix what ruff can fix
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .

coverage: $(VENV)/wayword-dev ## run every test, write htmlcov/index.html and print the total
	$(PYTEST) --cov --cov-report=html --cov-report= $(ARGS)
	printf 'Coverage: %s %%\n' "$$($(RUN) -m coverage report --format=total)"

nightly: $(VENV)/wayword-dev ## run every test, properties on 1,000 random examples (SEED=number repeats a run)
	seed=$${SEED:-$$($(RUN) -c 'import secrets; print(secrets.randbelow(2**32))')}; \
	echo "Seed: $$seed. To repeat this run: make nightly SEED=$$seed"; \
	$(PYTEST) --hypothesis-profile=nightly --hypothesis-seed=$$seed $(ARGS)

# The tests run on C code built with the sanitizers; afterwards the usual build takes its place again.
# Without tests that ask in Cypher: the processes that answer have too few addresses for the sanitizers.
sanitize: $(VENV)/wayword-dev ## run the tests of the C code under AddressSanitizer and UndefinedBehaviorSanitizer
	trap '$(RUN) -m pip install --quiet --editable .' EXIT; set -e; \
	include=$$($(RUN) -c 'import sysconfig; print(sysconfig.get_path("include"))'); \
	for source in $(NATIVE); do $(CC) -std=c11 -O1 -g -Wall -Wextra -Werror -fsanitize=address,undefined \
	  -fno-sanitize-recover=undefined -shared -fPIC -I"$$include" $$source -o $${source%.c}.abi3.so; done; \
	LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libubsan.so)" PYTHONMALLOC=malloc \
	  ASAN_OPTIONS=detect_leaks=0 $(RUN) -m pytest -p no:faulthandler --hypothesis-profile=nightly $(SANITIZED) -k "not in_cypher" $(ARGS)

lowest: $(LOWEST)/wayword-dev ## run the quick tests with the lowest allowed dependencies (needs PYTHON=python3.11)
	$(LOWEST)/bin/python -m pytest $(DISTRIBUTED) $(QUICK) -W default::DeprecationWarning $(ARGS)

docs: $(VENV)/wayword-dev ## refresh the output that docs, README and notebooks show
	$(RUN) tools/refresh_docs.py

site: $(VENV)/wayword-docs ## build the documentation site into site/; any warning fails
	NO_MKDOCS_2_WARNING=1 $(RUN) -m mkdocs build --strict
	$(RUN) tools/check_site.py site

hooks: $(VENV)/wayword-dev ## install the pre-commit hooks into this clone
	$(RUN) -m pre_commit install

bench: $(VENV)/wayword-dev ## measure wayword and its peers, and write docs/benchmarks.md
	$(RUN) -m pip install --quiet --group bench || echo "Continuing without the peers in the group bench."
	$(RUN) -m bench $(ARGS)

clean: ## remove everything that these targets create
	rm -rf $(VENV) $(LOWEST) $(DEMO) build dist site htmlcov .coverage .coverage.* src/*.egg-info
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment is updated when pyproject.toml, setup.py or the C code changes. Dependency groups need pip 25.1 or later.
# Python compiles what is imported; to compile all of the packages in advance takes almost a minute.
$(VENV)/wayword: pyproject.toml setup.py $(NATIVE)
	$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "wayword needs Python 3.11 or later, and $(PYTHON) is " + sys.version.split()[0] + ": try make PYTHON=python3.12")'
	echo "Setting up $(VENV) ..."
	test -x $(RUN) || $(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --upgrade "pip>=25.1"
	$(RUN) -m pip install --quiet --no-compile --editable .
	touch $@

$(VENV)/wayword-dev: $(VENV)/wayword
	echo "Installing what the tests need ..."
	$(RUN) -m pip install --quiet --no-compile --editable ".[$(EXTRAS)]" --group dev
	touch $@

$(VENV)/wayword-docs: $(VENV)/wayword
	echo "Installing what the site needs ..."
	$(RUN) -m pip install --quiet --group docs
	touch $@

# A separate environment with the lowest versions in pyproject.toml, resolved by uv; indirect dependencies are current.
$(LOWEST)/wayword-dev: pyproject.toml
	echo "Setting up $(LOWEST) ..."
	$(PYTHON) -m venv --clear $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet uv
	$(LOWEST)/bin/python -m uv pip install --quiet --python $(LOWEST)/bin/python --resolution lowest-direct \
	  --compile-bytecode --editable ".[$(EXTRAS)]" --group dev
	touch $@
