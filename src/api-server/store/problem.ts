import type { StoredObject } from './stored-object.js';

/**
 * Why the store did not do what it was asked for: a value, for a refusal is an answer like any other.
 *
 * `message` is the API server's own text where it does not name the resource (that is the registry's to say). Source: apiserver,
 * `pkg/storage/errors.go`, `pkg/storage/continue.go`, `pkg/storage/etcd3/errors.go`.
 */
export type StoreProblem =
  | { readonly kind: 'AlreadyExists'; readonly message: string; readonly current: StoredObject }
  | { readonly kind: 'NotFound'; readonly message: string }
  /** The object has another revision than the one that the write was made from. */
  | { readonly kind: 'Conflict'; readonly message: string; readonly current: StoredObject }
  | { readonly kind: 'BadRequest'; readonly message: string }
  /** The requested revision was compacted. `continue` goes on with the list at the current revision, which is then inconsistent. */
  | { readonly kind: 'Expired'; readonly message: string; readonly continue?: string }
  | { readonly kind: 'ResourceVersionTooLarge'; readonly message: string; readonly requested: number; readonly current: number }
  /** A watcher did not take its events: it has to watch again from the last one that it took. */
  | { readonly kind: 'SlowWatcher'; readonly message: string };

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: StoreProblem };

export function done<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function refused(problem: StoreProblem): Outcome<never> {
  return { ok: false, problem };
}

export function alreadyExists(current: StoredObject): StoreProblem {
  return { kind: 'AlreadyExists', message: 'the object already exists', current };
}

export function notFound(): StoreProblem {
  return { kind: 'NotFound', message: 'the object does not exist' };
}

export function conflict(current: StoredObject): StoreProblem {
  const message = 'the object has been modified; please apply your changes to the latest version and try again';
  return { kind: 'Conflict', message, current };
}

export function badRequest(message: string): StoreProblem {
  return { kind: 'BadRequest', message };
}

export function tooLarge(requested: number, current: number): StoreProblem {
  return { kind: 'ResourceVersionTooLarge', message: `Too large resource version: ${requested}, current: ${current}`, requested, current };
}

export function listExpired(): StoreProblem {
  return { kind: 'Expired', message: 'The resourceVersion for the provided list is too old.' };
}

export function continueExpired(token: string): StoreProblem {
  return { kind: 'Expired', message: INCONSISTENT_CONTINUE, continue: token };
}

const INCONSISTENT_CONTINUE =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the ' +
  'continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - ' +
  'objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

export function watchExpired(requested: number, compacted: number): StoreProblem {
  return { kind: 'Expired', message: `too old resource version: ${requested} (${compacted})` };
}

export function slowWatcher(limit: number): StoreProblem {
  return { kind: 'SlowWatcher', message: `the watcher has not taken ${limit} events: it must watch again from the last one that it took` };
}
