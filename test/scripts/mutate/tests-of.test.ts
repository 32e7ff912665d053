import { testsOf } from '../../../scripts/mutate/tests-of.js';

test('tests stand in the mirrored folder', () => {
  expect(testsOf('src/runtime/queue')).toEqual({ root: 'test/runtime/queue', match: ['test/runtime/queue/**/*.test.ts'] });
});

test('and beside it, under its name', () => {
  const { root, match } = testsOf('src/api-server/workloads/endpoints');
  expect(root).toBe('test/api-server/workloads');
  expect(match).toContain('test/api-server/workloads/endpoints.test.ts');
});

test('a folder without tests is refused', () => {
  expect(() => testsOf('src/nowhere')).toThrow(
    'src/nowhere has no tests of its own: neither test/nowhere/ nor test/nowhere.test.ts is there',
  );
});
