PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

.PHONY: setup demo serve test fuzz crash hostile cluster load memory shuffles coverage check bench docs format clean

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "pitboss needs Python 3.11 or newer; $(PYTHON) is older. Set PYTHON=python3.11"; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "setting up $(VENV) ..."
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@$(BIN)/python -m compileall -q src
	@touch $(STAMP)

demo: setup
	@$(BIN)/pitboss demo

test: setup
	@sh tools/system.sh
	$(BIN)/python -m pytest -n auto --dist worksteal

serve: setup
	$(BIN)/pitboss serve

crash: setup
	@sh tools/system.sh
	$(BIN)/python tests/crash_vault.py --kills 1000
	$(BIN)/python tests/crash_house.py --kills 1000

hostile: setup
	PITBOSS_HOSTILE=10000 $(BIN)/python -m pytest tests/test_web_doors.py tests/test_web_stateful.py tests/test_web_hidden.py

cluster: setup
	@sh tools/system.sh
	$(BIN)/python tests/crash_cluster.py --kills 50 --schedulers 10

load: setup
	$(BIN)/python bench/load.py

memory: setup
	$(BIN)/python bench/rounds.py

shuffles: setup
	$(BIN)/python -m pitboss.trials cards=1e8

fuzz: setup
	$(BIN)/python -m fuzz.run --write

coverage: setup
	$(BIN)/python -m pytest -n auto --cov --cov-report=term

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pitboss.cli.reference --check

docs: setup
	$(BIN)/python -m pitboss.cli.reference --write

bench: setup
	$(BIN)/python bench/run.py

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
