import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FlakyFile } from '../../../scripts/ci/test-results.js';

interface Counts {
  readonly passed?: number;
  readonly failed?: number;
  readonly skipped?: number;
  readonly broken?: number;
  /** Besides the counts, as jest writes what failed. */
  readonly failures?: readonly object[];
  /** Why the suite did not run. */
  readonly notRun?: string;
  /** The commit that was tested, if another. */
  readonly commit?: string;
  readonly flaky?: readonly FlakyFile[];
}

const NOTHING_WRONG = {
  unit: { passed: 10, skipped: 2 },
  'unit-server': { passed: 20 },
  'core-on-node-24': { passed: 8 },
  'npm-package': { passed: 3 },
  cluster: { passed: 5 },
  'cluster-server': { passed: 30 },
  node: { passed: 1 },
};

/** Runs the script as .ci/run does, over results as jest writes them. */
function sum(
  suites: Readonly<Record<string, Counts | undefined>>,
  ...failedStages: string[]
): { readonly status: number | null; readonly lines: string[]; readonly flaky: string } {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-results-'));
  for (const [name, counts] of Object.entries(suites)) {
    if (counts === undefined) continue;
    const { passed = 0, failed = 0, skipped = 0, broken = 0, failures = [], notRun, commit, flaky } = counts;
    const result = {
      numPassedTests: passed,
      numFailedTests: failed,
      numPendingTests: skipped,
      numTodoTests: 0,
      numRuntimeErrorTestSuites: broken,
      commit,
      flaky,
      skipped: notRun,
      testResults: [
        ...(passed === 0 ? [] : [{ name: join(process.cwd(), `test/${name}.test.ts`), startTime: 0, endTime: passed * 1_000 }]),
        ...failures,
      ],
    };
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(result));
  }
  const { status, stdout } = spawnSync(process.execPath, ['scripts/ci/sum-results.mjs', folder, ...failedStages], { encoding: 'utf8' });
  const flaky = readFileSync(join(folder, 'flaky.json'), 'utf8');
  rmSync(folder, { recursive: true });
  return { status, lines: stdout.trimEnd().split('\n'), flaky };
}

test('the last line is the sum, and it stands there once', () => {
  const { status, lines } = sum(NOTHING_WRONG);
  expect(status).toBe(0);
  expect(lines.filter((line) => /^\d+ passed, \d+ failed, \d+ skipped$/.test(line))).toEqual([lines.at(-1)]);
  expect(lines.at(-1)).toBe('77 passed, 0 failed, 2 skipped');
});

test.each<[string, Readonly<Record<string, Counts | undefined>>, string[], string]>([
  ['a failed test', { ...NOTHING_WRONG, unit: { passed: 9, failed: 1 } }, [], '76 passed, 1 failed, 0 skipped'],
  ['a test file that cannot be loaded', { ...NOTHING_WRONG, unit: { passed: 9, broken: 1 } }, [], '76 passed, 1 failed, 0 skipped'],
  ['a skipped test of the real API server', { ...NOTHING_WRONG, cluster: { passed: 4, skipped: 1 } }, [], '76 passed, 1 failed, 3 skipped'],
  ['a skipped test of the real node', { ...NOTHING_WRONG, node: { passed: 1, skipped: 1 } }, [], '77 passed, 1 failed, 3 skipped'],
  ['a suite without results', { ...NOTHING_WRONG, cluster: undefined }, [], '72 passed, 1 failed, 2 skipped'],
  ['a suite in which nothing ran', { ...NOTHING_WRONG, 'npm-package': {} }, [], '74 passed, 1 failed, 2 skipped'],
  ['a stage that failed outside the tests', NOTHING_WRONG, ['make test'], '77 passed, 1 failed, 2 skipped'],
])('%s fails the run, also to one who reads the last line only', (_name, suites, failedStages, lastLine) => {
  const { status, lines } = sum(suites, ...failedStages);
  expect({ status, last: lines.at(-1) }).toEqual({ status: 1, last: lastLine });
});

test('a test that fails on another Node fails the run, and says on which', () => {
  const name = join(process.cwd(), 'test/unit.test.ts');
  const failures = [{ name, status: 'failed', assertionResults: [{ status: 'failed', fullName: 'adds up', failureMessages: ['no'] }] }];
  const { status, lines } = sum({ ...NOTHING_WRONG, 'core-on-node-24': { passed: 7, failed: 1, failures } });
  expect(lines.slice(-3)).toEqual(['  test/unit.test.ts, on Node 24: adds up', '      no', '76 passed, 1 failed, 2 skipped']);
  expect(status).toBe(1);
});

test('an older minor of Kubernetes counts where it ran, is named with what failed on it, and is missed nowhere', () => {
  const name = join(process.cwd(), 'test/cluster/client.cluster.test.ts');
  const failures = [{ name, status: 'failed', assertionResults: [{ status: 'failed', fullName: 'reads', failureMessages: ['no'] }] }];
  const { status, lines } = sum({ ...NOTHING_WRONG, 'on-kubernetes-1.36': { passed: 4, failed: 1, failures } });
  expect(lines.slice(-3)).toEqual([
    '  test/cluster/client.cluster.test.ts, on Kubernetes 1.36: reads',
    '      no',
    '81 passed, 1 failed, 2 skipped',
  ]);
  expect(status).toBe(1);
  const notBuilt = sum({ ...NOTHING_WRONG, 'on-kubernetes-1.36': { notRun: 'not built: no etcd in /cache' } });
  expect(notBuilt.lines).toContain('on-kubernetes-1.36: skipped: not built: no etcd in /cache');
  expect(notBuilt.lines.at(-1)).toBe('77 passed, 0 failed, 2 skipped');
});

test('a Node that cannot be had is said with the reason, and fails nothing', () => {
  const { status, lines } = sum({ ...NOTHING_WRONG, 'core-on-node-24': { notRun: 'no Node 24 is fetched for darwin arm64' } });
  expect(lines).toContain('core-on-node-24: skipped: no Node 24 is fetched for darwin arm64');
  expect({ status, last: lines.at(-1) }).toEqual({ status: 0, last: '69 passed, 0 failed, 2 skipped' });
});

test('the slowest test files are shown, the slowest first', () => {
  const { lines } = sum(NOTHING_WRONG);
  const at = lines.indexOf('the 7 slowest test files:');
  expect(lines.slice(at + 1, at + 4)).toEqual([
    '    30.0 s  test/cluster-server.test.ts',
    '    20.0 s  test/unit-server.test.ts',
    '    10.0 s  test/unit.test.ts',
  ]);
});

test('what failed is told again at the end: the file, the test, and the beginning of why', () => {
  const name = join(process.cwd(), 'test/unit.test.ts');
  const long = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n');
  const failures = [
    {
      name,
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'fine', failureMessages: [] },
        { status: 'failed', fullName: 'adds up', failureMessages: [`\u001b[31mError: 1 is not 2\u001b[39m\n\n${long}`] },
      ],
    },
    { name, status: 'failed', message: 'Cannot find module', assertionResults: [] },
  ];
  const { lines } = sum({ ...NOTHING_WRONG, unit: { passed: 9, failed: 1, broken: 1, failures } });
  const at = lines.indexOf('the failed tests:');
  expect(lines.slice(at + 1, at + 4)).toEqual(['  test/unit.test.ts: adds up', '      Error: 1 is not 2', '      line 0']);
  expect(lines.slice(-4)).toEqual(['      line 28', '  test/unit.test.ts', '      Cannot find module', '76 passed, 2 failed, 0 skipped']);
});

test('of many failures only the first are told', () => {
  const name = join(process.cwd(), 'test/unit.test.ts');
  const assertionResults = Array.from({ length: 30 }, (_, index) => ({
    status: 'failed',
    fullName: `test ${index}`,
    failureMessages: ['no'],
  }));
  const { lines } = sum({ ...NOTHING_WRONG, unit: { failed: 30, failures: [{ name, status: 'failed', assertionResults }] } });
  expect(lines.slice(-3)).toEqual(['      no', 'and 18 more', '67 passed, 30 failed, 0 skipped']);
});

test('the results of another commit are shown with it, and are no part of the sum', () => {
  const { status, lines } = sum({ ...NOTHING_WRONG, 'cluster-server': { passed: 30, skipped: 1, commit: '0123abcd' } });
  expect(lines).toContain('cluster-server: 30 passed, 0 failed, 1 skipped, as at 0123abcd');
  expect({ status, last: lines.at(-1) }).toEqual({ status: 0, last: '47 passed, 0 failed, 2 skipped' });
});

/** Flaky files of one suite. */
const flakyFiles = (count: number): FlakyFile[] =>
  Array.from({ length: count }, (_, index) => ({
    file: join(process.cwd(), `test/late-${index}.test.ts`),
    message: `is late: Error: run 1`,
  }));

test('flaky files are listed with their first message, and written down', () => {
  const { status, lines, flaky } = sum({ ...NOTHING_WRONG, unit: { passed: 10, skipped: 2, flaky: flakyFiles(1) } });
  const at = lines.indexOf('flaky, which passed when they ran again, alone:');
  expect(lines.slice(at + 1)).toEqual(['  test/late-0.test.ts', '      is late: Error: run 1', '77 passed, 0 failed, 2 skipped']);
  expect(JSON.parse(flaky)).toEqual([{ suite: 'unit', file: 'test/late-0.test.ts', message: 'is late: Error: run 1' }]);
  expect(status).toBe(0);
});

test('more than five flaky files in all suites together fail the run', () => {
  const suites = { unit: { passed: 10, flaky: flakyFiles(3) }, cluster: { passed: 5, flaky: flakyFiles(3) } };
  const { status, lines } = sum({ ...NOTHING_WRONG, ...suites });
  expect(lines).toContain('6 flaky files: more than 5 fail a run');
  expect({ status, last: lines.at(-1) }).toEqual({ status: 1, last: '77 passed, 1 failed, 0 skipped' });
});
