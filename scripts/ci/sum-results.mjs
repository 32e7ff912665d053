/**
 * Adds up jest's JSON results: `node sum-results.mjs <folder> [failed stage…]`. The last line it prints is `N passed, N failed, N skipped`.
 *
 * Plain JavaScript without dependencies: it has to tell of a failure also when the installation itself failed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Suites that CI must have run. In `complete` ones a skipped test is a failure: a missing API server would otherwise pass for a success. */
const SUITES = [
  { name: 'unit', complete: false },
  { name: 'packaging', complete: false },
  { name: 'cluster', complete: true },
  { name: 'node', complete: true },
];

/** How many of the slowest test files are shown: they are where CI's time goes. */
const SHOWN_FILES = 15;

const [folder, ...failedStages] = process.argv.slice(2);
const total = { passed: 0, failed: 0, skipped: 0 };
const files = [];
const complaints = failedStages.map((stage) => `${stage} ended with an error`);

for (const { name, complete } of SUITES) {
  const file = join(folder, `${name}.json`);
  if (!existsSync(file)) {
    complaints.push(`${name}: no results`);
    continue;
  }
  const result = JSON.parse(readFileSync(file, 'utf8'));
  // A file that cannot be loaded has no tests to count, and must not count for nothing.
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  const skipped = result.numPendingTests + result.numTodoTests;
  console.log(`${name}: ${result.numPassedTests} passed, ${failed} failed, ${skipped} skipped`);
  for (const { name: path, startTime, endTime } of result.testResults) files.push({ path, seconds: (endTime - startTime) / 1000 });
  total.passed += result.numPassedTests;
  total.failed += failed;
  total.skipped += skipped;
  if (complete && skipped > 0) complaints.push(`${name}: ${skipped} skipped, but CI needs all of them`);
  if (result.numPassedTests + failed === 0) complaints.push(`${name}: no test ran`);
}

files.sort((left, right) => right.seconds - left.seconds);
console.log(`the ${Math.min(SHOWN_FILES, files.length)} slowest test files:`);
for (const { path, seconds } of files.slice(0, SHOWN_FILES))
  console.log(`${seconds.toFixed(1).padStart(8)} s  ${relative(process.cwd(), path)}`);

for (const complaint of complaints) console.log(complaint);
// Whatever went wrong outside the tests is in the sum too: the last line alone must never look like a success.
if (total.failed === 0) total.failed = complaints.length;
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;
