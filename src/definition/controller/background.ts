import type { Stored } from './handle.js';
import type { OutsideBase } from './observes.js';

export interface BackgroundContext<T> extends OutsideBase {
  /** The object as it was when the work was started. */
  readonly object: Stored<T>;
  /** The key that was given to `start(key)`. */
  readonly key: string;
  /** Says how far it is, for `state(key)`. */
  readonly progress: (text: string) => void;
}

/** How a piece of long work stands. */
export type BackgroundState<T> =
  | { readonly phase: 'absent' }
  | { readonly phase: 'running'; readonly since: Date; readonly progress?: string | undefined }
  | { readonly phase: 'done'; readonly at: Date; readonly result: T }
  | { readonly phase: 'failed'; readonly at: Date; readonly error: unknown }
  | { readonly phase: 'cancelled'; readonly at: Date };

/** Long work of the reconciled object: one piece for each key at a time. Its end is a trigger. */
export interface Background<out T> {
  /** Starts it for this object and key unless it is there, and returns how it stands. */
  start(key: string): BackgroundState<T>;
  state(key: string): BackgroundState<T>;
  cancel(key: string): void;
}
