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

/**
 * Long work of the reconciled object: one piece for each key at a time. Its end is a trigger.
 *
 * @typeParam TInput - the parameters of its function behind the context: none, or one
 */
export interface Background<out T, in TInput extends readonly unknown[] = []> {
  /**
   * Starts it for this object and key unless it is there, and returns how it stands.
   *
   * The input is JSON, and belongs to the work: with another one, work that runs is cancelled and begins anew once its function has returned, and work that has
   * ended begins anew at once. Leave out what differs from run to run, such as times.
   *
   * @throws ExternalError for an input that is not JSON
   */
  start(key: string, ...input: TInput): BackgroundState<T>;
  state(key: string): BackgroundState<T>;
  cancel(key: string): void;
}

/** The handle of a background function. */
export type BackgroundOf<TFunction> = TFunction extends (context: never, ...input: infer I) => infer R ? Background<Awaited<R>, I> : never;
