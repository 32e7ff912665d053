import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { complaintsAbout, runSuite } from '../../../scripts/ci/suite-run.js';
import { counted, type JudgedResults, type TestFile } from '../../../scripts/ci/test-results.js';

/** The scratch suite: files that fail by chance, as far as their run is concerned. */
let folder: string;
let isGreen: boolean;
let results: JudgedResults;
let said: string;

const STARTS = {
  'a process': "require('node:child_process').spawnSync('true');",
  'a thread': "new (require('node:worker_threads').Worker)('', { eval: true });",
  'a server': "require('node:net').createServer().listen(0, '127.0.0.1').unref();",
  nothing: '',
};

/** A test that fails in its first run, or in its first two, and starts something. */
function plant(name: string, starts: keyof typeof STARTS, failures: number): void {
  const runs = JSON.stringify(join(folder, 'runs', name));
  writeFileSync(
    join(folder, `${name}.test.js`),
    `const { appendFileSync, readFileSync } = require('node:fs');
     test('is late', () => {
       ${STARTS[starts]}
       appendFileSync(${runs}, '.');
       const run = readFileSync(${runs}, 'utf8').length;
       if (run <= ${failures}) throw new Error('late in run ' + run);
     });
     test('passes', () => undefined);`,
  );
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keelson-suite-'));
  mkdirSync(join(folder, 'runs'));
  writeFileSync(join(folder, 'jest.config.mjs'), "export default { testEnvironment: 'node' };");
  plant('sound', 'a process', 0);
  plant('late-process', 'a process', 1);
  plant('late-thread', 'a thread', 1);
  plant('late-server', 'a server', 1);
  plant('pure', 'nothing', 1);
  plant('broken', 'a process', 2);
  writeFileSync(join(folder, 'unloadable.test.js'), "require('./absent');");
  const file = join(folder, '.results', 'scratch.json');
  const errors = jest.spyOn(console, 'error').mockReturnValue(undefined);
  isGreen = await runSuite({ name: 'scratch', config: join(folder, 'jest.config.mjs') }, { flags: [], file, output: 'ignore' });
  said = errors.mock.calls.map(([line]) => String(line)).join('\n');
  errors.mockRestore();
  results = JSON.parse(readFileSync(file, 'utf8')) as JudgedResults;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const runsOf = (name: string): number => readFileSync(join(folder, 'runs', name), 'utf8').length;
const fileOf = (name: string): TestFile | undefined => results.testResults.find((file) => basename(file.name) === `${name}.test.js`);
const messagesOf = (name: string): string =>
  fileOf(name)
    ?.assertionResults.flatMap(({ failureMessages }) => failureMessages)
    .join('\n') ?? '';
const noResults: JudgedResults = { ...counted([]), commit: '', flaky: [] };

test('the Node of a suite runs its files, also again, and what they start by the name of node', async () => {
  const place = join(folder, 'node-of-a-suite');
  mkdirSync(place);
  const node = join(place, 'node');
  writeFileSync(node, `#!/bin/sh\necho "$@" >> ${join(place, 'started')}\nexec ${process.execPath} "$@"\n`, { mode: 0o755 });
  writeFileSync(join(place, 'jest.config.mjs'), "export default { testEnvironment: 'node' };");
  writeFileSync(
    join(place, 'starts.test.js'),
    "test('fails', () => { require('node:child_process').execFileSync('node', ['--version', 'by-name']); throw new Error('no'); });",
  );
  const errors = jest.spyOn(console, 'error').mockReturnValue(undefined);
  await runSuite(
    { name: 'other', config: join(place, 'jest.config.mjs') },
    { flags: ['--maxWorkers=1'], file: join(place, 'other.json'), output: 'ignore', node },
  );
  errors.mockRestore();
  const started = readFileSync(join(place, 'started'), 'utf8').trim().split('\n');
  expect(started.filter((line) => line.includes('jest.js'))).toHaveLength(2);
  expect(started.filter((line) => line === '--version by-name')).toHaveLength(2);
});

test('a file that passes runs once', () => {
  expect({ runs: runsOf('sound'), status: fileOf('sound')?.status }).toEqual({ runs: 1, status: 'passed' });
});

test.each(['late-process', 'late-thread', 'late-server'])(
  '%s failed once: it counts as passed, and is listed with its first message',
  (name) => {
    expect({ runs: runsOf(name), status: fileOf(name)?.status }).toEqual({ runs: 2, status: 'passed' });
    const flaky = results.flaky.find(({ file }) => basename(file) === `${name}.test.js`);
    expect(flaky?.message).toMatch(/^is late: Error: late in run 1/);
    expect(said).toContain(`${name}.test.js: is late: Error: late in run 1`);
  },
);

test('a file that failed once and starts nothing is red, and the message says why', () => {
  expect({ runs: runsOf('pure'), status: fileOf('pure')?.status }).toEqual({ runs: 2, status: 'failed' });
  expect(messagesOf('pure')).toContain('late in run 1');
  expect(messagesOf('pure')).toContain('pure code may not be flaky');
});

test('a file that fails twice is red, with both messages', () => {
  expect({ runs: runsOf('broken'), status: fileOf('broken')?.status }).toEqual({ runs: 2, status: 'failed' });
  expect(messagesOf('broken')).toMatch(/late in run 1[\s\S]*run again, alone: [\s\S]*late in run 2/);
});

test('the suite is red, and says of which files', () => {
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = results;
  expect({ isGreen, numPassedTests, numFailedTests, numRuntimeErrorTestSuites, flaky: results.flaky.length }).toEqual({
    isGreen: false,
    numPassedTests: 10,
    numFailedTests: 2,
    numRuntimeErrorTestSuites: 1,
    flaky: 3,
  });
  const failed = said.split('\n').filter((line) => line.startsWith('scratch: failed: '));
  expect(failed.map((line) => basename(line)).sort()).toEqual(['broken.test.js', 'pure.test.js', 'unloadable.test.js']);
});

test.each([
  [5, []],
  [6, ['6 flaky files: more than 5 fail a run']],
])('%i flaky files: %j', (count, complaints) => {
  const flaky = Array.from({ length: count }, (_, index) => ({ file: `${index}`, message: '' }));
  expect(complaintsAbout({ name: 'scratch', config: '' }, { ...noResults, flaky })).toEqual(complaints);
});
