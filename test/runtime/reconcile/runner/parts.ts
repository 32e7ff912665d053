import type { Trigger } from '../../../../src/keelson/definition/index.js';
import type { StoredObject } from '../../../../src/runtime/cache/index.js';
import type { QueueItem } from '../../../../src/runtime/queue/index.js';

/** A stored object of a kind that does not matter. */
export function objectNamed(name: string, metadata: Partial<StoredObject['metadata']> = {}): StoredObject {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name, namespace: 'shop', uid: `uid-${name}`, resourceVersion: '7', generation: 1, ...metadata },
  } as StoredObject;
}

export const TRIGGER: Trigger = { cause: 'object' };

/** As the queue gives it. */
export function itemNamed(name: string, attempt = 1): QueueItem {
  return { key: { namespace: 'shop', name }, trigger: TRIGGER, attempt };
}

/** A promise and the means to end it. */
export function deferred<T = void>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
} {
  let [resolve, reject]: [(value: T) => void, (error: Error) => void] = [() => undefined, () => undefined];
  const promise = new Promise<T>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve, reject };
}
