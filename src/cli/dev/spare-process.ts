import { statSync } from 'node:fs';
import { join } from 'node:path';
import { foldersAbove } from './folders-above.js';
import type { OperatorProcess } from './operator-child.js';

/** An operator is busiest when it has just started: the spare does not compete with it. */
const REST_MS = 500;

/** Package managers change these files, or a user does who changes packages or settings of TypeScript. A workspace has them above the project. */
const STATE_OF_PACKAGES = [
  'package.json',
  'tsconfig.json',
  'node_modules/.package-lock.json',
  'node_modules/.modules.yaml',
  'node_modules/.yarn-state.yml',
  'node_modules/.yarn-integrity',
];

export interface SpareProcessOptions {
  /** The new process loads sources of the project at {@link OperatorProcess.load}. */
  readonly start: () => OperatorProcess;
  readonly directory: string;
  /** The program of `keelson`. */
  readonly program: string;
}

/**
 * A process that loads the packages of the project before the next start: they take most of a start.
 *
 * It has loaded no source of the project. It is thrown away when packages were installed since.
 */
export class SpareProcess {
  readonly #options: SpareProcessOptions;
  #spare: { readonly process: OperatorProcess; readonly packages: string } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: SpareProcessOptions) {
    this.#options = options;
  }

  /** Starts the spare when the operator has come to rest. */
  prepare(): void {
    if (this.#isClosed || this.#spare !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#spare = { packages: this.#packages(), process: this.#options.start() };
    }, REST_MS);
  }

  /** The process that loads the project's sources now: the spare, or a new one. */
  take(): OperatorProcess {
    clearTimeout(this.#timer);
    const spare = this.#spare;
    this.#spare = undefined;
    const isFit = spare !== undefined && !spare.process.hasEnded && spare.packages === this.#packages();
    if (!isFit) spare?.process.kill();
    const taken = isFit ? spare.process : this.#options.start();
    taken.load();
    return taken;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#spare?.process.kill();
    await this.#spare?.process.ended;
  }

  #packages(): string {
    const { directory, program } = this.#options;
    const files = [program, ...foldersAbove(directory).flatMap((folder) => STATE_OF_PACKAGES.map((name) => join(folder, name)))];
    return files.map(changedAt).join();
  }
}

function changedAt(file: string): number | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    // Node finds no packages in a folder that the user may not enter.
    return undefined;
  }
}
