import { shared } from './jest.config.mjs';

/** The packed package in other people's projects: needs `lib/`, installs packages, starts compilers. One worker: the tests share what is built and installed. */
export default {
  ...shared,
  testMatch: ['<rootDir>/test/npm-package/**/*.test.ts'],
  globalSetup: '<rootDir>/test/npm-package/global-setup.mjs',
  globalTeardown: '<rootDir>/test/npm-package/global-teardown.mjs',
  maxWorkers: 1,
};
