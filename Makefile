# Everything a person needs, by name: `make help`.
PYTHON ?= python3
ARGS ?=
BIN := .venv/bin
STAMP := .venv/.installed

.DEFAULT_GOAL := help
.PHONY: help setup test test-all test-browser lint format train play serve evaluate solve pictures page-pictures benchmark tensorboard constraints clean

help:  ## list every target
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## */\1\t/' | awk -F'\t' '{printf "  make %-13s %s\n", $$1, $$2}'
	@echo '  ARGS="key=value ..." passes settings through to the scripts.'

setup: $(STAMP)  ## make .venv, install the package with all it needs and compile for this machine, once
	@$(BIN)/python -m alphadiamond.precompile

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null || { \
	  echo "AlphaDiamond needs Python 3.11, 3.12 or 3.13, and $(PYTHON) is $$($(PYTHON) --version 2>/dev/null || echo missing): name another with 'make PYTHON=python3.11 setup'." >&2; exit 1; }
	@echo "setting up .venv (a few minutes the first time)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -qq --constraint constraints.txt --editable '.[dev]'
	@touch $@

test: setup lint  ## ruff, mypy and the tests (five minutes on two cores)
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal $(ARGS)

test-all: setup lint  ## everything, the slow tests too
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal -m '' $(ARGS)

test-browser: setup  ## the page in a real browser (Chromium of the system); says whether they ran
	@$(BIN)/python -m pytest -q -rs -m '' tests/browser $(ARGS)

lint: setup  ## ruff and mypy alone
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

format: setup  ## put the code in the project's format
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

train: setup  ## learn from self-play; run it again and it goes on where it stopped
	@$(BIN)/python scripts/train.py $(ARGS)

tensorboard: setup  ## watch training runs in the browser
	@$(BIN)/tensorboard --logdir runs $(ARGS)

play: setup  ## open the window: play, watch, analyse; ARGS="red=neural:simulations=200" starts a game at once
	@$(BIN)/python scripts/play.py $(ARGS)

serve: setup  ## play each other: a page, a lobby, games and ratings at http://127.0.0.1:8765/
	@$(BIN)/python scripts/serve.py $(ARGS)

pictures: setup  ## make docs/pictures: every scene of the window at three sizes
	@$(BIN)/python scripts/screenshots.py $(ARGS)

page-pictures: setup  ## make docs/pictures/page-*.jpg: the page in a real browser, at two widths, dark and light
	@$(BIN)/python -m tests.browser.pictures docs/pictures

benchmark: setup  ## measure speed side by side with the plain versions
	@$(BIN)/python scripts/benchmark.py $(ARGS)

solve: setup  ## solve the game exactly (a minute or so, once); ARGS="verify=true" proves the result
	@$(BIN)/python scripts/solve.py $(ARGS)

evaluate: setup  ## players against each other: table, JSON, games and a picture in results/evaluation
	@$(BIN)/python scripts/evaluate.py $(ARGS)

constraints:  ## pin what is newest now (in a new environment)
	@rm -rf .venv-pins && $(PYTHON) -m venv .venv-pins
	@.venv-pins/bin/python -m pip install --quiet torch==2.13.0 '.[dev]'
	@{ echo '# What `make` installs, exactly. Regenerate with `make constraints`.'; \
	  .venv-pins/bin/python -m pip freeze --exclude alphadiamond | sed 's/+cpu//'; } > constraints.txt
	@rm -rf .venv-pins

clean:  ## remove the environment and what tools leave behind
	@rm -rf .venv .venv-pins .mypy_cache .pytest_cache .ruff_cache .hypothesis build *.egg-info
