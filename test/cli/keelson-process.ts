import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually.js';

const ROOT = join(__dirname, '../..');

interface ProcessOptions {
  /** Whether its streams are a terminal. */
  readonly isOnTerminal?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A folder in which commands of keelson run in processes of their own. */
export class Workplace {
  readonly directory: string = mkdtempSync(join(tmpdir(), 'keelson-process-'));
  readonly #running = new Set<KeelsonProcess>();

  constructor() {
    mkdirSync(join(this.directory, 'tmp'));
    // For the loader of TypeScript.
    symlinkSync(join(ROOT, 'node_modules'), join(this.directory, 'node_modules'));
  }

  start(args: readonly string[], options?: ProcessOptions): KeelsonProcess {
    const started = new KeelsonProcess(this.directory, args, options);
    this.#running.add(started);
    return started;
  }

  /** Saves a file whole. Another process could see one that is written where it stands twice: when it is there, and when it has its text. */
  save(file: string, text: string): void {
    const unnoticed = join(this.directory, '.saved');
    writeFileSync(unnoticed, text);
    renameSync(unnoticed, join(this.directory, file));
  }

  /** Names of the temporary files of keelson that are there. */
  get temporaryFiles(): readonly string[] {
    return readdirSync(join(this.directory, 'tmp')).filter((name) => name.startsWith('keelson-'));
  }

  /** The operators that commands of this folder have started and that run. */
  get operators(): readonly string[] {
    return this.#processes(/dev-operator/);
  }

  /** The processes that wait for the next start of an operator. */
  get spares(): readonly string[] {
    return this.#processes(/dev-spare/);
  }

  /** All that `keelson dev` has started and that run. */
  get children(): readonly string[] {
    return this.#processes(/dev-(?:child|spare|operator)/);
  }

  #processes(title: RegExp): readonly string[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          const [words, environment] = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8'));
          return title.test(words ?? '') && environment?.includes(this.directory);
        } catch {
          // It has ended since the folder was read, or is another user's.
          return false;
        }
      });
  }

  async close(): Promise<void> {
    for (const command of this.#running) await command.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A command of keelson in a process of its own. */
export class KeelsonProcess {
  readonly status: Promise<number | null>;
  /** All that it has written so far. */
  text = '';
  readonly #child: ChildProcess;
  /** It has ended, and all that it wrote has come. */
  #isClosed = false;

  constructor(directory: string, args: readonly string[], { isOnTerminal = false, environment = {} }: ProcessOptions = {}) {
    const words = [process.execPath, '--import', 'tsx', join(ROOT, 'src/cli/main.ts'), ...args];
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const [program = '', ...parameters] = isOnTerminal ? ['script', '--quiet', '--return', '--command', quoted, '/dev/null'] : words;
    const { NO_COLOR: _, FORCE_COLOR: __, ...inherited } = process.env;
    const own = { TMPDIR: join(directory, 'tmp'), TSX_TSCONFIG_PATH: join(ROOT, 'tsconfig.json'), ...environment };
    this.#child = spawn(program, parameters, { cwd: directory, stdio: ['pipe', 'pipe', 'pipe'], env: { ...inherited, ...own } });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.text += text;
      });
    this.status = new Promise((resolve) => this.#child.once('close', resolve));
    void this.status.then(() => {
      this.#isClosed = true;
    });
  }

  /** Until it has written this. @returns what was written */
  shows(wanted: RegExp | string): Promise<string> {
    const find = (): string | undefined =>
      typeof wanted === 'string' ? (this.text.includes(wanted) ? wanted : undefined) : wanted.exec(this.text)?.[0];
    const look = async (): Promise<string | undefined> => {
      const found = find();
      if (found === undefined && this.#isClosed)
        throw new Error(`it has ended with ${this.#child.exitCode ?? this.#child.signalCode} before it wrote ${wanted}:\n${this.text}`);
      return found;
    };
    return eventually(look, () => `it writes ${wanted}:\n${this.text}`);
  }

  /** Presses keys. */
  press(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  /** Asks it to end, as Ctrl-C does. @returns its exit status */
  interrupt(): Promise<number | null> {
    this.#child.kill('SIGINT');
    return this.status;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.status;
  }
}
