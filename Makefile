# Every target works from a fresh clone: what is missing is installed first, into the tree.

NPM := npm
INSTALLED := node_modules/.keelson-installed
# Passed on to jest, for example JEST_FLAGS="-t admission".
JEST_FLAGS ?=
# Runs suites of scripts/ci/suites.json, a failed test file a second time alone, and writes .results/<suite>.json.
SUITES := $(NPM) run --silent suite --
# Suites of other lines of Node.
NODE_LINES := unit-on-node-22 unit-on-node-24 unit-on-node-26
# The minors that are older than the pinned release of scripts/cluster/binaries.ts.
MINORS := on-kubernetes-1.36 on-kubernetes-1.35 on-kubernetes-1.34

.PHONY: help demo test package-test test-all check build unit core-on-node-24 matrix $(NODE_LINES) $(MINORS) build-minors npm-package api real-servers cluster-test node-test cluster soak explore bench clean

help:
	@echo 'make demo          synthesize the example operator into dist/, then show it and that of etcd at work'
	@echo 'make test          check, build and run the tests'
	@echo 'make test-all      run the tests and the suites on real servers, also those that nothing has changed for'
	@echo 'make matrix        run the unit tests on all lines of Node, and the operators on all minors of Kubernetes, that are supported (builds or fetches each once)'
	@echo 'make package-test  install the npm package in other projects and run them; compare the public API with its reports'
	@echo 'make cluster-test  run the suite against a real API server (needs Go)'
	@echo 'make node-test     run the suites against a real node with real Pods (needs root, Debian and Go)'
	@echo 'make cluster       start such a node, print its kubeconfig, and end it on Ctrl-C; with the images of examples: EXAMPLES="memcached etcd"'
	@echo 'make explore       try 4,000 seeds of faults against three operators, twice, 2,000 against each example, and 10,000 against each twin of a planted mistake (hours)'
	@echo 'make soak          disturb clusters of real etcd members for ten minutes under load, of processes and of Pods of a node (needs Go; KEELSON_SOAK_SECONDS, KEELSON_SOAK_SEED)'
	@echo 'make bench         measure'
	@echo 'make clean         remove what was made, node_modules included'

demo: $(INSTALLED)
	@$(NPM) run --silent demo

test: check build unit

# Installs the package in projects of users, from the registry's packages.
package-test: npm-package api

test-all: export KEELSON_ALL_SUITES = 1
test-all: test core-on-node-24 package-test cluster-test node-test

check: $(INSTALLED)
	$(NPM) run --silent check

build: $(INSTALLED)
	$(NPM) run --silent build

unit: $(INSTALLED)
	$(SUITES) unit unit-server $(JEST_FLAGS)

# What of the unit tests depends on the line of Node, on the Node of images.
core-on-node-24: $(INSTALLED)
	$(SUITES) $@ $(JEST_FLAGS)

# One target for each line, so that `make --keep-going matrix` runs all of them.
matrix: $(NODE_LINES) build-minors $(MINORS)

$(NODE_LINES): $(INSTALLED)
	$(SUITES) $@ $(JEST_FLAGS)

# The runtime and a life of each example, on an older control plane. A suite whose control plane is not built says that it is skipped.
$(MINORS): $(INSTALLED)
	$(NPM) run --silent prepare:cluster
	$(SUITES) $@ $(JEST_FLAGS)

# Six minutes for each minor, once.
build-minors: $(INSTALLED)
	@for minor in $(MINORS:on-kubernetes-%=%); do KEELSON_KUBERNETES=$$minor npx tsx scripts/cluster/build-binaries.ts --if-possible || exit; done

npm-package: build
	$(SUITES) npm-package $(JEST_FLAGS)

api: build
	$(NPM) run --silent check:api

# What the suites on real servers need: built or installed once, outside the tree.
real-servers: $(INSTALLED)
	$(NPM) run --silent real-servers

cluster-test: $(INSTALLED)
	$(NPM) run --silent prepare:cluster
	$(SUITES) cluster cluster-server $(JEST_FLAGS)

node-test: $(INSTALLED)
	$(NPM) run --silent prepare:node
	$(SUITES) node $(JEST_FLAGS)

cluster: $(INSTALLED)
	@$(NPM) run --silent cluster:prepare
	@exec node --import tsx scripts/cluster/node/main.ts $(EXAMPLES)

# Seeds that no run has tried before: from the time of day on, unless FROM says otherwise.
FROM ?= $(shell date +%s)
explore: $(INSTALLED)
	KEELSON_EXPLORE_SEEDS=4000 KEELSON_EXPLORE_FROM=$(FROM) $(NPM) run --silent test -- test/runtime/exploration $(JEST_FLAGS)
	KEELSON_EXPLORE_SEEDS=2000 KEELSON_EXPLORE_FROM=$(FROM) $(NPM) run --silent test -- 'examples/.*exploration' $(JEST_FLAGS)
	KEELSON_EXPLORE_SEEDS=10000 KEELSON_EXPLORE_FROM=$(FROM) $(NPM) run --silent test -- test/testing/explore $(JEST_FLAGS)

soak: export KEELSON_SOAK_SECONDS ?= 600
soak: $(INSTALLED)
	$(NPM) run --silent test:cluster -- test/cluster/examples-etcd-soak $(JEST_FLAGS)
	$(NPM) run --silent test:node -- test/cluster/node/etcd $(JEST_FLAGS)

bench: build
	$(NPM) run --silent bench

clean:
	rm -rf lib src/*/lib dist coverage .results .turbo node_modules

# npm ci removes node_modules first, so the stamp stands for exactly this lock file.
$(INSTALLED): package-lock.json package.json
	$(NPM) ci --no-fund --no-audit
	@touch $@
