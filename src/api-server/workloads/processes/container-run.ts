import { createHash } from 'node:crypto';
import type { Container, Pod } from '../../../kinds/index.js';
import type { Clock } from '../../clock/index.js';
import type { Program } from './container/index.js';
import { ContainerLog } from './logs/index.js';
import { type Child, type Command, type Ended, findProgram, type Supervisor } from './machine/index.js';
import { type Answer, type Asked, ask, Prober } from './probes/index.js';

/** A program that cannot be started: the file is not there, or may not be run. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

export interface ContainerRunParts {
  readonly supervisor: Supervisor;
  readonly clock: Clock;
  readonly pod: Pod;
  readonly container: Container;
  readonly address: string;
  /** Undefined: nothing runs, and nothing is asked. */
  readonly program: Program | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly directory: string;
  /** A text of the container as it reads on this machine. */
  readonly local: (text: string) => string;
  readonly log: { readonly file: string; readonly maxBytes: number };
  readonly onChange: () => void;
  readonly onEnd: (end: Ended & { readonly wasKilledFor?: string | undefined }) => void;
}

/** Most bytes of a probe's output that are read; the rest is thrown away. */
const MOST_OUTPUT = 10 * 1024;

/** One run of a container, from the start of its program to its end. */
export class ContainerRun {
  readonly log: ContainerLog;
  isStarted: boolean;
  isReady: boolean;
  readonly #parts: ContainerRunParts;
  readonly #probers: Prober[] = [];
  #child: Child | undefined;
  #killAtMs = Number.POSITIVE_INFINITY;
  #cancelKill: () => void = () => undefined;
  #stoppedFor: string | undefined;
  #isOver = false;

  /** @throws StartFailure */
  constructor(parts: ContainerRunParts) {
    const { container, program, log, clock } = parts;
    this.#parts = parts;
    const isAsked = program !== undefined;
    this.isStarted = !isAsked || container.startupProbe === undefined;
    this.isReady = !isAsked || container.readinessProbe === undefined;
    const command = program && this.#commandOf(program, (program.args ?? []).map(String));
    this.log = new ContainerLog({ ...log, now: () => clock.now() });
    if (command === undefined) {
      this.log.close();
      return;
    }
    const child = parts.supervisor.start(command);
    this.#child = child;
    this.log.take(child.stdout, 'stdout');
    this.log.take(child.stderr, 'stderr');
    void child.ended.then((ended) => this.#end(ended));
    this.#begin();
  }

  /** No program runs in it. */
  get isSimulated(): boolean {
    return this.#parts.program === undefined;
  }

  get isStopping(): boolean {
    return this.#killAtMs !== Number.POSITIVE_INFINITY;
  }

  /** Ends it: the hook, SIGTERM, and SIGKILL after `graceMs`. A later call can only make the time shorter. */
  stop(graceMs: number, reason?: string): void {
    const { clock, container, program } = this.#parts;
    if (this.#isOver) return;
    const killAtMs = clock.now().getTime() + graceMs;
    const isFirst = !this.isStopping;
    if (!isFirst && killAtMs >= this.#killAtMs) return;
    this.#killAtMs = killAtMs;
    this.#stoppedFor ??= reason;
    this.#cancelKill();
    for (const prober of this.#probers) prober.stop();
    if (program === undefined) {
      this.#end({ code: 0, signal: undefined });
      return;
    }
    if (graceMs <= 0) {
      this.kill();
      return;
    }
    this.#cancelKill = clock.schedule(graceMs, () => this.kill());
    if (!isFirst) return;
    const preStop = container.lifecycle?.preStop;
    if (preStop === undefined) this.signal('SIGTERM');
    else void this.#hook(preStop, graceMs).then(() => this.signal('SIGTERM'));
  }

  kill(): void {
    this.signal('SIGKILL');
  }

  /** To all processes of the container. */
  signal(signal: NodeJS.Signals): void {
    if (!this.#isOver) this.#child?.signal(signal);
  }

  /** @throws StartFailure */
  exec(command: readonly string[], options: { readonly hasInput?: boolean } = {}): Child {
    const { supervisor, program, local } = this.#parts;
    if (program === undefined) throw new StartFailure('no program runs in this container: it is simulated');
    const chosen = program.exec?.(command) ?? { program: local(command[0] ?? ''), args: command.slice(1).map(local) };
    return supervisor.start(this.#commandOf(chosen, (chosen.args ?? []).map(String)), options);
  }

  #commandOf({ program, env = {}, directory }: Program, args: readonly string[]): Command {
    const { env: declared, directory: own, container } = this.#parts;
    const place = directory ?? own;
    // The only variable of this process that a container gets.
    const all = { PATH: process.env['PATH'] ?? '', HOSTNAME: hostnameOf(this.#parts.pod), ...declared, ...env };
    const path = findProgram(program, all.PATH, place);
    if (path === undefined)
      throw new StartFailure(`container ${JSON.stringify(container.name)}: ${program}: there is no such program, or it may not be run`);
    return { program: path, args, env: all, directory: place };
  }

  #begin(): void {
    const { container } = this.#parts;
    const postStart = container.lifecycle?.postStart;
    if (postStart !== undefined) {
      void this.#hook(postStart, Number.POSITIVE_INFINITY).then(({ isSuccess, text }) => {
        if (!isSuccess) this.stop(this.#graceMs(), `PostStartHookError: ${text}`);
      });
    }
    if (container.startupProbe === undefined) this.#beginOthers();
    else
      this.#probe(container.startupProbe, (isSuccess, text) => {
        if (!isSuccess) this.#fail('Startup', container.startupProbe, text);
        else if (!this.isStarted) {
          this.isStarted = true;
          this.#probers.pop()?.stop();
          this.#beginOthers();
          this.#parts.onChange();
        }
      });
  }

  #beginOthers(): void {
    const { readinessProbe, livenessProbe } = this.#parts.container;
    if (readinessProbe !== undefined)
      this.#probe(readinessProbe, (isSuccess) => {
        this.isReady = isSuccess;
        this.#parts.onChange();
      });
    if (livenessProbe !== undefined)
      this.#probe(livenessProbe, (isSuccess, text) => {
        if (!isSuccess) this.#fail('Liveness', livenessProbe, text);
      });
  }

  #probe(probe: NonNullable<Container['livenessProbe']>, onResult: (isSuccess: boolean, text: string) => void): void {
    const prober = new Prober({ clock: this.#parts.clock, probe, asked: this.#asked(), onResult });
    this.#probers.push(prober);
    prober.start();
  }

  #fail(kind: 'Liveness' | 'Startup', probe: Container['livenessProbe'], text: string): void {
    const seconds = probe?.terminationGracePeriodSeconds;
    this.stop(seconds === undefined ? this.#graceMs() : seconds * 1000, `${kind} probe failed: ${text}`);
    this.#parts.onChange();
  }

  #graceMs(): number {
    return (this.#parts.pod.spec.terminationGracePeriodSeconds ?? 30) * 1000;
  }

  async #hook(hook: NonNullable<NonNullable<Container['lifecycle']>['preStop']>, limitMs: number): Promise<Answer> {
    if (hook.sleep !== undefined) {
      const { seconds } = hook.sleep;
      await new Promise<void>((resolve) => {
        this.#parts.clock.schedule(seconds * 1000, resolve);
      });
      return { isSuccess: true, text: '' };
    }
    return ask(hook, this.#asked(), Math.min(limitMs, 2 ** 31 - 1));
  }

  #asked(): Asked {
    const { container, address } = this.#parts;
    return { container, address, run: (command, timeoutMs) => this.#ran(command, timeoutMs) };
  }

  async #ran(command: readonly string[], timeoutMs: number): Promise<Answer> {
    let child: Child;
    try {
      child = this.exec(command);
    } catch (error) {
      return { isSuccess: false, text: (error as Error).message };
    }
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        if (text.length < MOST_OUTPUT) text += chunk.toString('utf8').slice(0, MOST_OUTPUT - text.length);
      });
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      child.signal('SIGKILL');
    }, timeoutMs);
    const { code } = await child.ended;
    clearTimeout(limit);
    if (isLate) return { isSuccess: false, text: `command ${JSON.stringify(command)} timed out` };
    return { isSuccess: code === 0, text };
  }

  #end(ended: Ended): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelKill();
    for (const prober of this.#probers) prober.stop();
    this.#parts.onEnd({ ...ended, wasKilledFor: this.#stoppedFor });
  }
}

function hostnameOf({ metadata, spec }: Pod): string {
  return spec.hostname ?? metadata.name;
}

/** As a container runtime names a run: 64 digits. */
export function containerIdOf({ metadata }: Pod, { name }: Container, restartCount: number): string {
  return `process://${createHash('sha256').update(`${metadata.uid}/${name}/${restartCount}`).digest('hex')}`;
}
