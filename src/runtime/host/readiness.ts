import type { CacheProblem } from '../cache/index.js';
import type { HealthCheck } from '../telemetry/index.js';

/** Why the process is not ready. */
export interface ReadinessProblem {
  /** The part that is not ready, for example `cache of ConfigMap`. */
  readonly what: string;
  /** The reason, as a sentence. */
  readonly why: string;
}

/** A controller, as far as its readiness shows. */
interface ObservedController {
  readonly name: string;
  /** Runs whose functions were given up and have not returned. */
  readonly unreturned: readonly { readonly object: string; readonly forMs: number }[];
}

export interface ReadinessOptions {
  readonly controllers: { readonly all: readonly ObservedController[]; readonly hasSynced: boolean };
  readonly cache: { readonly problems: () => readonly CacheProblem[] };
  /** Absent where the process answers no API server. */
  readonly webhooks?: { readonly problem: string | undefined } | undefined;
  /** Whether a Service leads other clients here. */
  readonly hasEndpoints: boolean;
  readonly isStopping: () => boolean;
}

/**
 * Two questions with two answers: whether clients can be sent here, and whether the controllers can work.
 *
 * The readiness of a Pod says to which Pods a Service sends traffic. A kind that is missing stops a controller in every replica alike, so that it must take none of
 * them out of the Service of their webhooks. Without traffic, readiness is that of the controllers: a release that cannot work stops its own rollout.
 */
export class Readiness {
  readonly #options: ReadinessOptions;

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  /** Reasons why `/readyz` fails, without the author's checks. Empty if it passes. */
  get problems(): readonly ReadinessProblem[] {
    const { webhooks } = this.#options;
    const why = webhooks?.problem;
    return [...(this.#hasTraffic ? [] : this.controllerProblems), ...(why === undefined ? [] : [{ what: 'webhooks', why }])];
  }

  /** Why controllers cannot work, whether that takes the Pod out of service or not. */
  get controllerProblems(): readonly ReadinessProblem[] {
    return [...this.#cacheProblems, ...this.#runProblems];
  }

  get checks(): readonly HealthCheck[] {
    const texts = (problems: readonly ReadinessProblem[]): string => problems.map(({ what, why }) => `${what}: ${why}`).join('; ');
    const { webhooks, isStopping } = this.#options;
    const isOnlyShown = this.#hasTraffic;
    return [
      ...(webhooks === undefined ? [] : [{ name: 'webhooks', problem: () => webhooks.problem }]),
      { name: 'caches-synced', problem: () => texts(this.#cacheProblems) || undefined, isOnlyShown },
      { name: 'runs-return', problem: () => texts(this.#runProblems) || undefined, isOnlyShown },
      { name: 'not-stopping', problem: () => (isStopping() ? 'the process ends' : undefined) },
    ];
  }

  get #hasTraffic(): boolean {
    const { webhooks, hasEndpoints } = this.#options;
    return webhooks !== undefined || hasEndpoints;
  }

  /** A function that goes on after its time limit holds up its object, and acts outside while no code waits for it. */
  get #runProblems(): readonly ReadinessProblem[] {
    return this.#options.controllers.all.flatMap(({ name, unreturned }) =>
      unreturned.map(({ object, forMs }) => ({
        what: `controller ${name}`,
        why: `the run of ${object} was given up ${Math.round(forMs / 1000)} s ago and has not returned`,
      })),
    );
  }

  get #cacheProblems(): readonly ReadinessProblem[] {
    const { cache, controllers } = this.#options;
    const { hasSynced } = controllers;
    // Held objects may grow old (H27), but those of a kind that is not served any more are as if the process had started without it.
    const problems = cache.problems().filter(({ reason }) => !hasSynced || reason === 'NotInstalled');
    if (hasSynced && problems.length === 0) return [];
    const known = problems.map(({ kind, message }) => ({ what: `cache of ${kind.kind}`, why: message }));
    return known.length > 0 ? known : [{ what: 'caches', why: 'the first list is under way' }];
  }
}
