import type { Logger } from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';
import type { HealthCheck } from './health-check.js';

export interface EventLoopOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /**
   * Longest delay that is not a problem, in milliseconds.
   * @defaultValue 10_000 — the time in which leadership is renewed: a process that is blocked for longer cannot lead (H58)
   */
  readonly boundMs?: number | undefined;
}

const TICK_MS = 500;
/** A delay from which on the log reports it. */
const NOTABLE_MS = 1_000;
/** One log line per so long. */
const TOLD_EVERY_MS = 60_000;
/**
 * How long a delay beyond the bound counts. Probes come every 20 s and fail three times before the pod is restarted: one delay (a suspended machine, a heap
 * snapshot) does not restart it, delays that come again and again do (H27).
 */
const REMEMBERED_MS = 30_000;

/** Measures by how much the event loop is late, and is a check of liveness: a process that only blocks looks alive to a port that is open. */
export class EventLoopWatch {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #boundMs: number;
  #cancel: (() => void) | undefined;
  #dueMs = 0;
  #blocked: { readonly delayMs: number; readonly untilMs: number } | undefined;
  #toldMs = Number.NEGATIVE_INFINITY;

  constructor({ clock, log, boundMs = 10_000 }: EventLoopOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#boundMs = boundMs;
  }

  readonly check: HealthCheck = {
    name: 'event-loop',
    problem: () => {
      this.#measure(); // the tick that is late may come after the probe
      const { delayMs, untilMs } = this.#blocked ?? { delayMs: 0, untilMs: Number.NEGATIVE_INFINITY };
      if (this.#clock.monotonicMs() >= untilMs) return undefined;
      return `the event loop was blocked for ${Math.round(delayMs)} ms, longer than ${this.#boundMs} ms`;
    },
  };

  start(): void {
    if (this.#cancel !== undefined) return;
    this.#dueMs = this.#clock.monotonicMs() + TICK_MS;
    this.#tick();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #tick(): void {
    this.#cancel = this.#clock.schedule(TICK_MS, () => {
      this.#measure();
      this.#dueMs = this.#clock.monotonicMs() + TICK_MS;
      this.#tick();
    });
  }

  #measure(): void {
    if (this.#cancel === undefined) return;
    const nowMs = this.#clock.monotonicMs();
    const delayMs = nowMs - this.#dueMs;
    if (delayMs >= this.#boundMs) this.#blocked = { delayMs, untilMs: nowMs + REMEMBERED_MS };
    if (delayMs < NOTABLE_MS || nowMs - this.#toldMs < TOLD_EVERY_MS) return;
    this.#toldMs = nowMs;
    this.#log.warn('the event loop was blocked: nothing else ran, renewals of the lease included', { delayMs: Math.round(delayMs) });
  }
}
