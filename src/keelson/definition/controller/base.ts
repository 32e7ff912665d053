import type { KubernetesObject, ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { Stored } from './handle.js';

/** Structured logging; controller, object and reconcile id are already in every line. */
export interface Logger {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export interface EventOptions {
  /** The action that the controller took or tried, for example `ScalingUp`. @defaultValue the reason */
  readonly action?: string | undefined;
  /** A second object that took part. */
  readonly related?: KubernetesObject | undefined;
  /**
   * The object that the event is about, such as a selected object that cannot be used.
   * @defaultValue the reconciled object
   */
  readonly regarding?: KubernetesObject | undefined;
}

/** Records events about the reconciled object (`events.k8s.io/v1`); a repeated event becomes a series. */
export interface Events {
  normal(reason: string, note: string, options?: EventOptions): void;
  warning(reason: string, note: string, options?: EventOptions): void;
}

/** Why the reconcile runs. Several causes that came together run it once; the first one is given. */
export type Trigger =
  | { readonly cause: 'object' | 'retry' | 'resync' | 'timer' }
  /** Something outside: a polled value differs, a subscription said so, or a piece of background work has ended. `name` is that of its declaration. */
  | { readonly cause: 'observed' | 'background'; readonly name: string; readonly key?: string | undefined }
  /** The API server has begun, or ceased, to serve the kind of an optional handle. */
  | { readonly cause: 'served'; readonly handle: string }
  /** `running.enqueue(...)` asked for it. */
  | { readonly cause: 'enqueued' }
  | {
      readonly cause: 'owned' | 'watched';
      /** Name of the handle whose object changed. */
      readonly handle: string;
      readonly object: ObjectKey;
    };

/** The part of the context that every reconcile has, whatever its controller declares. */
export interface Base<T> {
  /** The object with defaults applied; not to be changed. */
  readonly object: Stored<T>;
  readonly log: Logger;
  /** Aborted on shutdown, on lost leadership and when the time limit is over. */
  readonly signal: AbortSignal;
  readonly events: Events;
  /** The time; tests move it by hand. A property, so that it may be taken out of the context by destructuring. */
  readonly now: () => Date;
  readonly trigger: Trigger;
  /** 1 for the first run, 2 after one that failed, and so on; a run that ends well, and a new generation, begin with 1 again. */
  readonly attempt: number;
}
