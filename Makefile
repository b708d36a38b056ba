# The commands of the project, in one or two lines each; the logic is in the scripts that they call.
# `make` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

export SWIFT ?= swift
export EMBLEM_WARNINGS ?= error
export PREFIX ?= /usr/local
export DESTDIR ZSH_FUNCTIONS
BUILD := $(SWIFT) build -c release
EMBLEM := .build/release/emblem
APT := Packaging/apt.sh
GENERATED := Datasets/generated
OUT ?= out
# The files that a release publishes, and the forms to make: deb, dist (an archive), wheel.
export RELEASE_SET ?= .build/release-set
FORMS ?= deb dist wheel
# The groups of Debian packages that `make setup` installs.
FOR ?= build
# The CPU seconds for each fuzz target.
SECONDS ?= 30
# The benchmarks write a record if RECORD has its name.
KEEP = $(if $(RECORD),--record $(RECORD))
# The modules whose tests need no server, no Debian package and no other program.
UNIT := Artwork|Bench|Console|Digest|EmblemCLI|Engine|Flags|Gauge|Notation|Package|Raster|Render|System|Targets|Theming

.PHONY: $(shell grep -oE '^[a-z0-9-]+:' Makefile | tr -d :)

help: ## List the commands
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 22

# Building

setup: ## Install the missing Debian packages for a build (FOR="run test lint bench" installs those of others)
	@command -v $(SWIFT) >/dev/null || { echo "no swift found: install 6.2 or later from https://swift.org/install"; exit 1; } >&2
	@$(APT) $(FOR)

build: setup ## Build the tool at .build/release/emblem
	@$(BUILD) --product emblem

run: build ## Make emblems of the sample images, from files and from a local web server
	@$(APT) run && Datasets/make.py sample $(GENERATED)/sample
	@Benchmarks/run-sample.py $(EMBLEM) $(GENERATED)/sample $(OUT)

spark: build ## Make emblems of the sample list on a local Spark with two executors
	@$(APT) run spark && Datasets/make.py sample $(GENERATED)/sample && Tests/Python/run.py .build/spark --only-provide
	@.build/spark/bin/python Benchmarks/run-spark.py $(EMBLEM) $(GENERATED)/sample $(OUT)/spark

docs: build ## Build the documentation site in .build/docs
	@$(BUILD) --target EmblemKit
	@Tests/Docs/make.sh .build/release .build/docs

clean: ## Remove everything that was built or generated
	@rm -rf .build $(GENERATED) $(OUT)

# Checks and tests

check: ## Check the formatting of Swift and run the unit tests, without apt and servers
	@Tests/lint.sh --swift && $(BUILD) --build-tests
	@Tests/run.sh $(SWIFT) test -c release --skip-build --filter '^($(UNIT))Tests\.'

test: setup lint ## Check the formatting, build, and run the tests
	@$(APT) test
	@Tests/all.sh

test-all: setup lint ## Run the tests, and those that take long or need Spark, a browser or containers
	@$(APT) test thorough spark packaging install
	@EMBLEM_TESTS=all Tests/all.sh

test-only: setup ## Run the Swift tests whose names match FILTER, as in FILTER='CodecsTests.*PNG'
	@$(BUILD) --build-tests
	@EMBLEM_TESTS=all Tests/run.sh $(SWIFT) test -c release --skip-build --filter '$(FILTER)'

lint: ## Check the formatting of Swift and C, the shell scripts and the spelling
	@$(APT) lint
	@Tests/lint.sh

format: ## Format all Swift and C files in place
	@$(APT) lint
	@Tests/lint.sh --format

golden: ## Draw the golden images again; review them before you commit
	@EMBLEM_GOLDEN=renew $(MAKE) test-only FILTER=GoldenTests

coverage: setup ## Run the tests and print the line coverage of each module
	@Tests/run.sh $(SWIFT) test -c release --enable-code-coverage --scratch-path .build/coverage
	@Tests/coverage.sh .build/coverage

fuzz: setup ## Fuzz every parser for SECONDS=30 each (TARGET=png selects one)
	@Tests/Fuzz/make.sh $(SECONDS) $(TARGET)

mutants: setup ## Disable each protection in turn; a named test must fail (ONLY="12 65" selects some)
	@$(APT) test && Tests/Mutants/run.py $(ONLY)

# Benchmarks

bench: build ## Measure every workload against its floor, five rounds (RECORD=NAME writes a record)
	@$(APT) bench && $(BUILD) --product emblem-floor
	@python3 Benchmarks/bench.py $(KEEP)

bench-peers: build ## Compare with other tools over files and URLs, five rounds
	@$(APT) bench peers && $(BUILD) --product emblem-floor
	@python3 Benchmarks/compare.py $(KEEP)

bench-gate: build ## Check the limits of instructions, allocations and system calls per item
	@$(APT) gate && $(BUILD) --product emblem-counts
	@python3 Benchmarks/gate.py

# Packages

install: ## Install the built tool, its manual page and completions under PREFIX (/usr/local)
	@Packaging/install-files.sh $(EMBLEM)

release: setup ## Make the Debian package, the archive and the wheel in .build/release-set (FORMS=deb selects one)
	@$(APT) packaging
	@Packaging/release.sh $(RELEASE_SET) $(FORMS)
