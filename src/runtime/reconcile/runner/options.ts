import type { ControllerModel, Events, Logger } from 'keelson/internal/definition';
import type { Cache, StoredObject } from '../../cache/index.js';
import type { ApiClient } from '../../client/index.js';
import type { Breather, Clock } from '../../clock/index.js';
import type { Journal } from '../../journal/index.js';
import type { Given, OutsideObserver } from '../../outside/index.js';
import type { QueueBackoff, QueueObserver } from '../../queue/index.js';
import type { Instance } from '../cluster-names.js';
import type { ReconcileObserver, ReconcileTracing } from '../observer.js';
import type { Rivals } from '../rivals.js';
import type { KnownNames } from '../strays.js';

export interface ControllerRunnerOptions {
  readonly controller: ControllerModel;
  /** Which objects the process is for, and what it is called on the cluster. */
  readonly instance: Instance;
  /** The names of all controllers of the operator. @defaultValue no name is reported */
  readonly known?: KnownNames | undefined;
  /** @defaultValue none: it is the only controller of its kind */
  readonly rivals?: Rivals | undefined;
  readonly cache: Cache;
  readonly client: ApiClient;
  readonly clock: Clock;
  /** @defaultValue one of its own */
  readonly breather?: Breather | undefined;
  readonly log: Logger;
  readonly events: (object: StoredObject, log: Logger) => Events;
  /** Objects that are worked on at the same time. @defaultValue 10 */
  readonly concurrency?: number | undefined;
  /** How long one call of `reconcile` or `finalize` may take. @defaultValue 300000, 5 minutes */
  readonly timeLimitMs?: number | undefined;
  /** Every object is looked at again after this time, ±10 %, whatever happens. @defaultValue 36000000, 10 hours */
  readonly resyncMs?: number | undefined;
  /** Share by which `requeueAfter` is longer at random. @defaultValue 0.1 */
  readonly requeueJitter?: number | undefined;
  /** No object is run; those that are deleted are finalized. @defaultValue false */
  readonly isPaused?: boolean | undefined;
  /** Failed runs in a row, after the first one, until an object is left alone. @defaultValue it is tried for ever */
  readonly retries?: number | undefined;
  /** Runs that may begin within a minute. @defaultValue as many as come */
  readonly perMinute?: number | undefined;
  readonly backoff?: QueueBackoff | undefined;
  readonly random?: (() => number) | undefined;
  readonly observer?: ReconcileObserver | undefined;
  readonly queueObserver?: QueueObserver | undefined;
  readonly tracing?: ReconcileTracing | undefined;
  /** Externals, settings and metrics of the process. @defaultValue none, for a controller that uses none */
  readonly given?: Given | undefined;
  readonly outsideObserver?: OutsideObserver | undefined;
  /** Keeps the runs. @defaultValue none */
  readonly journal?: Journal | undefined;
}
