import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Container, Pod } from '@keelson/kubernetes/kinds';
import type { Clock } from '../../clock/index.js';
import { type AttachedRun, attachedRun } from './attached-run.js';
import type { Program } from './container/index.js';
import { ProcessesError } from './errors.js';
import { ContainerLog } from './logs/index.js';
import { type Child, type Command, type Ended, findProgram, type Supervisor, Terminals } from './machine/index.js';
import { type Answer, type Asked, ask, Prober } from './probes/index.js';
import { checkedProgram } from './processes.js';

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
  /** A command as it has to be started for the Pod's programs to see its names. */
  readonly entered: (command: Command) => Command;
  /** A text of the container as it reads on this machine. */
  readonly local: (text: string) => string;
  readonly log: { readonly file: string; readonly maxBytes: number };
  readonly onChange: () => void;
  /** Called with what a kubelet says in Events. */
  readonly onEvent: (event: ContainerEvent) => void;
  readonly onEnd: (end: Ended & { readonly wasKilledFor?: string | undefined }) => void;
}

export interface ExecOptions {
  readonly hasInput?: boolean;
  /** Runs the command on a terminal. */
  readonly terminals?: Terminals | undefined;
}

/** Source of the texts: kubernetes `pkg/kubelet/{kuberuntime,prober}`, reasons in `pkg/kubelet/events`. */
export interface ContainerEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

type ProbeKind = 'Liveness' | 'Readiness' | 'Startup';

interface StopReason {
  readonly reason?: string | undefined;
  readonly event: string;
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
  /** Commands that run in it: they end with it. */
  readonly #commands = new Set<Child>();
  #child: Child | undefined;
  #killAtMs = Number.POSITIVE_INFINITY;
  #cancelKill: () => void = () => undefined;
  #stoppedFor: string | undefined;
  #isOver = false;

  /** @throws StartFailure, and ProcessesError for a container with a terminal where this machine lacks the programs for one */
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
    const child = this.#startedChild(command);
    this.#child = child;
    this.log.take(child.stdout, 'stdout');
    this.log.take(child.stderr, 'stderr');
    void child.ended.then((ended) => this.#end(ended));
    parts.onEvent({ type: 'Normal', reason: 'Started', message: `Started container ${container.name}` });
    this.#begin();
  }

  /** No program runs in it. */
  get isSimulated(): boolean {
    return this.#parts.program === undefined;
  }

  /** It declares that it runs on a terminal: its output and its errors are one stream then. */
  get hasTerminal(): boolean {
    return this.#parts.container.tty === true;
  }

  /** Whether it declares an open input (`stdin`). */
  get hasInput(): boolean {
    return this.#parts.container.stdin === true;
  }

  /** @throws StartFailure for a container without a program */
  attach(): AttachedRun {
    const child = this.#child;
    if (child === undefined) throw new StartFailure('no program runs in this container: it is simulated');
    return attachedRun(child, this.#parts.container);
  }

  get isStopping(): boolean {
    return this.#killAtMs !== Number.POSITIVE_INFINITY;
  }

  /**
   * Ends it: the hook, SIGTERM, and SIGKILL after `graceMs`. A later call can only make the time shorter.
   *
   * @param why the reason that its end shows, and what the Event says; default: that it is stopped
   */
  stop(graceMs: number, why: StopReason = { event: `Stopping container ${this.#parts.container.name}` }): void {
    const { clock, container, program } = this.#parts;
    if (this.#isOver) return;
    const killAtMs = clock.now().getTime() + graceMs;
    const isFirst = !this.isStopping;
    if (!isFirst && killAtMs >= this.#killAtMs) return;
    this.#killAtMs = killAtMs;
    this.#stoppedFor ??= why.reason;
    this.#cancelKill();
    for (const prober of this.#probers) prober.stop();
    if (program === undefined) {
      this.#end({ code: 0, signal: undefined });
      return;
    }
    if (isFirst) this.#parts.onEvent({ type: 'Normal', reason: 'Killing', message: why.event });
    if (graceMs <= 0) {
      this.kill();
      return;
    }
    this.#cancelKill = clock.schedule(graceMs, () => this.kill());
    if (!isFirst) return;
    const preStop = container.lifecycle?.preStop;
    if (preStop === undefined) this.signal('SIGTERM');
    else
      void this.#hook(preStop, graceMs).then(({ isSuccess }) => {
        if (!isSuccess) this.#parts.onEvent({ type: 'Warning', reason: 'FailedPreStopHook', message: 'PreStopHook failed' });
        this.signal('SIGTERM');
      });
  }

  kill(): void {
    this.signal('SIGKILL');
  }

  /** To all processes of the container. */
  signal(signal: NodeJS.Signals): void {
    if (!this.#isOver) this.#child?.signal(signal);
  }

  /** @throws StartFailure */
  exec(command: readonly string[], { terminals, ...options }: ExecOptions = {}): Child {
    const { supervisor, program, local } = this.#parts;
    if (program === undefined) throw new StartFailure('no program runs in this container: it is simulated');
    const chosen =
      program.exec === undefined
        ? { program: local(command[0] ?? ''), args: command.slice(1).map(local) }
        : checkedProgram(program.exec(command), `exec for image ${JSON.stringify(this.#parts.container.image)}`);
    const found = this.#commandOf(chosen, (chosen.args ?? []).map(String));
    const child = terminals === undefined ? supervisor.start(found, options) : terminals.start(supervisor, found, options);
    this.#commands.add(child);
    void child.ended.then(() => this.#commands.delete(child));
    return child;
  }

  #startedChild(command: Command): Child {
    const { supervisor, container } = this.#parts;
    if (!this.hasTerminal) return supervisor.start(command, { hasInput: this.hasInput });
    const terminals = Terminals.find(process.env['PATH'] ?? '');
    if (terminals === undefined)
      throw new ProcessesError(
        `container ${JSON.stringify(container.name)}: a terminal (tty: true) is not possible: ${Terminals.LACK}, or leave out tty: true`,
      );
    // Its input stays open though no client may write there: a shell on a terminal waits, and the end of its input would end it.
    return terminals.start(supervisor, command, { hasInput: true });
  }

  #commandOf({ program, env = {}, directory }: Program, args: readonly string[]): Command {
    const { env: declared, directory: own, container, entered } = this.#parts;
    const place = directory ?? own;
    // The only variable of this process that a container gets.
    const all = { PATH: process.env['PATH'] ?? '', HOSTNAME: hostnameOf(this.#parts.pod), ...declared, ...env };
    const path = findProgram(program, all.PATH, place);
    if (!existsSync(place))
      throw new StartFailure(
        `container ${JSON.stringify(container.name)}: the directory ${place}, which its program is to run in, is not there`,
      );
    if (path === undefined)
      throw new StartFailure(`container ${JSON.stringify(container.name)}: ${program}: there is no such program, or it may not be run`);
    return entered({ program: path, args, env: all, directory: place });
  }

  #begin(): void {
    const postStart = this.#parts.container.lifecycle?.postStart;
    if (postStart === undefined) {
      this.#beginProbes();
      return;
    }
    // As the kubelet has it: until the hook has ended nothing is asked, and who waits for the container waits on.
    const { isStarted, isReady } = this;
    this.isStarted = false;
    this.isReady = false;
    void this.#hook(postStart, Number.POSITIVE_INFINITY).then(({ isSuccess, text }) => {
      if (!isSuccess) {
        this.#parts.onEvent({ type: 'Warning', reason: 'FailedPostStartHook', message: 'PostStartHook failed' });
        this.stop(this.#graceMs(), { reason: `PostStartHookError: ${text}`, event: 'FailedPostStartHook' });
      } else if (!this.#isOver && !this.isStopping) {
        this.isStarted = isStarted;
        this.isReady = isReady;
        this.#beginProbes();
        this.#parts.onChange();
      }
    });
  }

  #beginProbes(): void {
    const { container } = this.#parts;
    if (container.startupProbe === undefined) this.#beginOthers();
    else
      this.#probe('Startup', container.startupProbe, (isSuccess, text) => {
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
      this.#probe('Readiness', readinessProbe, (isSuccess) => {
        this.isReady = isSuccess;
        this.#parts.onChange();
      });
    if (livenessProbe !== undefined)
      this.#probe('Liveness', livenessProbe, (isSuccess, text) => {
        if (!isSuccess) this.#fail('Liveness', livenessProbe, text);
      });
  }

  #probe(kind: ProbeKind, probe: NonNullable<Container['livenessProbe']>, onResult: (isSuccess: boolean, text: string) => void): void {
    const { clock, onEvent } = this.#parts;
    const onFailure = (text: string): void => onEvent({ type: 'Warning', reason: 'Unhealthy', message: `${kind} probe failed: ${text}` });
    const prober = new Prober({ clock, probe, asked: this.#asked(), onFailure, onResult });
    this.#probers.push(prober);
    prober.start();
  }

  #fail(kind: 'Liveness' | 'Startup', probe: Container['livenessProbe'], text: string): void {
    const seconds = probe?.terminationGracePeriodSeconds;
    const event = `Container ${this.#parts.container.name} failed ${kind.toLowerCase()} probe, will be restarted`;
    this.stop(seconds === undefined ? this.#graceMs() : seconds * 1000, { reason: `${kind} probe failed: ${text}`, event });
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
    for (const command of this.#commands) command.signal('SIGKILL');
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
