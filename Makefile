# Everything a newcomer needs: `make demo` shows a session, `make test` runs the tests. Both set the machine up first.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup .venv demo test test-docker test-agents test-faults test-faults-quick test-harbor-versions test-browser test-model test-data test-full lint lock check bench doctor clean

BIN := .venv/bin
# Joins the group docker when the set-up added us to it a moment ago.
RUN := setup/run.sh
PYTEST := $(RUN) $(BIN)/python -m pytest
# More arguments, for example: make test ARGS="-k anchors"
ARGS ?=
# Recorded sessions, which are no part of the repository.
RECORDED = $(or $(SWE_TOGETHER_TRANSCRIPTS),$(wildcard ../shared/data/transcripts))

# No usage reports to Harbor's makers, and no price list fetched at every start (nine seconds of retries offline).
export HARBOR_TELEMETRY ?= 0
export LITELLM_LOCAL_MODEL_COST_MAP ?= True

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-20s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup:  ## Python, virtual environment, Docker, base images; skips what is done
	@setup/all.sh

# Phony: the script itself knows whether there is anything to do.
.venv:
	@setup/venv.sh

demo: setup  ## whole sessions in real containers, without any model
	@$(RUN) $(BIN)/swe-together demo $(ARGS)

test: setup  ## the default tests: no Docker, no model, no network
	@$(PYTEST) -n auto --dist worksteal $(ARGS)

test-docker: setup  ## tests in real containers
	@$(PYTEST) -n 2 --dist loadfile -m "docker and not agents and not model and not browser and not faults" $(ARGS)

test-agents: setup  ## real agent command lines against a fake model server
	@$(PYTEST) -m "agents and not model and not browser" $(ARGS)

test-faults: setup  ## faults in whole jobs: half an hour, as root
	@$(PYTEST) -m faults $(ARGS)

test-faults-quick: setup  ## those of them that take a minute
	@$(PYTEST) -m "faults and not long" $(ARGS)

test-harbor-versions: .venv  ## the adapter with every version of Harbor that is supported: no Docker
	@setup/harbor-versions.sh $(ARGS)

test-browser: .venv  ## the pages, in a headless Chromium
	@setup/browser.sh
	@$(PYTEST) -m browser $(ARGS)

test-model: .venv  ## tests with a small real model served on this machine
	@setup/small-model.sh
	@$(PYTEST) -m model $(ARGS)

test-data: .venv  ## importers against recorded sessions in SWE_TOGETHER_DATA, or ../shared/data
	@$(PYTEST) -m data $(ARGS)

test-full: export SWE_TOGETHER_EXAMPLES ?= 1000
test-full: test test-harbor-versions test-docker test-agents test-faults test-browser test-model  ## all of these

lint: .venv  ## ruff and mypy
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

lock: .venv  ## requirements.lock anew, within the bounds of pyproject.toml
	@$(BIN)/python -m pip install -q --disable-pip-version-check 'uv>=0.5,<1'
	@$(BIN)/python -m uv pip compile -q --universal --python-version 3.12 --generate-hashes --extra dev \
		--custom-compile-command "make lock" -o requirements.lock pyproject.toml

check: setup  ## prove every task in real containers
	@$(RUN) $(BIN)/swe-together check tasks/* $(ARGS)

bench: setup  ## prices and times: session layer, many sessions, judging, reports, checker, prompts, collect
	@$(RUN) $(BIN)/python -m tests.bench.layer $(ARGS)
	@$(RUN) $(BIN)/python -m tests.bench.judging
	@$(BIN)/python -m tests.bench.concurrency
	@$(BIN)/python -m tests.bench.report
	@$(BIN)/python -m tests.bench.memorycode_checker
	@if [ -n "$$SWE_TOGETHER_TRANSCRIPTS" ]; then $(BIN)/python -m tests.bench.prompt_size; else \
		echo "prompt sizes: not measured; set SWE_TOGETHER_TRANSCRIPTS to a folder of recorded sessions"; fi
	@if [ -n "$(RECORDED)" ]; then $(BIN)/python -m tests.bench.collect $(RECORDED); else \
		echo "collect: not measured; set SWE_TOGETHER_TRANSCRIPTS to a folder of recorded sessions"; fi

doctor: .venv  ## what is missing on this machine
	@$(RUN) $(BIN)/swe-together doctor $(ARGS)

clean: .venv  ## remove what killed runs left in Docker
	@$(RUN) $(BIN)/swe-together clean $(ARGS)
