import { RUNTIME_CONTRACT } from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';

/** As much of a process as `run` needs. */
export interface HostProcess {
  /** Variables of the environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The exit code of a process that ends by itself. */
  exitCode?: number | string | null | undefined;
  /** Adds a listener for a signal, or for an uncaught error. */
  on(event: string, listener: (value: never) => void): unknown;
  /** Removes a listener. */
  off(event: string, listener: (value: never) => void): unknown;
  /** Ends the process immediately. */
  exit(code: number): void;
}

/** The operator to be ended. */
interface Stoppable {
  stop(): Promise<void>;
}

export interface ProcessEndingOptions {
  readonly host: HostProcess;
  /** Writes the last words. */
  readonly say: (message: string, fields: Readonly<Record<string, unknown>>) => void;
  readonly clock: Clock;
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const FAULTS = ['uncaughtException', 'unhandledRejection'] as const;
/** For the last words: the kubelet kills without a warning. */
const BEFORE_KILL_SECONDS = 1;
/** How long the program may go on when the operator has ended, for example to send its last spans. */
const AFTERWARDS_MS = 5_000;

/**
 * How a process comes to its end: by a signal, or by an uncaught error; the operator may be starting, working, or ending already.
 *
 * Guarantees: the first signal drains, the second ends at once; the end comes before the kubelet's, even if something hangs or a reconciler has left something
 * behind: a forgotten timer would keep an idle process alive. Signals are not listened for after {@link close}.
 */
export class ProcessEnding {
  readonly #options: ProcessEndingOptions;
  #limitSeconds: number = RUNTIME_CONTRACT.shutdown.drainSeconds + RUNTIME_CONTRACT.shutdown.marginSeconds - BEFORE_KILL_SECONDS;
  #operator: Stoppable | undefined;
  #isEnding = false;
  #signals = 0;
  #cancel: (() => void) | undefined;
  #endsAtMs = Number.POSITIVE_INFINITY;

  constructor(options: ProcessEndingOptions) {
    this.#options = options;
  }

  listen(): void {
    const { host } = this.#options;
    for (const signal of SIGNALS) host.on(signal, this.#onSignal);
    for (const fault of FAULTS) host.on(fault, this.#onFault);
  }

  /** The operator has ended, and the process follows. */
  close(): void {
    const { host, say, clock } = this.#options;
    for (const signal of SIGNALS) host.off(signal, this.#onSignal);
    for (const fault of FAULTS) host.off(fault, this.#onFault);
    this.#cancel?.();
    const leftMs = Math.max(0, Math.min(AFTERWARDS_MS, this.#endsAtMs - clock.monotonicMs()));
    // It does not keep the process alive, which is over before that unless something else does.
    setTimeout(() => {
      const { exitCode } = host;
      say('the operator has ended, but something keeps the process alive: it is ended', { left: process.getActiveResourcesInfo() });
      host.exit(typeof exitCode === 'number' ? exitCode : 0);
    }, leftMs).unref();
  }

  /** @param drainSeconds of the settings: the kubelet waits for the margin of the contract on top of it */
  limit(drainSeconds: number): void {
    this.#limitSeconds = drainSeconds + RUNTIME_CONTRACT.shutdown.marginSeconds - BEFORE_KILL_SECONDS;
  }

  /** Registers a started operator, and ends it at once if the end has come meanwhile. */
  of(operator: Stoppable): void {
    this.#operator = operator;
    if (this.#isEnding) this.#stop();
  }

  failed(message: string, fields: Readonly<Record<string, unknown>>): void {
    this.#options.say(message, fields);
    this.#options.host.exitCode = 1;
  }

  readonly #onSignal = (signal: string): void => {
    this.#signals += 1;
    if (this.#signals > 1) {
      this.#options.say('ended at once by a second signal', { signal });
      this.#options.host.exit(1);
    }
    this.#end();
  };

  readonly #onFault = (error: unknown): void => {
    this.failed('an uncaught error: the process ends', { error });
    this.#end();
  };

  #end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const { clock, say, host } = this.#options;
    this.#endsAtMs = clock.monotonicMs() + this.#limitSeconds * 1000;
    this.#cancel = clock.schedule(this.#limitSeconds * 1000, () => {
      say('the process does not come to its end and is ended: something hangs', { seconds: this.#limitSeconds });
      host.exit(1);
    });
    this.#stop();
  }

  #stop(): void {
    void this.#operator?.stop().catch(() => undefined);
  }
}
