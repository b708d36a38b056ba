# Everything a person types. `make` alone prints the list.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

SWIFT ?= swift
PREFIX ?= /usr/local
EMBLEM := .build/release/emblem
DATASET := .build/release/emblem-dataset
GENERATED := Datasets/generated
OUT ?= out
ZSH_FUNCTIONS ?= $(PREFIX)/share/zsh/site-functions
# What is published of a release.
RELEASE_SET ?= .build/release-set
PLAIN := .build/plain/release/emblem.plain

PACKAGES := pkg-config libjpeg-dev libpng-dev libwebp-dev libdeflate-dev zlib1g-dev \
	libcurl4-openssl-dev librsvg2-dev libpango1.0-dev libglib2.0-dev liblcms2-dev libheif-dev libjxl-dev \
	fonts-inter fonts-dejavu-core fonts-noto-ui-core fonts-wqy-microhei fonts-noto-color-emoji
RUN_PACKAGES := nginx-light
SPARK_PACKAGES := openjdk-17-jre-headless python3-venv nginx-light
TEST_PACKAGES := aapt chromium libjpeg-turbo-progs libavif-bin libheif-examples ffmpeg python3-jsonschema \
	nginx-light openssl valgrind strace binutils make ninja-build cmake $(SPARK_PACKAGES) $(LINT_PACKAGES)
LINT_PACKAGES := clang-format shellcheck
PACKAGING_PACKAGES := binutils dpkg-dev git patchelf python3
ARM_PACKAGES := gcc gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static
INSTALL_PACKAGES := lintian mmdebstrap buildah crun
PEER_PACKAGES := python3-venv nginx-light graphicsmagick libvips42 libvips-tools
GATE_PACKAGES := valgrind strace binutils
PROFILE_PACKAGES := linux-perf valgrind binutils
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

.PHONY: help
help: ## Print this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

# Installs those Debian packages of its argument that are missing. An nginx that comes this way serves
# the runs of this Makefile, so the system is kept from starting it as a server of its own.
define install
	@missing=""; for package in $(1); do \
		dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' \
			|| missing="$$missing $$package"; done; \
	if [ -n "$$missing" ]; then \
		echo "Installing:$$missing"; \
		$(SUDO) apt-get update -qq; \
		service=""; case "$$missing" in *nginx-light*) [ ! -d /run/systemd/system ] || service=nginx;; esac; \
		[ -z "$$service" ] || $(SUDO) systemctl --runtime mask nginx >/dev/null 2>&1 || true; \
		$(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
			$$missing >/dev/null; \
		[ -z "$$service" ] || { $(SUDO) systemctl --runtime unmask nginx; $(SUDO) systemctl disable nginx; } \
			>/dev/null 2>&1 || true; \
	fi
endef

.PHONY: setup
setup: ## Install the C libraries and fonts through apt, those that are missing
	@command -v $(SWIFT) >/dev/null || { \
		echo "No swift on the PATH: install a Swift 6.2 or later toolchain, https://swift.org/install" >&2; exit 1; }
	$(call install,$(PACKAGES))

# For scripts that install elsewhere.
.PHONY: packages
packages:
	@echo $(PACKAGES)

.PHONY: setup-tests
setup-tests: setup
	$(call install,$(TEST_PACKAGES))

.PHONY: build
build: setup ## Build the tool at .build/release/emblem
	@$(SWIFT) build -c release --product emblem

.PHONY: dataset
dataset: build ## Make the sample data set in Datasets/generated
	@$(SWIFT) build -c release --product emblem-dataset
	@$(DATASET) --preset sample -o $(GENERATED)/sample

.PHONY: dataset-found
dataset-found: build ## Make the sets of logos that others drew or wrote, of Debian's packages
	@$(SWIFT) build -c release --product emblem-dataset
	@cd Benchmarks && python3 -c 'from Harness import places; places.provide_data(*places.FOUND)'

.PHONY: run
run: dataset ## Make emblems of the sample pictures, from files and from a server on this machine
	$(call install,$(RUN_PACKAGES))
	@Benchmarks/run-sample.sh $(EMBLEM) $(DATASET) $(GENERATED)/sample $(OUT)

.PHONY: spark
spark: dataset ## Make emblems of the sample list on a Spark with two executors on this machine
	$(call install,$(SPARK_PACKAGES))
	@Tests/Spark/run.py .build/spark --only-provide
	@Benchmarks/run-spark.sh $(EMBLEM) $(DATASET) $(GENERATED)/sample .build/spark $(OUT)/spark

.PHONY: bench-spark
bench-spark: bench-tools ## Compare with one machine, one executor and two, and img2dataset on Spark
	$(call install,$(SPARK_PACKAGES))
	@Tests/Spark/run.py .build/spark --only-provide
	@.build/spark/bin/python Benchmarks/spark.py $(if $(RECORD),--record $(RECORD))

.PHONY: test
test: setup-tests lint ## Ask the formatters, build, and run every test
	@$(SWIFT) build -c release --build-tests
	@spark=0; Tests/Spark/run.py .build/spark --brief || spark=$$?; \
	Tests/run.sh $(SWIFT) test -c release --skip-build || exit 1; \
	[ $$spark -eq 0 ] || { echo 'the tests on Spark failed; see before those of Swift'; exit 1; }

# Modules whose tests need no server, no package and no other program.
UNIT := Artwork|Bench|Console|Digest|EmblemCLI|Engine|Flags|Gauge|Notation|Package|Raster|Render|System|Targets|Theming
.PHONY: check
check: lint-swift ## Ask the formatter and run the unit tests, in minutes, without apt and servers
	@$(SWIFT) build -c release --build-tests
	@Tests/run.sh $(SWIFT) test -c release --skip-build --filter '^($(UNIT))Tests\.'

.PHONY: test-spark
test-spark: build ## Run 5,000 rows on real Spark, kill what can be killed, compare with one machine
	$(call install,$(SPARK_PACKAGES))
	@$(SWIFT) build -c release --product emblem-dataset
	@Tests/Spark/run.py .build/spark --rows 5000 --stream-rows 1000000

.PHONY: test-package
test-package: setup ## Use the last commit as a package of another one, by version and by path
	@SWIFT=$(SWIFT) Tests/Package/run.py .build/package

.PHONY: test-asan
test-asan: setup ## Run the tests under the address sanitizer
	@$(SWIFT) build -c release --sanitize=address --scratch-path .build/asan --build-tests
	@LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/leaks.supp:print_suppressions=0 \
		Tests/run.sh $(SWIFT) test -c release --sanitize=address --scratch-path .build/asan

SECONDS ?= 30
.PHONY: fuzz
fuzz: setup ## Feed every door hostile bytes, SECONDS=30 of the processor each (TARGET=png for one)
	@EMBLEM_FUZZ=$$($(SWIFT)c -print-target-info \
		| sed -n 's|.*"runtimeResourcePath": "\(.*\)".*|\1|p')/clang/lib/linux/libclang_rt.fuzzer_no_main-$$(uname -m).a \
		$(SWIFT) build -c release --sanitize=address --scratch-path .build/fuzz --product emblem-fuzz
	@Tests/Fuzz/run.sh .build/fuzz/release/emblem-fuzz $(SECONDS) .build/fuzz-corpus $(TARGET)

.PHONY: coverage
coverage: setup ## Run the tests and print the line coverage of each room
	@Tests/run.sh $(SWIFT) test -c release --enable-code-coverage --scratch-path .build/coverage
	@Tests/coverage.sh .build/coverage

.PHONY: docs
docs: build ## Make the site of the documentation in .build/docs, and follow all its links
	@$(SWIFT) build -c release --target EmblemKit
	@Tests/Docs/make.sh .build/release .build/docs

# The headers of CSystem hold next to nothing but the names of installed ones, in an order that counts.
C_FILES = $(shell find Sources Tests Datasets Benchmarks -name '*.[ch]' -not -path '*/CSystem/*' -not -path '*/generated/*')

SCRIPTS = $(shell find Packaging Tests Datasets Benchmarks -name '*.sh' -not -path '*/generated/*')

.PHONY: lint-swift
lint-swift:
	@$(SWIFT) format lint --strict --parallel --recursive Package.swift Plugins Sources Tests Datasets Benchmarks

.PHONY: lint
lint: lint-swift ## Ask the formatters of Swift and C, and the reader of shell scripts, for their verdict
	$(call install,$(LINT_PACKAGES))
	@clang-format --dry-run -Werror $(C_FILES)
	@shellcheck $(SCRIPTS)

.PHONY: format
format: ## Format every file of Swift and C in place
	$(call install,$(LINT_PACKAGES))
	@$(SWIFT) format --in-place --parallel --recursive Package.swift Plugins Sources Tests Datasets Benchmarks
	@clang-format -i $(C_FILES)

.PHONY: golden
golden: build ## Draw the golden pictures anew; look at them before you commit
	@EMBLEM_GOLDEN=renew $(SWIFT) test -c release --filter GoldenTests

.PHONY: bench-tools
bench-tools: build
	$(call install,$(RUN_PACKAGES) python3-venv)
	@for product in emblem-dataset emblem-floor emblem-kernels; do \
		$(SWIFT) build -c release --product $$product; done

.PHONY: bench
bench: bench-tools ## Measure every workload beside its floor, five rounds (RECORD=NAME keeps it)
	@python3 Benchmarks/bench.py $(if $(RECORD),--record $(RECORD))

.PHONY: bench-quick
bench-quick: bench-tools ## The same over fewer pictures, two rounds
	@python3 Benchmarks/bench.py --quick $(if $(RECORD),--record $(RECORD))

.PHONY: bench-peers
bench-peers: bench-tools ## Compare with ten other tools over files and addresses, five rounds
	$(call install,$(PEER_PACKAGES))
	@python3 Benchmarks/compare.py $(if $(RECORD),--record $(RECORD))

.PHONY: bench-gate
bench-gate: build ## Count instructions, heap, calls, switches of an item; each under its limit
	$(call install,$(GATE_PACKAGES))
	@$(SWIFT) build -c release --product emblem-counts
	@python3 Benchmarks/gate.py

.PHONY: bench-cores
bench-cores: bench-tools ## Two cores against one, in pairs, beside two runs that share nothing
	@python3 Benchmarks/cores.py $(if $(RECORD),--record $(RECORD))

.PHONY: bench-serial
bench-serial: bench-tools ## Count what is done one at a time, and say at how many cores it binds
	$(call install,$(PROFILE_PACKAGES))
	@python3 Benchmarks/serial.py $(if $(RECORD),--record $(RECORD))

.PHONY: bench-profile
bench-profile: bench-tools ## The costs of an item by function, as a table and a flame graph
	$(call install,$(PROFILE_PACKAGES))
	@$(SWIFT) build -c release --product emblem-counts
	@python3 Benchmarks/costs.py $(if $(RECORD),--record $(RECORD))

# What stands of the same day and commit is not measured again.
STAMP = $$(git rev-parse HEAD) $$(date +%F)
.PHONY: bench-all
bench-all: bench-gate ## All of these with records, on a quiet machine; what was ended goes on (25 minutes)
	@mkdir -p .build/bench; for step in floor:bench cores:bench-cores serial:bench-serial \
		profile:bench-profile peers:bench-peers; do \
		kept=.build/bench/$${step%%:*}.all; \
		[ "$$(cat $$kept 2>/dev/null)" != "$(STAMP)" ] || continue; \
		$(MAKE) --no-print-directory $${step#*:} RECORD=$${step%%:*}; echo "$(STAMP)" > $$kept; \
	done

.PHONY: bench-many
bench-many: bench-tools ## Run 100,000 distinct pictures of up to 4 MP; rate and memory
	@python3 Benchmarks/many.py $(if $(RECORD),--record $(RECORD))

.PHONY: bench-long
bench-long: bench-tools ## Run 20,000 addresses of a server on this machine; rate, CPU, memory
	@python3 Benchmarks/long-list.py $(if $(RECORD),--record $(RECORD))

.PHONY: proof-kill
proof-kill: build ## Kill a run of 1,000 pictures 200 times, stop 50 workers (EMBLEM_SEED=N repeats)
	@$(SWIFT) build -c release --product emblem-dataset
	@$(DATASET) --preset many --count 1000 -o $(GENERATED)/kill
	@Benchmarks/Proof/kill-and-resume.py $(EMBLEM) $(GENERATED)/kill $(GENERATED)/kill-out

.PHONY: proof-power
proof-power: build ## Take the power away from 500 runs at random moments (EMBLEM_SEED=N repeats)
	@$(SWIFT) build -c release --product emblem-dataset
	@$(DATASET) --preset many --count 100 -o $(GENERATED)/power
	@Benchmarks/Proof/power-loss.py $(EMBLEM) $(GENERATED)/power $(GENERATED)/power-scratch --rounds 500

.PHONY: proof-nights
proof-nights: build ## Run 20,000 URLs for 30 nights while servers, list, disk and process fail
	@Benchmarks/Proof/nights.py $(EMBLEM) $(GENERATED)/nights

.PHONY: mutants
mutants: setup-tests ## Take each protection away; a named test must fail (ONLY="12 65" for some)
	@SWIFT=$(SWIFT) Tests/Mutants/run.py $(ONLY)

.PHONY: proof
proof: mutants proof-kill proof-power proof-nights ## Everything that takes too long for make test

.PHONY: doctor
doctor: ## Print the versions of toolchain and libraries
	@$(SWIFT) --version 2>&1 | head -n 1
	@for library in libjpeg libpng libwebp libdeflate zlib libcurl librsvg-2.0 pangocairo lcms2 libheif libjxl glib-2.0; do \
		printf '%-14s %s\n' $$library "$$(pkg-config --modversion $$library 2>/dev/null || echo 'missing: make setup')"; done
	@[ ! -x $(EMBLEM) ] || $(EMBLEM) formats

.PHONY: install
install: build install-files ## Install the tool, its man page and completions under PREFIX (/usr/local)
	@echo "Installed $(DESTDIR)$(PREFIX)/bin/emblem"

.PHONY: install-files
install-files: ## Only copy what was built, as with sudo, which finds no Swift
	@install -D -m 755 $(EMBLEM) $(DESTDIR)$(PREFIX)/bin/emblem
	@install -d $(DESTDIR)$(PREFIX)/share/man/man1 \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions \
		$(DESTDIR)$(ZSH_FUNCTIONS) $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	@$(EMBLEM) man > $(DESTDIR)$(PREFIX)/share/man/man1/emblem.1
	@$(EMBLEM) completions bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/emblem
	@$(EMBLEM) completions zsh > $(DESTDIR)$(ZSH_FUNCTIONS)/_emblem
	@$(EMBLEM) completions fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/emblem.fish
	@install -m 644 -D -t $(DESTDIR)$(PREFIX)/share/doc/emblem LICENSE NOTICE CHANGELOG.md

.PHONY: plain
plain: setup
	$(call install,$(PACKAGING_PACKAGES))
	@Packaging/build.sh > /dev/null

# The digests of whatever stands there by now.
define sums
	@cd $(RELEASE_SET) && sha256sum $$(ls | grep -v SHA256SUMS) > SHA256SUMS
endef

.PHONY: deb
deb: plain ## Make a Debian package in .build/release-set
	@Packaging/deb.sh $(PLAIN) $(RELEASE_SET)
	$(sums)

.PHONY: dist
dist: plain ## Make an archive that runs wherever it is unpacked, libraries and fonts inside
	@Packaging/dist.sh $(PLAIN) $(RELEASE_SET)
	$(sums)

.PHONY: sbom
sbom: plain ## List the libraries that the tool is made of, needs and opens (SPDX)
	@mkdir -p $(RELEASE_SET)
	@Packaging/sbom.py $(PLAIN) > $(RELEASE_SET)/emblem.spdx.json
	@echo $(RELEASE_SET)/emblem.spdx.json
	$(sums)

.PHONY: reproducible
reproducible: setup ## Build in two folders; the same bytes must come out
	$(call install,$(PACKAGING_PACKAGES))
	@Packaging/reproducible.sh $(RELEASE_SET)

.PHONY: test-install
test-install: deb dist ## From nothing to an emblem on a bare Debian, by every door (DOORS="deb dist")
	$(call install,$(INSTALL_PACKAGES))
	@$(SUDO) env PATH="$$PATH" SWIFT=$(SWIFT) Tests/Install/run.sh $(RELEASE_SET) $(DOORS)

.PHONY: test-arm64
test-arm64: setup ## Compile the C for 64-bit ARM and run its encoder there, under qemu
	$(call install,$(ARM_PACKAGES))
	@Tests/Install/arm64.sh

.PHONY: clean
clean: ## Remove what was built and generated
	@rm -rf .build $(GENERATED) $(OUT)
