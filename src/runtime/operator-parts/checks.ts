import { errorOf } from '@keelson/kubernetes/apimachinery';
import type { CheckModel } from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';
import { beginCall } from '../outside/index.js';

/** As the probes ask; `undefined`: all is well. */
export interface HealthCheck {
  readonly name: string;
  readonly problem: () => Promise<string | undefined>;
}

export interface ChecksOptions {
  readonly checks: readonly CheckModel[];
  readonly clock: Clock;
  /** Makes the context of one check's calls, under the signal of each. */
  readonly contextFor: (check: CheckModel) => (signal: AbortSignal) => object;
}

/** Less than the probe waits for all checks together. */
const LIMIT_MS = 2_900;
/** The probes' port is open to every client that reaches the pod: a flood of probes must not become a flood of calls to another system. */
const KEEP_MS = 1_000;

/** The author's checks as the probes ask for them. */
export function healthChecksOf(options: ChecksOptions): {
  readonly readiness: readonly HealthCheck[];
  readonly liveness: readonly HealthCheck[];
} {
  const made = options.checks.map((check) => ({ ...check, health: new AuthorCheck(check, options) }));
  return {
    readiness: made.filter(({ readiness }) => readiness).map(({ health }) => health),
    liveness: made.filter(({ liveness }) => liveness).map(({ health }) => health),
  };
}

/** One check: never run twice at once, and its answer is kept for a second. */
class AuthorCheck implements HealthCheck {
  readonly #check: CheckModel;
  readonly #options: ChecksOptions;
  #hasReturned = true;
  #asked: { readonly atMs: number; readonly problem: Promise<string | undefined> } | undefined;

  constructor(check: CheckModel, options: ChecksOptions) {
    this.#check = check;
    this.#options = options;
  }

  get name(): string {
    return this.#check.name;
  }

  readonly problem = (): Promise<string | undefined> => {
    const nowMs = this.#options.clock.monotonicMs();
    if (this.#asked !== undefined && nowMs - this.#asked.atMs < KEEP_MS) return this.#asked.problem;
    if (!this.#hasReturned)
      return Promise.resolve('the check has not returned since it was asked last; pass its signal on to what it waits for');
    this.#asked = { atMs: nowMs, problem: this.#ask() };
    return this.#asked.problem;
  };

  async #ask(): Promise<string | undefined> {
    const { clock, contextFor } = this.#options;
    const contextOf = contextFor(this.#check);
    this.#hasReturned = false;
    const run = this.#check.run as (context: object) => unknown;
    const call = beginCall((signal) => run(contextOf(signal)), {
      clock,
      limitMs: LIMIT_MS,
      signal: new AbortController().signal,
      what: `checks.${this.name}`,
    });
    void call.returned.then(() => {
      this.#hasReturned = true;
    });
    const outcome = await call.outcome;
    return outcome.ok ? undefined : errorOf(outcome.error).message;
  }
}
