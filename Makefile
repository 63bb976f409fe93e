# SPDX-License-Identifier: Apache-2.0
# The commands of everyday work; CMake does the building. `make help` lists them.

PREFIX       ?= /usr/local
SOAK_SECONDS ?= 600

CONFIGURE = cmake --preset release > /dev/null
BUILD     = cmake --build --preset release

.DEFAULT_GOAL := build
.PHONY: build test run bench bench-check peers soak fuzz format check install clean help

build: ## build everything; the program is build/sinew
	@tools/setup.sh build
	@tools/page.sh
	@$(CONFIGURE)
	@$(BUILD)

test: ## build, and run all tests but the hour-long ones
	@tools/setup.sh test
	@tools/page.sh
	@$(CONFIGURE)
	@$(BUILD)
	ctest --preset release -LE soak

run: ## build the program, and open a humanoid in the browser: pull it; Ctrl-C ends
	@tools/setup.sh build
	@tools/page.sh
	@$(CONFIGURE)
	@$(BUILD) --target sinew_app
	build/sinew run

bench: build ## measure the speed of the dynamics
	build/sinew bench dynamics

bench-check: ## count instructions of the core kernels, compare with bench/baseline.json
	@tools/setup.sh check
	@$(CONFIGURE)
	@$(BUILD)
	tools/bench_check.py

peers: ## install other engines, and build the helpers that time them beside us
	@tools/setup.sh peers
	@$(CONFIGURE) -DSN_PEERS=ON
	@$(BUILD)

soak: ## the slow tests, numbers by clang, then SOAK_SECONDS (600) of fuzzing
	@tools/setup.sh check
	@$(CONFIGURE)
	@$(BUILD)
	SINEW_STABILITY_REPORT=$(CURDIR)/build/stability.html ctest --preset release -L slow --no-tests=ignore
	@echo "soak: build/stability.html shows every device, hand and interaction"
	cmake --preset clang > /dev/null && cmake --build --preset clang
	ctest --preset clang -LE slow -R '^test_(math|model|dynamics|collision|contact|sim|haptics|molecule|control)_'
	tools/fuzz.sh $(SOAK_SECONDS)

fuzz: ## one minute of fuzzing
	@tools/setup.sh check
	tools/fuzz.sh 60

format: ## format all C and C++ files in place
	@tools/setup.sh check
	tools/format.sh

check: ## format, layers, references, headers, clang, Python types: what can be seen without running
	@tools/setup.sh check
	tools/format.sh --check
	tools/check_layers.py
	tools/check_references.py
	tools/check_headers.sh
	tools/check_clang.sh
	tools/check_python.sh

install: ## install under PREFIX (/usr/local), staged into DESTDIR if given
	@tools/setup.sh build
	@tools/page.sh
	@$(CONFIGURE) -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	@$(BUILD)
	DESTDIR=$(DESTDIR) cmake --install build

clean: ## remove everything that was built
	rm -rf build web/dist

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 12
