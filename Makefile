# SPDX-License-Identifier: Apache-2.0
# The commands of everyday work; CMake does the building. `make help` lists them.

PREFIX       ?= /usr/local
SOAK_SECONDS ?= 600

# What `make run` shows: a humanoid that nobody holds, cubes in its way, and a ball from behind.
RUN = build/sinew sim hrp2 --floor --object pyramid:3@0.72,0 \
      sphere:0.12@-1.2,0.05,1.1:mass=6,roll=0.02,v=5/0/1.2 \
      --until-rest --film build/run.svg --plot build/plot.svg

CONFIGURE = cmake --preset release > /dev/null
BUILD     = cmake --build --preset release

.DEFAULT_GOAL := build
.PHONY: build test run bench bench-check peers soak fuzz format check install clean help

build: ## build everything; the program is build/sinew
	@tools/setup.sh build
	@$(CONFIGURE)
	@$(BUILD)

test: ## build, and run all tests but the hour-long ones
	@tools/setup.sh test
	@$(CONFIGURE)
	@$(BUILD)
	ctest --preset release -LE soak

run: ## build the program, and watch a humanoid fall: build/run.svg in a browser
	@tools/setup.sh build
	@$(CONFIGURE)
	@$(BUILD) --target sinew_app
	$(RUN)

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

soak: ## the slow tests, then SOAK_SECONDS (600) of fuzzing
	@tools/setup.sh check
	@$(CONFIGURE)
	@$(BUILD)
	ctest --preset release -L slow --no-tests=ignore
	tools/fuzz.sh $(SOAK_SECONDS)

fuzz: ## one minute of fuzzing
	@tools/setup.sh check
	tools/fuzz.sh 60

format: ## format all C and C++ files in place
	@tools/setup.sh check
	tools/format.sh

check: ## format, layers, references, headers, Python types: what can be seen without running
	@tools/setup.sh check
	tools/format.sh --check
	tools/check_layers.py
	tools/check_references.py
	tools/check_headers.sh
	tools/check_python.sh

install: ## install under PREFIX (/usr/local), staged into DESTDIR if given
	@tools/setup.sh build
	@$(CONFIGURE) -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	@$(BUILD)
	DESTDIR=$(DESTDIR) cmake --install build

clean: ## remove everything that was built
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 12
