/** Tests run the sources, under the public names that users import. Suites that need a real API server live in test/cluster and have a config of their own. */
export const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: [],
  transform: {
    '^.+\\.[cm]?tsx?$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } }],
  },
  moduleNameMapper: {
    '^keelson$': '<rootDir>/src/index.ts',
    '^keelson/kinds$': '<rootDir>/src/kinds/index.ts',
    '^keelson/kinds/(.*)$': '<rootDir>/imports/kinds/$1.ts',
    '^keelson/constructs$': '<rootDir>/src/constructs/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/lib/', '<rootDir>/dist/'],
};

export default {
  ...shared,
  testMatch: ['<rootDir>/test/**/*.test.ts', '<rootDir>/examples/**/*.test.ts'],
  testPathIgnorePatterns: ['<rootDir>/test/cluster/', '/node_modules/'],
};
