# What people and CI do here. `make` alone lists it; each target sets up what it needs.
#   PYTHON=python3.12   another interpreter        ARGS="-k cypher"   more words for pytest
.DEFAULT_GOAL := help
.PHONY: help demo test quick check format lint types fix docs bench clean
.SILENT:

PYTHON ?= python3
WORKERS ?= auto
VENV := .venv
RUN := $(VENV)/bin/python
PYTEST := $(RUN) -m pytest -n $(WORKERS) --dist loadgroup
DEMO := demo

help: ## list the targets
	awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

demo: export WAYWORD_STORE := $(DEMO)/store
demo: $(VENV)/wayword ## load WordNet, score a pair with its path, draw the path
	mkdir -p $(DEMO)
	say() { printf '\n$$ wayword'; printf ' %s' "$$@"; printf '\n'; $(RUN) -m wayword "$$@"; }; \
	set -e; say load wordnet; say score enclose birdcage; say path enclose birdcage --output $(DEMO)/enclose-birdcage.svg
	printf '\nOpen %s in a browser. To go on:\n  . %s/bin/activate; export WAYWORD_STORE=%s; wayword --help\n' \
	  $(DEMO)/enclose-birdcage.svg '$(CURDIR)/$(VENV)' "'$(CURDIR)/$(DEMO)/store'"

test: $(VENV)/wayword-dev ## run every test (WAYWORD_TEST_DATA=folder adds those on real data)
	$(PYTEST) $(ARGS)

quick: $(VENV)/wayword-dev ## run the tests that need no server and no patience
	$(PYTEST) -q -m "not slow and not server" --hypothesis-profile=quick $(ARGS)

check: format lint types test ## format, lint, types and every test

format: $(VENV)/wayword-dev
	$(RUN) -m ruff format --check .

lint: $(VENV)/wayword-dev
	$(RUN) -m ruff check .

types: $(VENV)/wayword-dev
	$(RUN) -m mypy

fix: $(VENV)/wayword-dev ## format, and mend what ruff can mend
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .

docs: $(VENV)/wayword-dev ## refresh what docs and README show, from --help and the commands
	$(RUN) docs/refresh.py

bench: $(VENV)/wayword-dev ## measure, beside the peers, and write docs/benchmarks.md
	$(RUN) -m pip install --quiet --group bench || echo "Going on without the peers of the group bench."
	$(RUN) -m bench $(ARGS)

clean: ## remove everything that these targets make
	rm -rf $(VENV) $(DEMO) build dist src/*.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment, made once and again when pyproject.toml changes. A newer pip, because the dev group needs --group.
$(VENV)/wayword: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "wayword needs Python 3.11 or later, and $(PYTHON) is " + sys.version.split()[0] + ": try make PYTHON=python3.12")'
	echo "Setting up $(VENV) ..."
	test -x $(RUN) || $(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --upgrade "pip>=25.1"
	$(RUN) -m pip install --quiet --editable .
	touch $@

$(VENV)/wayword-dev: $(VENV)/wayword
	echo "Adding what the tests need ..."
	$(RUN) -m pip install --quiet --editable ".[encoders,fast,hashtags,pictures,postgresql]" --group dev
	touch $@
