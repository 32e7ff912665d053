import { selectionOf, suiteNamed } from '../../../scripts/ci/suites.js';
import { testsOfCore } from '../../../scripts/ci/tests-of-core.js';

const tests = testsOfCore();

test.each([
  ['a rule that overrides a field of the parser of HTTP', 'test/kubernetes/listening/pipelined.test.ts'],
  ['a server, and what stands on it', 'test/runtime/operator-parts/endpoint-server.test.ts'],
  ['processes', 'test/api-server/workloads/processes/pods.test.ts'],
  ['a test that uses a module of Node although its code does not', 'test/kubernetes/certificates/tls-afterwards.test.ts'],
  ['whole operators', 'test/examples/memcached.test.ts'],
])('another line of Node is tried with %s', (_what, file) => {
  expect(tests).toContain(file);
});

test.each(['test/kubernetes/cel/', 'test/kubernetes/structural/', 'test/keelson/schema/', 'test/lint/', 'test/docs/'])(
  'nothing of %s, which computes or is of the tree',
  (folder) => {
    expect(tests.filter((file) => file.startsWith(folder))).toEqual([]);
  },
);

test('no file that the configuration ignores is selected by its path', () => {
  const suite = suiteNamed('core-on-node-24');
  const ignored = ['<rootDir>/test/kubernetes/listening/', 'memcached\\.test\\.ts$'];
  const selected = selectionOf(suite, ignored);
  expect(selected[0]).toBe('--runTestsByPath');
  expect(selected.filter((file) => file.startsWith('test/kubernetes/listening/') || file.endsWith('/memcached.test.ts'))).toEqual([]);
  expect(selected).toContain('test/runtime/operator-parts/endpoint-server.test.ts');
});

test('the unit tests of another line are all of them, also those that a suite of the machine takes out', () => {
  expect(selectionOf(suiteNamed('unit-on-node-26'), [])).toEqual([]);
  expect(selectionOf(suiteNamed('unit'), []).length).toBeGreaterThan(0);
});
