# The commands of the project, in one or two lines each; the logic is in the scripts that they call.
# `make` lists the common commands (##), and `make help-all` also lists the others (#:).

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

export SWIFT ?= swift
export EMBLEM_WARNINGS ?= error
export PREFIX ?= /usr/local
export DESTDIR ZSH_FUNCTIONS
BUILD := $(SWIFT) build -c release
EMBLEM := .build/release/emblem
PLAIN := .build/plain/release/emblem.plain
APT := Packaging/apt.sh
GENERATED := Datasets/generated
OUT ?= out
# The files that a release publishes.
RELEASE_SET ?= .build/release-set
# The CPU seconds for each fuzz target.
SECONDS ?= 30
# The benchmarks write a record if RECORD has its name.
KEEP = $(if $(RECORD),--record $(RECORD))
SWIFT_FOLDERS := Package.swift Plugins Sources Tests Benchmarks
# The modules whose tests need no server, no Debian package and no other program.
UNIT := Artwork|Bench|Console|Digest|EmblemCLI|Engine|Flags|Gauge|Notation|Package|Raster|Render|System|Targets|Theming

.PHONY: $(shell grep -oE '^[a-z0-9-]+:' Makefile | tr -d :)

help: ## List the common commands
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 22

help-all: ## List every command
	@sed -nE 's/^([a-z0-9-]+):.*#[#:] (.*)/  make \1\t\2/p' Makefile | expand -t 22

# Building

setup: ## Install the missing C libraries and fonts with apt
	@command -v $(SWIFT) >/dev/null || { echo "no swift found: install 6.2 or later from https://swift.org/install"; exit 1; } >&2
	@$(APT) build

packages: #: Print the Debian packages that a build needs
	@$(APT) --list build

build: setup ## Build the tool at .build/release/emblem
	@$(BUILD) --product emblem

run: dataset ## Make emblems of the sample images, from files and from a local web server
	@Benchmarks/run-sample.sh $(EMBLEM) $(GENERATED)/sample $(OUT)

dataset: build #: Draw the sample images in Datasets/generated
	@$(APT) run && Datasets/make.py sample $(GENERATED)/sample

spark: dataset ## Make emblems of the sample list on a local Spark with two executors
	@$(APT) spark && Tests/Python/run.py .build/spark --only-provide
	@.build/spark/bin/python Benchmarks/run-spark.py $(EMBLEM) $(GENERATED)/sample $(OUT)/spark

docs: build ## Build the documentation site in .build/docs
	@$(BUILD) --target EmblemKit
	@Tests/Docs/make.sh .build/release .build/docs

clean: ## Remove everything that was built or generated
	@rm -rf .build $(GENERATED) $(OUT)

# Checks and tests

check: lint-swift lint-spelling ## Check the formatting and run the unit tests, without apt and servers
	@$(BUILD) --build-tests
	@Tests/run.sh $(SWIFT) test -c release --skip-build --filter '^($(UNIT))Tests\.'

test: setup-tests lint ## Check the formatting, build, and run every test
	@Tests/all.sh

test-all: setup-tests lint ## Run the tests, and those that take long or need Spark, a browser or containers
	@$(APT) thorough packaging install
	@EMBLEM_TESTS=all Tests/all.sh

test-only: setup ## Run the tests whose names match FILTER, as in FILTER='CodecsTests.*PNG'
	@$(BUILD) --build-tests
	@EMBLEM_TESTS=all Tests/run.sh $(SWIFT) test -c release --skip-build --filter '$(FILTER)'

setup-tests: setup #: Install the missing Debian packages that the tests need
	@$(APT) test

lint: setup-lint lint-swift lint-spelling ## Check the formatting of Swift and C, the shell scripts and the spelling
	@Tests/lint.sh

setup-lint: #: Install the missing Debian packages that the checks of the sources need
	@$(APT) lint

lint-spelling: #: Check the spelling if codespell is installed
	@! command -v codespell >/dev/null || codespell

lint-swift: #: Check the formatting of Swift
	@$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_FOLDERS)

format: setup-lint ## Format all Swift and C files in place
	@Tests/lint.sh --format
	@$(SWIFT) format --in-place --parallel --recursive $(SWIFT_FOLDERS)

golden: #: Draw the golden images again; review them before you commit
	@EMBLEM_GOLDEN=renew $(MAKE) test-only FILTER=GoldenTests

coverage: setup ## Run the tests and print the line coverage of each module
	@Tests/run.sh $(SWIFT) test -c release --enable-code-coverage --scratch-path .build/coverage
	@Tests/coverage.sh .build/coverage

fuzz: setup ## Fuzz every parser for SECONDS=30 each (TARGET=png selects one)
	@Tests/Fuzz/make.sh $(SECONDS) $(TARGET)

test-asan: setup #: Run the tests under the address sanitizer
	@Tests/asan.sh

test-spark: build #: Run 5,000 rows on a real Spark while workers are killed
	@$(APT) spark && Tests/Python/run.py .build/spark --rows 5000 --stream-rows 1000000

test-package: setup #: Build a package that depends on the last commit, by version and by path
	@Tests/Package/run.py .build/package

test-install: deb wheel #: Install each published form on a minimal Debian (DOORS="deb dist" selects some)
	@$(APT) install
	@$(if $(filter 0,$(shell id -u)),,sudo) env PATH="$$PATH" SWIFT=$(SWIFT) Tests/Install/run.sh $(RELEASE_SET) $(DOORS)

proof: mutants proof-kill proof-power proof-nights ## Run the tests that take hours

mutants: setup-tests #: Disable each protection in turn; a named test must fail (ONLY="12 65" selects some)
	@Tests/Mutants/run.py $(ONLY)

proof-kill: build #: Kill a run of 1,000 images 200 times and stop 50 workers (EMBLEM_SEED=N repeats)
	@cd Benchmarks && python3 -c 'from Harness import many; many.write("../$(GENERATED)/many", range(1000))'
	@Benchmarks/Proof/kill-and-resume.py $(EMBLEM) $(GENERATED)/many $(GENERATED)/kill-out

proof-power: build #: Simulate a power loss at 500 random moments (EMBLEM_SEED=N repeats)
	@cd Benchmarks && python3 -c 'from Harness import many; many.write("../$(GENERATED)/many", range(100))'
	@Benchmarks/Proof/power-loss.py $(EMBLEM) $(GENERATED)/many $(GENERATED)/power-scratch --rounds 500

proof-nights: build #: Run 20,000 URLs for 30 simulated nights while servers, list, disk and process fail
	@Benchmarks/Proof/nights.py $(EMBLEM) $(GENERATED)/nights

# Benchmarks

bench: bench-tools ## Measure every workload against its floor, five rounds (RECORD=NAME writes a record)
	@python3 Benchmarks/bench.py $(KEEP)

bench-tools: build #: Build the programs that the benchmarks run
	@$(APT) bench
	@$(BUILD) --product emblem-floor

bench-peers: bench-tools #: Compare with other tools over files and URLs, five rounds
	@$(APT) peers
	@python3 Benchmarks/compare.py $(KEEP)

bench-gate: build #: Check the limits of instructions, allocations and system calls per item
	@$(APT) gate && $(BUILD) --product emblem-counts
	@python3 Benchmarks/gate.py

# Packages

install: build install-files ## Install the tool, its manual page and completions under PREFIX (/usr/local)

install-files: #: Install the built tool without a build, for sudo, which does not find swift
	@Packaging/install-files.sh $(EMBLEM)

plain: setup #: Build the tool for distribution
	@$(APT) packaging
	@Packaging/build.sh > /dev/null

deb: plain ## Make a Debian package in .build/release-set
	@Packaging/deb.sh $(PLAIN) $(RELEASE_SET)
	@Packaging/sums.sh $(RELEASE_SET)

dist: plain ## Make an archive with all libraries and fonts, which runs in any folder
	@Packaging/dist.sh $(PLAIN) $(RELEASE_SET)
	@Packaging/sums.sh $(RELEASE_SET)

wheel: dist #: Make a Python wheel from the archive, for pip install
	@Packaging/wheel.py $(RELEASE_SET)/emblem-*-linux-*.tar.gz $(RELEASE_SET)
	@Packaging/sums.sh $(RELEASE_SET)
