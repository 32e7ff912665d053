import { shared } from './jest.config.mjs';

/** Suites against a real API server. See docs/testing-against-kubernetes.md. */
export default {
  ...shared,
  testMatch: ['<rootDir>/test/cluster/**/*.cluster.test.ts'],
  globalSetup: '<rootDir>/test/cluster/harness/global-setup.mjs',
  globalTeardown: '<rootDir>/test/cluster/harness/global-teardown.mjs',
  // Each worker has a cluster of its own (see shared-cluster.ts). With two of them two cores were idle for a quarter of the time: suites wait for other processes.
  maxWorkers: 3,
  // A process that has run dozens of suites runs the next ones half as fast.
  workerIdleMemoryLimit: '500MB',
};
