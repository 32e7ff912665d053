import { shared } from './jest.config.mjs';

/** Suites against a real node with real Pods. See docs/testing-against-kubernetes.md. */
export default {
  ...shared,
  testMatch: ['<rootDir>/test/cluster/node/**/*.node.test.ts'],
  globalSetup: '<rootDir>/test/cluster/node/harness/global-setup.mjs',
  globalTeardown: '<rootDir>/test/cluster/node/harness/global-teardown.mjs',
  // Each worker has a node of its own (see shared-node.ts). They wait for probes more than they work, so two cores carry two.
  maxWorkers: 2,
  // Pods start within seconds on a free machine; this one has two cores, and the cluster runs on them too.
  testTimeout: 120_000,
};
