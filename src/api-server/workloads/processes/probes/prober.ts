import type { Probe } from '@keelson/kubernetes/kinds';
import type { Clock } from '../../../clock/index.js';
import { afterProbe, type ProbeState, UNPROBED } from '../plan/index.js';
import { type Asked, ask } from './ask.js';

export interface ProberOptions {
  readonly clock: Clock;
  readonly probe: Probe;
  readonly asked: Asked;
  /** Called with each answer that is a failure, whatever the thresholds. */
  readonly onFailure: (text: string) => void;
  /** Called when the result changes. */
  readonly onResult: (isSuccess: boolean, text: string) => void;
}

/** Asks one probe of one run of a container, again and again: when to ask is a matter of the server's clock. */
export class Prober {
  readonly #options: ProberOptions;
  #state: ProbeState = UNPROBED;
  #cancel: () => void = () => undefined;
  #isOver = false;

  constructor(options: ProberOptions) {
    this.#options = options;
  }

  start(): void {
    this.#askAfter((this.#options.probe.initialDelaySeconds ?? 0) * 1000);
  }

  stop(): void {
    this.#isOver = true;
    this.#cancel();
  }

  #askAfter(delayMs: number): void {
    if (this.#isOver) return;
    if (delayMs <= 0) void this.#askOnce();
    else this.#cancel = this.#options.clock.schedule(delayMs, () => void this.#askOnce());
  }

  async #askOnce(): Promise<void> {
    const { probe, asked, onFailure, onResult } = this.#options;
    const { isSuccess, text } = await ask(probe, asked, (probe.timeoutSeconds ?? 1) * 1000);
    if (this.#isOver) return;
    if (!isSuccess) onFailure(text);
    const before = this.#state.result;
    this.#state = afterProbe(this.#state, isSuccess, probe);
    const { result } = this.#state;
    if (result !== undefined && result !== before) onResult(result, text);
    this.#askAfter((probe.periodSeconds ?? 10) * 1000);
  }
}
