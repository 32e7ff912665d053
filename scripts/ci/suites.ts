import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NodeLine } from '../fetched/index.js';
import { testsOfCore } from './tests-of-core.js';

/** One run of jest. Its results are written to `.results/<name>.json`. */
export interface Suite {
  readonly name: string;
  /** The configuration of jest. */
  readonly config: string;
  /** In CI a skipped test of this suite is a failure: a missing API server must not look like a success. Default false. */
  readonly isComplete?: boolean;
  /** The suite runs only when a file changed that it depends on: the `inputs` of its task in turbo.json. Default false. */
  readonly isKeyed?: boolean;
  /** The line of Node that runs the suite. Default: the Node of the machine. */
  readonly node?: NodeLine;
  /** The minor of Kubernetes whose control plane the suite asks. Default: the pinned release. */
  readonly kubernetes?: string;
  /** The suite runs only the tests that can differ between lines of Node. Default false. */
  readonly isOfCore?: boolean;
  /** `make matrix` runs the suite. CI does not, or in turn with others. Default false. */
  readonly isOfMatrix?: boolean;
  /** Patterns of the paths of its test files. Default: all that no other suite of the same configuration names. */
  readonly tests?: readonly string[];
}

/** Where results go: in the tree, because Turborepo restores them from its cache to the place where a task wrote them. */
export const RESULTS = '.results';

/** All suites, in the order in which CI sums them up. The table is JSON, because sum-results.mjs must read it even when nothing is installed. */
export const suites = JSON.parse(readFileSync(join('scripts', 'ci', 'suites.json'), 'utf8')) as readonly Suite[];

/** @throws Error that lists the names of the suites */
export function suiteNamed(name: string): Suite {
  const suite = suites.find((one) => one.name === name);
  if (suite === undefined) throw new Error(`no suite "${name}"; the suites are ${suites.map((one) => one.name).join(', ')}`);
  return suite;
}

/** Flags of jest that select the test files of a suite. `ignored` are the patterns that its configuration ignores: those on the command line replace them. */
export function selectionOf(suite: Suite, ignored: readonly string[]): readonly string[] {
  if (suite.isOfCore) {
    // jest takes paths as they are, those that the configuration ignores too.
    const patterns = ignored.map((pattern) => new RegExp(pattern.replace('<rootDir>', '^')));
    return ['--runTestsByPath', ...testsOfCore().filter((file) => !patterns.some((pattern) => pattern.test(`/${file}`)))];
  }
  if (suite.tests !== undefined) return suite.tests.flatMap((pattern) => ['--testPathPatterns', pattern]);
  const isSame = (one: Suite): boolean => one.config === suite.config && one.node === suite.node && one.kubernetes === suite.kubernetes;
  const others = suites.filter((one) => one.name !== suite.name && isSame(one)).flatMap(({ tests = [] }) => tests);
  return others.length === 0 ? [] : [...ignored, ...others].flatMap((pattern) => ['--testPathIgnorePatterns', pattern]);
}
