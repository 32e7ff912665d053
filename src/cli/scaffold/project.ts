import type { KeelsonPackages } from './keelson-packages.js';
import type { KindNames } from './kind-names.js';
import type { ModuleFormat } from './module-format.js';
import type { TestRunner } from './test-runner.js';

/** Everything about a project that its kinds do not say. */
export interface ProjectSettings {
  /** Names the package, the operator and its namespace: a DNS label. */
  readonly name: string;
  readonly runner: TestRunner;
  readonly format: ModuleFormat;
  /** The packages of keelson in package.json. */
  readonly keelson: KeelsonPackages;
}

/** A project as `keelson init` writes it. */
export interface Project extends ProjectSettings {
  readonly group: string;
  readonly names: KindNames;
  readonly version: string;
  readonly olderVersion?: string | undefined;
  readonly webhooks: boolean;
}
