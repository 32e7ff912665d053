import { messageOf } from '@keelson/kubernetes/apimachinery';
import type { Logger } from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';

/** One thing that has to be well. */
export interface HealthCheck {
  /** As it stands in a path: `caches-synced`. */
  readonly name: string;
  /** The problem; `undefined`: none. An answer that takes more than three seconds, and an error, are a problem, too. */
  readonly problem: () => string | undefined | Promise<string | undefined>;
  /** `true`: it is shown and logged, and the others decide. Asked for by its name, it decides for itself. @defaultValue false */
  readonly isOnlyShown?: boolean | undefined;
}

interface CheckLine {
  readonly text: string;
  readonly isWell: boolean;
}

export interface HealthReport {
  readonly isHealthy: boolean;
  /** Line by line what `?verbose` shows, as the API server's own. */
  readonly text: string;
}

/** Less than the probes' own limit of five seconds: the answer names the check. */
const CHECK_MS = 3_000;

/**
 * Checks under one name, `healthz` or `readyz`.
 *
 * Guarantees: an answer in bounded time; reasons are for the log, where each change is written once: the port is open to all that reach the pod.
 */
export class HealthChecks {
  readonly #name: string;
  readonly #checks: readonly HealthCheck[];
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #failing = new Set<string>();

  constructor(name: string, checks: readonly HealthCheck[], { clock, log }: { readonly clock: Clock; readonly log: Logger }) {
    this.#name = name;
    this.#checks = checks;
    this.#clock = clock;
    this.#log = log;
  }

  has(name: string): boolean {
    return this.#checks.some((check) => check.name === name);
  }

  /** Whether all that decide pass now; nothing of it is logged. */
  async allPass(): Promise<boolean> {
    const deciding = this.#checks.filter(({ isOnlyShown = false }) => !isOnlyShown);
    const problems = await Promise.all(deciding.map((check) => this.#problemOf(check)));
    return problems.every((problem) => problem === undefined);
  }

  /** @param only the name of the one check that is asked for @param excluded names of checks that count as well */
  async report({
    only,
    excluded = [],
  }: {
    readonly only?: string | undefined;
    readonly excluded?: readonly string[];
  }): Promise<HealthReport> {
    const asked = this.#checks.filter(({ name }) => only === undefined || name === only);
    const lines = await Promise.all(
      asked.map((check) =>
        this.#line(check, { isExcluded: excluded.includes(check.name), decides: only !== undefined || check.isOnlyShown !== true }),
      ),
    );
    const isHealthy = lines.every(({ isWell }) => isWell);
    const texts = lines.map(({ text }) => text);
    const unknown = excluded.filter((name) => !this.has(name)).map((name) => JSON.stringify(name));
    if (unknown.length > 0) texts.push(`warn: some health checks cannot be excluded: no matches for ${unknown.sort().join(', ')}`);
    return { isHealthy, text: [...texts, `${only ?? this.#name} check ${isHealthy ? 'passed' : 'failed'}`, ''].join('\n') };
  }

  async #line(
    check: HealthCheck,
    { isExcluded, decides }: { readonly isExcluded: boolean; readonly decides: boolean },
  ): Promise<CheckLine> {
    if (isExcluded) return { text: `[+]${check.name} excluded: ok`, isWell: true };
    const problem = await this.#problemOf(check);
    this.#tell(check.name, problem);
    if (problem === undefined) return { text: `[+]${check.name} ok`, isWell: true };
    return { text: `[-]${check.name} failed: reason withheld${decides ? '' : '; it does not decide'}`, isWell: !decides };
  }

  async #problemOf({ problem }: HealthCheck): Promise<string | undefined> {
    let cancel: (() => void) | undefined;
    const late = new Promise<string>((resolve) => {
      cancel = this.#clock.schedule(CHECK_MS, () => resolve(`no answer within ${CHECK_MS} ms`));
    });
    try {
      return await Promise.race([problem(), late]);
    } catch (error) {
      return messageOf(error);
    } finally {
      cancel?.();
    }
  }

  #tell(check: string, problem: string | undefined): void {
    if (problem !== undefined && !this.#failing.has(check)) {
      this.#failing.add(check);
      this.#log.warn(`${this.#name}: a check fails`, { check, problem });
    }
    if (problem === undefined && this.#failing.delete(check)) this.#log.info(`${this.#name}: a check is well again`, { check });
  }
}
