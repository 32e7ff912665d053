import { applyJsonPatch } from '../../../src/kubernetes/apimachinery/patch/index.js';
import type { StoredObject } from '../../../src/runtime/cache/index.js';
import { InvalidError } from '../../../src/runtime/client/index.js';
import { clusterNames } from '../../../src/runtime/reconcile/cluster-names.js';
import { Finalizer, type FinalizerNames } from '../../../src/runtime/reconcile/finalizer.js';
import { Widget } from './widget.js';

const OURS = 'test.example.com/widget';
const NAMES = {
  finalizer: OURS,
  isOwnFinalizer: (finalizer: string) => finalizer === OURS,
  isOtherFinalizer: () => false,
  isFormerFinalizer: () => false,
};
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

  finalizer(names: FinalizerNames = NAMES, isMine?: (object: StoredObject) => boolean): Finalizer {
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
    return new Finalizer({ client: client as never, kind: Widget, names, isMine, fieldManager: 'test' });
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

describe('the finalizers of several instances', () => {
  const controller = { name: 'widget', finalizer: OURS };
  const namesOf = (name: string): FinalizerNames & { readonly finalizer: string } => {
    const names = clusterNames(controller, { operator: 'o', name, selector: `class=${name}` });
    return { ...names, finalizer: names.finalizer ?? '' };
  };
  const [blue, green] = [namesOf('blue'), namesOf('green')];
  const signal = new AbortController().signal;
  const finalizersOf = (store: Store) => store.object.metadata.finalizers;

  test('that of the old instance is replaced in one patch, and those of others stay', async () => {
    const store = new Store([blue.finalizer, OTHER]);
    await store.finalizer(green).add(store.object, signal);
    expect(finalizersOf(store)).toEqual([green.finalizer, OTHER]);
    expect(store.patches).toHaveLength(1);
  });

  test('those of a release before are replaced too, in whichever instance, and hold a deletion', async () => {
    const renamed = { ...controller, formerFinalizers: ['test.example.com/gadget'] };
    const names = clusterNames(renamed, { operator: 'o', name: 'green', selector: 'class=green' });
    const former = ['test.example.com/gadget', 'test.example.com/gadget_green', 'test.example.com/gadget_blue', OURS];
    const store = new Store([OTHER, ...former]);
    const finalizer = store.finalizer(names);
    expect([finalizer.isSettled(store.object), finalizer.hasFormer(store.object), finalizer.isOn(store.object)]).toEqual([
      false,
      true,
      true,
    ]);
    await finalizer.add(store.object, signal);
    expect(finalizersOf(store)).toEqual([OTHER, green.finalizer]);
    // The deletion of an object of another instance waits for that instance.
    expect(finalizer.isOn(new Store(['test.example.com/gadget_blue']).object)).toBe(false);
  });

  test('a controller that has none any more takes off those of before', async () => {
    const names = clusterNames({ name: 'widget', formerFinalizers: [OURS] }, { operator: 'o' });
    const store = new Store([OURS, OTHER, `${OURS}_blue`]);
    const finalizer = store.finalizer(names);
    expect(finalizer.isSettled(store.object)).toBe(false);
    await finalizer.add(store.object, signal);
    expect(finalizersOf(store)).toEqual([OTHER]);
    expect(finalizer.isSettled(store.object)).toBe(true);
  });

  test('an object that has become another instance’s in the meantime gets none', async () => {
    const store = new Store([OTHER]);
    store.meanwhile = () => store.write([OTHER, green.finalizer]);
    const isMine = ({ metadata: { finalizers = [] } }: StoredObject): boolean => !finalizers.includes(green.finalizer);
    expect(await store.finalizer(blue, isMine).add(store.object, signal)).toBeUndefined();
    expect(finalizersOf(store)).toEqual([OTHER, green.finalizer]);
  });

  test('an object that is let go of loses the finalizer of this instance and no other', async () => {
    const store = new Store([OURS, blue.finalizer, OTHER]);
    await store.finalizer(blue, () => false).letGo(store.object, signal);
    expect(finalizersOf(store)).toEqual([OURS, OTHER]);
  });

  test('a deletion that begins before it is let go of finds the finalizer', async () => {
    const store = new Store([blue.finalizer]);
    store.meanwhile = () => {
      store.write([blue.finalizer]);
      store.object = { ...store.object, metadata: { ...store.object.metadata, deletionTimestamp: '2030-01-01T00:00:00Z' } };
    };
    const left = await store.finalizer(blue, () => false).letGo(store.object, signal);
    expect([left?.metadata.deletionTimestamp, finalizersOf(store)]).toEqual(['2030-01-01T00:00:00Z', [blue.finalizer]]);
  });

  test('an object that is back, or another one of its name, is left alone', async () => {
    const store = new Store([blue.finalizer]);
    await store.finalizer(blue, () => true).letGo(store.object, signal);
    const before = store.object;
    store.recreate([blue.finalizer]);
    expect(await store.finalizer(blue, () => false).letGo(before, signal)).toBeUndefined();
    expect([store.patches, finalizersOf(store)]).toEqual([[], [blue.finalizer]]);
  });

  test('what an operator without a selector held is finalized by the instance that has it now', async () => {
    const store = new Store([OURS]);
    expect([store.finalizer(blue).isOn(store.object), store.finalizer(blue).isMarked(store.object)]).toEqual([true, false]);
    await store.finalizer(blue).remove(store.object, signal);
    expect(finalizersOf(store)).toEqual([]);
  });
});
