import { Pod } from 'keelson/kinds';
import type { StoredObject } from '../../../src/runtime/cache/index.js';
import { watchesHandle } from '../../../src/runtime/reconcile/handles.js';
import { RunCalls } from '../../../src/runtime/reconcile/run-calls.js';
import { MemoryLog } from '../harness/running-controller.js';

interface Sent {
  readonly verb: string;
  readonly key: unknown;
  readonly given: unknown;
}

interface Writes {
  delete(target: unknown, options?: object): Promise<void>;
  evict(target: unknown, options?: object): Promise<boolean>;
}

const owner = {
  apiVersion: 'v1',
  kind: 'Widget',
  metadata: { name: 'a', namespace: 'shop', uid: 'owner', resourceVersion: '1' },
} as StoredObject;
const pod = { metadata: { name: 'p', namespace: 'shop', uid: 'pod-1', resourceVersion: '5' } };

function scene(): { readonly handle: Writes; readonly sent: Sent[]; readonly told: unknown[] } {
  const sent: Sent[] = [];
  const told: unknown[] = [];
  const client = {
    delete: (_kind: unknown, key: unknown, { signal: _, ...given }: { signal: unknown }) => {
      sent.push({ verb: 'delete', key, given });
      return Promise.resolve(undefined);
    },
    subresource: (_kind: unknown, subresource: string) => ({
      create: (key: unknown, given: unknown) => {
        sent.push({ verb: subresource, key, given });
        return Promise.resolve(undefined);
      },
    }),
  };
  const informer = { kind: Pod, written: (object: unknown) => told.push(object), deleted: (deletion: unknown) => told.push(deletion) };
  const log = new MemoryLog();
  const scope = {
    client,
    object: owner,
    fieldManager: 'test',
    signal: new AbortController().signal,
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
