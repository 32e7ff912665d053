import { Pod } from 'keelson/kinds';
import type { StoredObject } from '../../../src/runtime/cache/index.js';
import { errorOf } from '../../../src/runtime/client/error-of.js';
import type { StatusCause } from '../../../src/runtime/client/index.js';
import { watchesHandle } from '../../../src/runtime/reconcile/handles.js';
import { RunCalls } from '../../../src/runtime/reconcile/run-calls.js';
import { MemoryLog } from '../harness/running-controller.js';

interface Sent {
  readonly verb: string;
  readonly key: unknown;
  readonly given: unknown;
}

interface Writes {
  get(key: unknown): unknown;
  delete(target: unknown, options?: object): Promise<void>;
  evict(target: unknown, options?: object): Promise<boolean>;
}

const owner = {
  apiVersion: 'v1',
  kind: 'Widget',
  metadata: { name: 'a', namespace: 'shop', uid: 'owner', resourceVersion: '1' },
} as StoredObject;
const pod = { metadata: { name: 'p', namespace: 'shop', uid: 'pod-1', resourceVersion: '5' } };

interface SceneOptions {
  /** What the server answers to a deletion or an eviction. */
  readonly answer?: () => unknown;
  readonly object?: StoredObject;
  readonly signal?: AbortSignal;
}

function scene({ answer = () => undefined, object = owner, signal = new AbortController().signal }: SceneOptions = {}): {
  readonly handle: Writes;
  readonly sent: Sent[];
  readonly told: unknown[];
} {
  const sent: Sent[] = [];
  const told: unknown[] = [];
  const client = {
    delete: (_kind: unknown, key: unknown, { signal: _, ...given }: { signal: unknown }) => {
      sent.push({ verb: 'delete', key, given });
      return Promise.resolve().then(answer);
    },
    subresource: (_kind: unknown, subresource: string) => ({
      create: (key: unknown, given: unknown) => {
        sent.push({ verb: subresource, key, given });
        return Promise.resolve().then(answer);
      },
    }),
  };
  const informer = {
    kind: Pod,
    get: (asked: unknown) => asked,
    written: (object: unknown) => told.push(object),
    deleted: (deletion: unknown) => told.push(deletion),
  };
  const log = new MemoryLog();
  const scope = {
    client,
    object,
    fieldManager: 'test',
    signal,
    calls: new RunCalls(log),
    rivals: new Set<string>(),
  };
  return { handle: watchesHandle('pods', informer as never, ['delete', 'evict'], scope as never) as Writes, sent, told };
}

const key = { name: 'p', namespace: 'shop' };

describe('H47: an object that was handed over is the one that is meant, not another one of its name', () => {
  test('delete has its uid as a precondition, and the cache forgets it', async () => {
    const { handle, sent, told } = scene();
    await handle.delete(pod, { gracePeriodSeconds: 0 });
    expect(sent).toEqual([{ verb: 'delete', key, given: { uid: 'pod-1', gracePeriodSeconds: 0 } }]);
    expect(told).toEqual([{ key, uid: 'pod-1' }]);
  });

  test('evict has its uid as a precondition, beside what the caller asks for', async () => {
    const { handle, sent } = scene();
    await handle.evict(pod, { gracePeriodSeconds: 5 });
    await handle.evict(pod, { resourceVersion: '5' });
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: key };
    expect(sent).toEqual([
      {
        verb: 'eviction',
        key,
        given: { ...eviction, deleteOptions: { gracePeriodSeconds: 5, preconditions: { uid: 'pod-1', resourceVersion: undefined } } },
      },
      { verb: 'eviction', key, given: { ...eviction, deleteOptions: { preconditions: { uid: 'pod-1', resourceVersion: '5' } } } },
    ]);
  });
});

test('a name means whatever has it', async () => {
  const { handle, sent } = scene();
  await handle.delete('p');
  await handle.evict('p');
  expect(sent.map(({ given }) => given)).toEqual([
    { uid: undefined },
    { apiVersion: 'policy/v1', kind: 'Eviction', metadata: key, deleteOptions: {} },
  ]);
});

describe('whom a call means', () => {
  test.each<[string, unknown, object]>([
    ['a name: the object of the namespace of the reconciled one', 'p', key],
    ['a key without a namespace: the same', { name: 'p' }, key],
    ['a key: what it says', { name: 'p', namespace: 'other' }, { name: 'p', namespace: 'other' }],
  ])('%s', async (_, given, meant) => {
    const { handle, sent } = scene();
    expect(handle.get(given)).toEqual(meant);
    await handle.delete(given);
    expect(sent).toMatchObject([{ key: meant }]);
  });

  test('an object that was handed over without a namespace is one of the namespace of the reconciled one', async () => {
    const { handle, sent } = scene();
    await handle.delete({ metadata: { name: 'p' } });
    await handle.delete({ metadata: { name: 'p', namespace: 'other' } });
    expect(sent.map((call) => call.key)).toEqual([key, { name: 'p', namespace: 'other' }]);
  });

  test.each<[unknown, string]>([
    ['', 'Pod: "" is not a key; give a name, or { namespace, name }'],
    [{ namespace: 'shop' }, 'Pod: {"namespace":"shop"} is not a key; give a name, or { namespace, name }'],
    [{ name: 7 }, 'Pod: {"name":7} is not a key; give a name, or { namespace, name }'],
  ])('%j is no key', async (given, problem) => {
    const { handle, sent } = scene();
    expect(() => handle.get(given)).toThrow(problem);
    await expect(handle.delete(given)).rejects.toThrow(problem);
    expect(sent).toEqual([]);
  });

  test('an object without a name, and a name beside a cluster-scoped object, are refused', async () => {
    await expect(scene().handle.delete({ metadata: { generateName: 'p-' } })).rejects.toThrow('Pod: the object has no name');
    const { namespace: _, ...metadata } = owner.metadata;
    const { handle } = scene({ object: { ...owner, metadata } as StoredObject });
    expect(() => handle.get('p')).toThrow('Pod p: which namespace? The reconciled object is cluster-scoped; give { namespace, name }');
    expect(handle.get({ name: 'p', namespace: 'other' })).toEqual({ name: 'p', namespace: 'other' });
  });
});

const refusal = (code: number, reason: string, causes: readonly StatusCause[] = []) =>
  errorOf({
    request: 'DELETE /api/v1/namespaces/shop/pods/p',
    httpStatus: code,
    retryAfterMs: undefined,
    status: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: reason, details: { causes } },
  });

describe('answers of the server', () => {
  const answering = (error: Error) => scene({ answer: () => Promise.reject(error) });

  test('a Pod that a disruption budget protects is not evicted, which is no error', async () => {
    expect(await answering(refusal(429, 'TooManyRequests', [{ reason: 'DisruptionBudget' }])).handle.evict(pod)).toBe(false);
  });

  test('a server that is busy is not taken for a disruption budget', async () => {
    await expect(answering(refusal(429, 'TooManyRequests')).handle.evict(pod)).rejects.toThrow('TooManyRequests');
    const other = refusal(403, 'Forbidden', [{ reason: 'DisruptionBudget' }]);
    await expect(answering(other).handle.evict(pod)).rejects.toThrow('Forbidden');
  });

  test('what is not there any more is evicted and deleted', async () => {
    const { handle, told } = answering(refusal(404, 'NotFound'));
    expect(await handle.evict(pod)).toBe(true);
    expect(await handle.delete(pod)).toBeUndefined();
    expect(told).toEqual([]);
  });

  test('any other refusal of a deletion is an error', async () => {
    await expect(answering(refusal(409, 'Conflict')).handle.delete(pod)).rejects.toThrow('Conflict');
  });

  test('an object that ends later is in the cache as the server has it; one without a deadline is gone', async () => {
    const ending = { ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2030-01-01T00:00:00Z' } };
    const later = scene({ answer: () => ending });
    await later.handle.delete(pod);
    expect(later.told).toEqual([ending]);
    const gone = scene({ answer: () => pod });
    await gone.handle.delete(pod);
    await gone.handle.delete('p');
    expect(gone.told).toEqual([{ key, uid: 'pod-1' }]);
  });
});

test('H52: a run that was given up writes nothing any more', async () => {
  const { handle, sent } = scene({ signal: AbortSignal.abort(new Error('given up')) });
  await expect(handle.delete(pod)).rejects.toThrow('given up');
  await expect(handle.evict(pod)).rejects.toThrow('given up');
  expect(sent).toEqual([]);
});
