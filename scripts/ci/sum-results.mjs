/**
 * Adds up jest's JSON results: `node sum-results.mjs <folder> [failed stage…]`. The last line it prints is `N passed, N failed, N skipped`.
 *
 * Plain JavaScript without dependencies: it has to tell of a failure also when the installation itself failed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Suites that CI must have run. In `isComplete` ones a skipped test is a failure: a missing API server would otherwise pass for a success. */
const SUITES = JSON.parse(readFileSync(new URL('suites.json', import.meta.url), 'utf8'));

/** How many of the slowest test files are shown: they are where CI's time goes. */
const SHOWN_FILES = 15;
/** Failed tests that are told again at the end, where one who reads only the end of a long output finds them, and lines of each. */
const SHOWN_FAILURES = 12;
const SHOWN_LINES = 30;
/** Files that failed at first and passed when they ran again, alone. A run accepts so many of them. */
const MOST_FLAKY = 5;

const [folder, ...failedStages] = process.argv.slice(2);
const total = { passed: 0, failed: 0, skipped: 0 };
const files = [];
const failures = [];
const flaky = [];
const complaints = failedStages.map((stage) => `${stage} ended with an error`);

for (const { name, isComplete, isOfMatrix, node, kubernetes } of SUITES) {
  const file = join(folder, `${name}.json`);
  if (!existsSync(file)) {
    if (!isOfMatrix) complaints.push(`${name}: no results`);
    continue;
  }
  const result = JSON.parse(readFileSync(file, 'utf8'));
  // The machine has no Node of that line, or no control plane of that minor: an npm that fails to fetch a Node in CI ends the stage with an error instead.
  if (result.skipped !== undefined) {
    console.log(`${name}: skipped: ${result.skipped}`);
    continue;
  }
  // A file that cannot be loaded has no tests to count, and must not count for nothing.
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  const skipped = result.numPendingTests + result.numTodoTests;
  const counts = `${result.numPassedTests} passed, ${failed} failed, ${skipped} skipped`;
  // Nothing changed that this suite depends on. Its results are those of an older run, and no part of the sum.
  if (result.commit !== undefined && result.commit !== commit()) {
    console.log(`${name}: ${counts}, as at ${result.commit}`);
    continue;
  }
  console.log(`${name}: ${counts}`);
  for (const { file, message } of result.flaky ?? []) flaky.push({ suite: name, file: relative(process.cwd(), file), message });
  for (const file of result.testResults) {
    files.push({ path: file.name, seconds: (file.endTime - file.startTime) / 1000 });
    failures.push(...failuresOf(file, placeOf({ node, kubernetes })));
  }
  total.passed += result.numPassedTests;
  total.failed += failed;
  total.skipped += skipped;
  if (isComplete && skipped > 0) complaints.push(`${name}: ${skipped} skipped, but CI needs all of them`);
  if (result.numPassedTests + failed === 0) complaints.push(`${name}: no test ran`);
}

files.sort((left, right) => right.seconds - left.seconds);
console.log(`the ${Math.min(SHOWN_FILES, files.length)} slowest test files:`);
for (const { path, seconds } of files.slice(0, SHOWN_FILES))
  console.log(`${seconds.toFixed(1).padStart(8)} s  ${relative(process.cwd(), path)}`);

writeFileSync(join(folder, 'flaky.json'), `${JSON.stringify(flaky, undefined, 2)}\n`);
if (flaky.length > 0) console.log('flaky, which passed when they ran again, alone:');
for (const { file, message } of flaky) console.log(`  ${file}${indented(message)}`);
if (flaky.length > MOST_FLAKY) complaints.push(`${flaky.length} flaky files: more than ${MOST_FLAKY} fail a run`);

if (failures.length > 0) console.log('the failed tests:');
for (const failure of failures.slice(0, SHOWN_FAILURES)) console.log(failure);
if (failures.length > SHOWN_FAILURES) console.log(`and ${failures.length - SHOWN_FAILURES} more`);
for (const complaint of complaints) console.log(complaint);
// Whatever went wrong outside the tests is in the sum too: the last line alone must never look like a success.
if (total.failed === 0) total.failed = complaints.length;
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** What failed in a file: its tests, or the file itself when it cannot be loaded. */
function failuresOf({ name, status, message, assertionResults = [] }, place) {
  const path = `${relative(process.cwd(), name)}${place}`;
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0) return status === 'failed' ? [`  ${path}${indented(message)}`] : [];
  return failed.map(({ fullName, failureMessages }) => `  ${path}: ${fullName}${indented(failureMessages.join('\n'))}`);
}

/** On what a suite ran, where it is not what other suites run on. */
function placeOf({ node, kubernetes }) {
  if (node !== undefined) return `, on Node ${node}`;
  return kubernetes === undefined ? '' : `, on Kubernetes ${kubernetes}`;
}

/** As run-suite.ts writes it into the results. */
function commit() {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=8', '--exclude=*'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

function indented(text) {
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines
    .slice(0, SHOWN_LINES)
    .map((line) => `\n      ${line.slice(0, 240)}`)
    .join('');
}
