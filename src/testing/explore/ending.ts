import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';
import type { History } from './history.js';
import type { Disturbance } from './plan.js';
import type { Stage, Step } from './story.js';

/** An exploration, without the types of its operator. */
export interface Setting {
  readonly steps: readonly Step<never>[];
  readonly externals: () => Readonly<Record<string, unknown>>;
  readonly invariant: ((stage: Stage<never>) => unknown) | undefined;
  readonly outside: ((externals: never) => unknown) | undefined;
  readonly ignore: readonly string[];
  /** Further namespaces of a run. */
  readonly namespaces: readonly string[];
  /** Resources whose objects are replaced no more often than undisturbed. */
  readonly keeps: readonly string[];
  readonly judges: Readonly<Record<'fresh' | 'made' | 'deleted' | 'quiet' | 'status', boolean>>;
}

/** How a run has ended. */
export interface Ending {
  readonly state: readonly string[];
  readonly history: History;
  readonly struck: ReadonlySet<Disturbance>;
  readonly objects: readonly KubernetesObject[];
  readonly problems: readonly string[];
  /** The most timers that fired while the user waited for one thing. */
  readonly longestWait: number;
  /** The externals are not compared: a restarted process has called them from an old state. */
  readonly isOutsideExcused: boolean;
}
