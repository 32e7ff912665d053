/** The part of jest's `--json` output that these scripts read. */
export interface TestResults {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  /** Files that failed without a failed test, for example because they could not be loaded. */
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly TestFile[];
}

export interface TestFile {
  /** The absolute path. */
  readonly name: string;
  readonly status: string;
  /** The failures of the file as text. */
  readonly message: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly Assertion[];
}

export interface Assertion {
  readonly status: string;
  readonly fullName: string;
  readonly failureMessages: readonly string[];
}

/** A test file that failed among the others, and passed when it ran again alone. */
export interface FlakyFile {
  readonly file: string;
  /** The first message of the first run. */
  readonly message: string;
}

/** The second run of a test file. */
export interface SecondRun {
  readonly file: TestFile;
  /** Whether it started a process, a thread or a server, or connected to one. Without any of them nothing outside of the code could be late. */
  readonly hasStarted: boolean;
}

/** The results of a suite, after the second runs of the files that failed. */
export interface JudgedResults extends TestResults {
  /** The commit that was tested: results of a keyed suite may be older than the run that shows them. */
  readonly commit: string;
  readonly flaky: readonly FlakyFile[];
  /** Why nothing ran. */
  readonly skipped?: string;
}

export function failedFiles({ testResults }: TestResults): readonly TestFile[] {
  return testResults.filter(({ status }) => status === 'failed');
}

/** Puts the second runs in the place of the first ones. A file that failed twice keeps the messages of both. */
export function judged(first: TestResults, second: ReadonlyMap<string, SecondRun>, commit: string): JudgedResults {
  const flaky: FlakyFile[] = [];
  const files = first.testResults.map((file) => {
    const again = second.get(file.name);
    if (again === undefined) return file;
    if (again.file.status === 'failed') return failedTwice(file, again.file);
    if (!again.hasStarted) return failedWithoutCause(file);
    flaky.push({ file: file.name, message: firstMessage(file) });
    return again.file;
  });
  return { ...counted(files), commit, flaky };
}

/** The first run, with the messages of the second run behind its own. */
function failedTwice(first: TestFile, second: TestFile): TestFile {
  const messages = new Map(second.assertionResults.map(({ fullName, failureMessages }) => [fullName, failureMessages]));
  const failures = first.assertionResults.map((test) =>
    test.status === 'failed'
      ? {
          ...test,
          failureMessages: [...test.failureMessages, ...(messages.get(test.fullName) ?? []).map((text) => `run again, alone: ${text}`)],
        }
      : test,
  );
  const known = new Set(failures.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName));
  const others = second.assertionResults.filter(({ status, fullName }) => status === 'failed' && !known.has(fullName));
  const seen = new Set(others.map(({ fullName }) => fullName));
  return {
    ...first,
    message: `${first.message}\nrun again, alone: ${second.message}`,
    assertionResults: [...failures.filter(({ fullName }) => !seen.has(fullName)), ...others],
  };
}

const NO_CAUSE = 'It passed when it ran again, alone, but it starts no process and no server: pure code may not be flaky.';

function failedWithoutCause(file: TestFile): TestFile {
  return {
    ...file,
    message: `${file.message}\n${NO_CAUSE}`,
    assertionResults: file.assertionResults.map((test) =>
      test.status === 'failed' ? { ...test, failureMessages: [...test.failureMessages, NO_CAUSE] } : test,
    ),
  };
}

function firstMessage({ message, assertionResults }: TestFile): string {
  const test = assertionResults.find(({ status }) => status === 'failed');
  return test === undefined ? message : `${test.fullName}: ${test.failureMessages[0] ?? ''}`;
}

/** Results of test files, with their sums. */
export function counted(testResults: readonly TestFile[]): TestResults {
  const statuses = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  const count = (status: string): number => statuses.filter((one) => one === status).length;
  const isBroken = ({ status, assertionResults }: TestFile): boolean =>
    status === 'failed' && !assertionResults.some((test) => test.status === 'failed');
  return {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('pending') + count('skipped') + count('disabled'),
    numTodoTests: count('todo'),
    numRuntimeErrorTestSuites: testResults.filter(isBroken).length,
    testResults,
  };
}
