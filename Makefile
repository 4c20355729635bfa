# SPDX-License-Identifier: GPL-2.0
#
# The front door. Every target is one script of scripts/, which also works alone.

BASE     ?= v6.1
TOPOLOGY ?= numa-4x4
SEEDS    ?= 1 2 3
DRIVERS  ?=
FROM     ?= 0
STEP     ?= all
KSRC     ?=
KDIR     ?= /lib/modules/$(shell uname -r)/build
BUILD    ?= $(CURDIR)/build
JOBS     ?= $(shell nproc)
export BASE TOPOLOGY SEEDS DRIVERS FROM STEP KSRC BUILD JOBS

help:
	@echo 'cfslb: a patch series for the CFS load balancer, and the lab that tests it'
	@echo
	@echo 'See it'
	@echo '  demo          base against patched kernel on an emulated box: table, page, picture'
	@echo '  shell         an interactive guest with the patched kernel and the drivers'
	@echo 'Test it'
	@echo '  check         everything: set-up, units, lab, topologies, drivers before and after'
	@echo '  check-quick   the part without kernel builds, under two minutes'
	@echo '  check-series  every prefix of the series: applies, compiles, boots, what each patch changes'
	@echo '  check-long    what takes hours: more seeds, big boxes'
	@echo '  workloads     hackbench, cyclictest, stress-ng, dbench, sysbench on the patched kernel'
	@echo '  tables        the two tables of the first reports, with and without the series'
	@echo '  check-docs    the columns of the module and Documentation/counters.md agree'
	@echo '  bench         measures the lab: build, boot, host seconds a guest second'
	@echo '  bench-balance guest instructions of a load_balance pass, kernels side by side'
	@echo '  bench-module  guest instructions that the counters cost, beside bpftrace and perf sched record'
	@echo 'Build it'
	@echo '  deps          install the Debian packages that are missing'
	@echo '  kernel        the test kernel of BASE with STEP patches'
	@echo '  selftests     the drivers, for this machine'
	@echo '  tools         the report tools'
	@echo '  module        the counters: cfslb.ko for the kernel in KDIR'
	@echo '  clean         remove build/ (downloads stay in the cache folder)'
	@echo
	@echo 'Variables, with their values now'
	@echo '  BASE=$(BASE)  which base: $(notdir $(patsubst %/,%,$(wildcard patches/*/)))'
	@echo '  TOPOLOGY=$(TOPOLOGY)  which box: $(basename $(notdir $(wildcard scripts/topologies/*.conf))), or a file'
	@echo '  SEEDS="$(SEEDS)"  replay seeds, one guest each'
	@echo '  DRIVERS="$(DRIVERS)"  which drivers; empty: the core ones; all: every one'
	@echo '  FROM=$(FROM) STEP=$(STEP)  prefixes of the series that are compared'
	@echo '  KSRC=$(KSRC)  a kernel tree of your own instead of the one fetched'
	@echo '  KDIR=$(KDIR)  a prepared kernel tree or headers'
	@echo '  BUILD=$(BUILD)  where outputs go'
	@echo '  JOBS=$(JOBS)  compilers and guests at a time'
	@echo
	@echo 'Examples'
	@echo '  make demo TOPOLOGY=smt-2x2x2 DRIVERS=local_group_imbalance'
	@echo '  make shell TOPOLOGY=numa-8x8'

demo:
	@scripts/demo.sh

shell:
	@scripts/shell.sh

check check-quick check-series check-long:
	@scripts/check/$@.sh

workloads:
	@scripts/workloads.sh

tables:
	@scripts/seed-tables.sh

bench:
	@scripts/bench-lab.sh

bench-balance:
	@scripts/bench-balance.sh

bench-module:
	@scripts/bench-module.sh

deps:
	@scripts/install-deps.sh

kernel:
	@scripts/build-kernel.sh $(BASE) $(STEP)

selftests:
	@$(MAKE) -C selftests OUTPUT=$(BUILD)/selftests/$(shell uname -m)

tools:
	@scripts/build-tools.sh

module:
	@scripts/build-module.sh $(KDIR)

check-docs:
	@$(MAKE) -s -C kernel-module check-docs

clean:
	rm -rf $(BUILD)

.PHONY: help demo shell check check-quick check-series check-long workloads tables bench bench-balance bench-module deps kernel selftests tools module check-docs clean
