import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../test/cluster/harness/index.js';
import type { ClusterAccess } from './cluster.js';

/** An operator that can be measured: how its process is started. */
export interface Subject {
  readonly title: string;
  /** Whether it can be asked, by `held`, what its caches hold. */
  readonly tellsHeld?: boolean;
  command(options: SubjectOptions): {
    readonly command: string;
    readonly parameters: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  };
}

export interface SubjectOptions {
  readonly pods: boolean;
  /** It says what it holds as soon as its caches are filled: a line of JSON. Collecting for that changes all other figures. */
  readonly held?: boolean | undefined;
  readonly ports: { readonly health: number; readonly metrics: number };
  readonly access: ClusterAccess;
  /** Folder for a CPU profile, of those that can write one. */
  readonly profile?: string | undefined;
}

const SYNCED_WITHIN_MS = 120_000;
const QUIET_WITHIN_MS = 120_000;
/** CPU seconds within half a second that are next to none; a profiler that looks at it all the time takes some of its own. */
const CALM_SECONDS = { usual: 0.02, profiled: 0.1 } as const;
/** The kernel counts in these. */
const TICKS_PER_SECOND = 100;

/** An operator under measurement, seen from outside: the kernel's figures, the same for every language. */
export class OperatorProcess {
  readonly startedAt: number;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #calmSeconds: number;
  readonly #lines: ((line: string) => void)[] = [];
  #failure: Error | undefined;

  private constructor(child: ChildProcess, calmSeconds: number) {
    this.#calmSeconds = calmSeconds;
    this.startedAt = performance.now();
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        if (code !== 0) this.#failure = new Error(`the operator ended with ${signal ?? code}`);
        resolve();
      });
    });
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      for (const listener of [...this.#lines]) listener(line);
    });
  }

  static async start(subject: Subject, access: ClusterAccess, options: Omit<SubjectOptions, 'ports' | 'access'>): Promise<OperatorProcess> {
    const [health, metrics] = (await freePorts(2)) as [number, number];
    const { command, parameters, env } = subject.command({ ...options, access, ports: { health, metrics } });
    const child = spawn(command, [...parameters], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
    return new OperatorProcess(child, options.profile === undefined ? CALM_SECONDS.usual : CALM_SECONDS.profiled);
  }

  onLine(listener: (line: string) => void): void {
    this.#lines.push(listener);
  }

  /** Its caches are filled. */
  async synced(): Promise<void> {
    const said = new Promise<void>((resolve) => this.onLine((line) => line === 'synced' && resolve()));
    await within(Promise.race([said, this.#ended]), SYNCED_WITHIN_MS, 'caches to fill');
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** It has used next to no CPU for three seconds. */
  async quiet(): Promise<void> {
    const deadline = performance.now() + QUIET_WITHIN_MS;
    for (let calm = 0, before = this.cpuSeconds(); calm < 6; ) {
      await sleep(500);
      const now = this.cpuSeconds();
      calm = now - before <= this.#calmSeconds ? calm + 1 : 0;
      before = now;
      if (performance.now() > deadline) throw new Error('the operator does not come to rest');
    }
  }

  /** Of all its threads. */
  cpuSeconds(): number {
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  }

  memory(): { readonly rssMiB: number; readonly peakMiB: number } {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'latin1');
    const mebibytes = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
    return { rssMiB: mebibytes('VmRSS'), peakMiB: mebibytes('VmHWM') };
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await within(this.#ended, 30_000, 'the operator to end');
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** For the case that something went wrong before. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

export async function within<T>(what: Promise<T>, ms: number, title: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${ms / 1000} s for ${title}`)), ms);
  });
  try {
    return await Promise.race([what, late]);
  } finally {
    clearTimeout(timer);
  }
}
