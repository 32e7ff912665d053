import type { KindNames } from './kind-names.js';
import type { TestRunner } from './test-runner.js';

/** A project as `keelson init` writes it. */
export interface Project {
  /** Names the package, the operator and its namespace: a DNS label. */
  readonly name: string;
  readonly group: string;
  readonly names: KindNames;
  readonly version: string;
  readonly olderVersion?: string | undefined;
  readonly webhooks: boolean;
  readonly runner: TestRunner;
  /** The version or address of keelson in package.json. */
  readonly keelson: string;
}
