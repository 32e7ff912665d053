import { shared } from './jest.config.mjs';

// A kubelet waits by itself for minutes before it starts a container again, and two cores carry a node for each worker.
process.env.KEELSON_TEST_PATIENCE = `${2 * (process.env.KEELSON_TEST_PATIENCE || 1)}`;

/** Suites against a real node with real Pods. See docs/testing-against-kubernetes.md. */
export default {
  ...shared,
  testMatch: ['<rootDir>/test/cluster/node/**/*.node.test.ts'],
  globalSetup: '<rootDir>/test/cluster/node/harness/global-setup.mjs',
  globalTeardown: '<rootDir>/test/cluster/node/harness/global-teardown.mjs',
  // Each worker has a node of its own (see shared-node.ts). They wait for probes more than they work, so two cores carry two.
  maxWorkers: 2,
};
