import { shared } from './jest.config.mjs';

/** The packed package in other people's projects: needs `lib/`, installs packages, starts compilers. The test files share what is built and installed, and write to folders of their own. */
export default {
  ...shared,
  testMatch: ['<rootDir>/test/npm-package/**/*.test.ts'],
  globalSetup: '<rootDir>/test/npm-package/global-setup.mjs',
  globalTeardown: '<rootDir>/test/npm-package/global-teardown.mjs',
  maxWorkers: 2,
};
