export type TestRunner = 'vitest' | 'jest';

/** Where tests import `test` and `expect` from. */
export const TEST_MODULES: Readonly<Record<TestRunner, string>> = { vitest: 'vitest', jest: '@jest/globals' };
