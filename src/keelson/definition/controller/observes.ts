import type { ObjectKey, Span } from '@keelson/kubernetes/apimachinery';
import type { PollModel, SubscriptionModel } from '../model.js';
import type { Logger } from './base.js';
import type { Stored } from './handle.js';

export interface PollOptions<in TContext, TValue> {
  /** How often it is read, for each object. */
  readonly every: Span;
  /** Share of `every` by which the times differ at random, from 0 to 1. @defaultValue 0.1 */
  readonly jitter?: number | undefined;
  readonly read: (context: TContext) => TValue | Promise<TValue>;
  /** Whether nothing has changed, so that nothing runs. @defaultValue the two are the same JSON */
  readonly equals?: ((a: NoInfer<TValue>, b: NoInfer<TValue>) => boolean) | undefined;
}

/** A value that is read again and again. Opaque: made by the `poll` that `observes` is given. */
export interface Poll<out T> extends PollModel {
  readonly '~polled'?: T | undefined;
}

/** A source that says by itself what to look at. Opaque: made by the `subscribe` that `observes` is given. */
export interface Subscription extends SubscriptionModel {
  readonly '~subscribed'?: true | undefined;
}

/** The context of functions that look outside. */
export interface OutsideBase {
  /** Aborted on shutdown and lost leadership, and when the answer is not needed any more. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** The time; tests move it by hand. */
  readonly now: () => Date;
}

export interface ReadContext<T> extends OutsideBase {
  readonly object: Stored<T>;
}

export interface SubscribeContext extends OutsideBase {
  /** Reconciles an object; a plain name is one of a cluster-scoped kind. */
  readonly enqueue: (key: string | ObjectKey) => void;
}

/** Makes the sources of a controller: types know its object and what it uses. */
export interface ObserveBuilder<T, TGiven> {
  /** Reads a value per object, and reconciles the object when the value differs. */
  readonly poll: <TValue>(options: PollOptions<TGiven & ReadContext<T>, TValue>) => Poll<TValue>;
  /** Starts something that pushes: it calls `enqueue`, until the signal is aborted or the returned function is called. */
  readonly subscribe: (start: (context: TGiven & SubscribeContext) => void | (() => void) | Promise<void>) => Subscription;
}

export type ObservesMap = Readonly<Record<string, { readonly sort: 'poll' | 'subscription' }>>;

/** A polled value of the world outside, for the reconciled object. */
export interface Polled<out T> {
  /** The last value that was read; absent until a read has succeeded. */
  readonly value: T | undefined;
  /** When the value was read. */
  readonly at: Date | undefined;
  /** Why the last read failed; absent when it succeeded. */
  readonly error: unknown;
  /** Reads now, and throws what the read throws. */
  readonly refresh: () => Promise<T>;
}

export interface Subscribed {
  /** Why it does not push at the moment; absent when it does. */
  readonly error: unknown;
}

/** The handle of a source in the context. */
export type FromObserved<TObserved> = TObserved extends { readonly sort: 'subscription' }
  ? Subscribed
  : TObserved extends { readonly '~polled'?: infer T }
    ? Polled<Exclude<T, undefined>>
    : never;

/** The values that a test may say: of what is polled. */
export type SeenIn<TObserves> = TObserves extends infer S
  ? {
      readonly [N in keyof S as S[N] extends { readonly sort: 'subscription' } ? never : N]: S[N] extends { readonly '~polled'?: infer T }
        ? Exclude<T, undefined>
        : never;
    }
  : never;
