import { applyJsonPatch } from '../../../src/kubernetes/apimachinery/patch/index.js';
import type { StoredObject } from '../../../src/runtime/cache/index.js';
import { InvalidError } from '../../../src/runtime/client/index.js';
import { Finalizer } from '../../../src/runtime/reconcile/finalizer.js';
import { Widget } from './widget.js';

const OURS = 'test.example.com/widget';
const NAMES = { finalizer: OURS, isOwnFinalizer: (finalizer: string) => finalizer === OURS, isOtherFinalizer: () => false };
const OTHER = 'other.example.com/x';

/** One stored object; whatever happens between a read and a write happens in `meanwhile`, once. */
class Store {
  object: StoredObject;
  readonly patches: unknown[] = [];
  meanwhile: (() => void) | undefined;

  constructor(finalizers: readonly string[] | undefined) {
    this.object = this.#made('uid-1', finalizers);
  }

  /** Another client writes the list. */
  write(finalizers: readonly string[]): void {
    const { metadata } = this.object;
    this.object = {
      ...this.object,
      metadata: { ...metadata, finalizers: [...finalizers], resourceVersion: String(Number(metadata.resourceVersion) + 1) },
    };
  }

  /** The object goes, and another one of its name comes. */
  recreate(finalizers: readonly string[] | undefined): void {
    this.object = this.#made('uid-2', finalizers);
  }

  finalizer(): Finalizer {
    const client = {
      get: () => Promise.resolve(this.object),
      patch: (_kind: unknown, _key: unknown, { body }: { body: readonly { path: string }[] }) => {
        this.meanwhile?.();
        this.meanwhile = undefined;
        this.patches.push(body);
        try {
          this.object = applyJsonPatch(this.object as never, body as never) as unknown as StoredObject;
        } catch (error) {
          return Promise.reject(invalid(error));
        }
        this.write(this.object.metadata.finalizers ?? []);
        return Promise.resolve(this.object);
      },
    };
    return new Finalizer({ client: client as never, kind: Widget, names: NAMES, fieldManager: 'test' });
  }

  #made(uid: string, finalizers: readonly string[] | undefined): StoredObject {
    const metadata = { name: 'a', namespace: 'shop', uid, resourceVersion: '7', ...(finalizers === undefined ? {} : { finalizers }) };
    return { apiVersion: 'test.example.com/v1', kind: 'Widget', metadata } as StoredObject;
  }
}

function invalid(error: unknown): InvalidError {
  const status = { kind: 'Status', status: 'Failure', code: 422, reason: 'Invalid', message: String(error) } as const;
  return new InvalidError({ request: 'PATCH widgets', httpStatus: 422, status });
}

const { signal } = new AbortController();

test('H43: the first finalizer keeps one that another client adds in the same moment', async () => {
  const store = new Store(undefined);
  store.meanwhile = () => store.write([OTHER]);
  await store.finalizer().add(store.object, signal);
  expect(store.object.metadata.finalizers).toEqual([OTHER, OURS]);
  expect(store.patches).toHaveLength(2);
});

test('H43: a further finalizer keeps what another client adds or removes in the same moment', async () => {
  const store = new Store([OTHER, 'a/b']);
  store.meanwhile = () => store.write(['c/d', OTHER]);
  await store.finalizer().add(store.object, signal);
  expect(store.object.metadata.finalizers).toEqual(['c/d', OTHER, OURS]);
});

test('H43: removing takes its own entry, wherever that has moved to', async () => {
  const store = new Store([OURS, OTHER]);
  store.meanwhile = () => store.write([OTHER, 'a/b', OURS]);
  await store.finalizer().remove(store.object, signal);
  expect(store.object.metadata.finalizers).toEqual([OTHER, 'a/b']);
});

test.each(['add', 'remove'] as const)('%s leaves another object of the same name alone', async (verb) => {
  const before = verb === 'add' ? undefined : [OURS];
  const store = new Store(before);
  store.meanwhile = () => store.recreate(before);
  expect(await store.finalizer()[verb](store.object, signal)).toBeUndefined();
  expect(store.object.metadata).toMatchObject({ uid: 'uid-2', ...(before === undefined ? {} : { finalizers: before }) });
  expect(store.object.metadata.finalizers).toEqual(before);
});

test('an object that is changed at each try is left to the next run', async () => {
  const store = new Store(undefined);
  let count = 0;
  const again = (): void => {
    store.write([`a/${count++}`]);
    queueMicrotask(() => (store.meanwhile = again));
  };
  store.meanwhile = again;
  await expect(store.finalizer().add(store.object, signal)).rejects.toThrow(InvalidError);
  expect(store.patches).toHaveLength(4);
});
