import {
  type InProcessCluster,
  isApiError,
  type KubeApiServerCluster,
  mergePatch,
  type RequestMark,
  type RunningOperator,
} from '@keelson/testing';
import { type PolicyRule, permissionsOf } from 'keelson';
import { ClusterRole, ConfigMap } from 'keelson/kinds';
import { eventually } from '../../eventually.js';
import { MemoryLog } from '../../runtime/harness/running-controller.js';
import { unusedRights } from '../examples-harness/index.js';
import { forgotten, operator, Tenant } from './operator.js';

const ACCOUNT = `system:serviceaccount:${operator.name}-system:${operator.name}`;
type Cluster = InProcessCluster | KubeApiServerCluster;
type ClassName = 'blue' | 'green' | 'red';

export type Narrowing = 'labels' | 'fields';

/** Two instances of one operator in a cluster: the same in the process and on real binaries, under exactly the rights of the manifests. */
export function instancesSuite(by: Narrowing, start: () => Promise<Cluster>): void {
  let cluster: Cluster;
  const log = new MemoryLog();
  const running = new Map<ClassName, RunningOperator>();
  const run = async (instance: ClassName): Promise<void> => {
    const settings = by === 'labels' ? { selector: `class=${instance}` } : { fieldSelector: `spec.className=${instance}` };
    running.set(instance, await cluster.startOperator({ log, settings: { instance, ...settings } }));
  };
  const stop = async (instance: ClassName): Promise<void> => running.get(instance)?.stop();
  beforeAll(async () => {
    forgotten.length = 0;
    cluster = await start();
    await cluster.patch(
      ClusterRole,
      operator.name,
      mergePatch({ rules: [...permissionsOf(operator, { isSelective: true }).cluster] }) as never,
    );
    await run('blue');
    await run('green');
  });
  afterAll(async () => {
    await cluster?.close();
  });

  const inClass = (className: ClassName): { readonly labels: Record<string, string>; readonly spec: { className: string } } => ({
    labels: { class: className },
    spec: { className },
  });
  const create = async (name: string, className: ClassName, notes: readonly string[] = []): Promise<void> => {
    const { labels, spec } = inClass(className);
    await cluster.create(Tenant({ metadata: { name, labels }, spec: { ...spec, notes: [...notes] } }));
  };
  const move = async (name: string, className: ClassName): Promise<void> => {
    const { labels, spec } = inClass(className);
    await cluster.patch(Tenant, name, mergePatch({ metadata: { labels }, spec }) as never);
  };
  const finalizers = async (name: string): Promise<readonly string[]> => (await cluster.get(Tenant, name)).metadata.finalizers ?? [];
  const appliedBy = async (name: string): Promise<string | undefined> => {
    try {
      return (await cluster.get(ConfigMap, name)).metadata.annotations?.['keelson.dev/applied']?.split(':')[0];
    } catch (error) {
      if (isApiError(error) && error.httpStatus === 404) return undefined;
      throw error;
    }
  };
  const isWith = async (name: string, instance: ClassName): Promise<boolean> =>
    (await appliedBy(name)) === `${instance}/tenants` &&
    JSON.stringify(await finalizers(name)) === JSON.stringify([`hosting.example.com/tenants_${instance}`]);
  const writesOf = (instance: ClassName, name: string, mark: RequestMark): readonly string[] =>
    cluster.requests
      .since(mark)
      .writes()
      .filter({ name })
      .all.filter(({ userAgent }) => userAgent.startsWith(`${instance}/`))
      .map(({ verb, resource }) => `${verb} ${resource}`);

  test('each instance works on the objects of its class, and asks the API server for no others', async () => {
    const { mark } = cluster.requests;
    await create('a', 'blue', ['x', 'y']);
    await create('b', 'green');
    await create('c', 'red');
    await eventually(async () => (await isWith('a', 'blue')) && (await isWith('b', 'green')));
    expect([writesOf('green', 'a', mark), writesOf('blue', 'b', mark)]).toEqual([[], []]);
    expect(await finalizers('c')).toEqual([]);
    const watches = cluster.requests.byUser(ACCOUNT).filter({ kind: Tenant, verb: 'watch' }).all;
    const narrowed = by === 'labels' ? 'labelSelector=class' : 'fieldSelector=spec.className';
    expect(watches.filter(({ url }) => !url.includes(narrowed))).toEqual([]);
  });

  test('what an instance itself writes to an object runs it no second time', async () => {
    await cluster.patch(Tenant, 'b', mergePatch({ spec: { notes: ['z'] } }) as never);
    await cluster.until(Tenant, 'b', { status: { notes: 1 } });
    await eventually(() => running.get('green')?.isSettled === true);
    const runs = running.get('green')?.journal({ object: 'shop/b' }) ?? [];
    expect(runs.filter(({ triggers }) => triggers.some(({ cause }) => cause === 'object'))).toHaveLength(2);
  });

  test('an object that changes class goes over with its finalizer and its children, and is not cleaned up', async () => {
    const { mark } = cluster.requests;
    const { uid } = (await cluster.get(ConfigMap, 'a')).metadata;
    await move('a', 'green');
    await eventually(() => isWith('a', 'green'));
    expect((await cluster.get(ConfigMap, 'a')).metadata.uid).toBe(uid);
    expect([writesOf('blue', 'a', mark), forgotten]).toEqual([[], []]);
  });

  test('what the first instance wrote goes away when the second does not want it', async () => {
    await cluster.patch(Tenant, 'a', mergePatch({ spec: { notes: ['y'] } }) as never);
    await eventually(async () => JSON.stringify((await cluster.get(ConfigMap, 'a')).data) === '{"y":"noted"}');
    await cluster.until(Tenant, 'a', { status: { notes: 1 } });
    const [status, child] = [(await cluster.get(Tenant, 'a')).metadata, (await cluster.get(ConfigMap, 'a')).metadata];
    const applied = [...(status.managedFields ?? []), ...(child.managedFields ?? [])].filter(({ operation }) => operation === 'Apply');
    expect(applied.map(({ manager }) => manager)).toEqual(['green/tenants', 'green/tenants']);
  });

  test('an instance that starts leaves objects of the other alone, their statuses too', async () => {
    await cluster.until(Tenant, 'a', { status: { notes: 1 } });
    await stop('blue');
    const { mark } = cluster.requests;
    await run('blue');
    await create('fresh', 'blue');
    await eventually(async () => (await isWith('fresh', 'blue')) && running.get('blue')?.isSettled === true);
    expect([writesOf('blue', 'a', mark), writesOf('blue', 'b', mark)]).toEqual([[], []]);
    await cluster.delete(Tenant, 'fresh');
    await cluster.until(Tenant, 'fresh', 'absent');
    forgotten.length = 0;
  });

  test('a deletion is finalized by the instance whose object it is, and once', async () => {
    await cluster.delete(Tenant, 'a');
    await cluster.until(Tenant, 'a', 'absent');
    expect(forgotten).toEqual(['a by green']);
  });

  test('an object changes class while its instance is down: the other takes it, finalizer and all', async () => {
    await create('d', 'blue');
    await eventually(() => isWith('d', 'blue'));
    await stop('blue');
    await move('d', 'green');
    await eventually(() => isWith('d', 'green'));
    await run('blue');
    await cluster.delete(Tenant, 'd');
    await cluster.until(Tenant, 'd', 'absent');
    expect(forgotten).toEqual(['a by green', 'd by green']);
  });

  test('an object of a class that nobody serves is let go of: it keeps its children, and can be deleted', async () => {
    await create('e', 'blue');
    await create('f', 'blue');
    await eventually(async () => (await isWith('e', 'blue')) && (await isWith('f', 'blue')));
    await move('e', 'red');
    await eventually(async () => (await finalizers('e')).length === 0);
    await stop('blue');
    // While its instance is down: its next process finds it.
    await move('f', 'red');
    await run('blue');
    await eventually(async () => (await finalizers('f')).length === 0);
    expect([await appliedBy('e'), await appliedBy('f')]).toEqual(['blue/tenants', 'blue/tenants']);
    await cluster.delete(Tenant, 'e');
    await cluster.until(Tenant, 'e', 'absent');
    expect(forgotten).toEqual(['a by green', 'd by green']);
  });

  test('a deletion that begins before another instance has taken the object is finalized by the one that holds it', async () => {
    await stop('green');
    await create('g', 'blue');
    await eventually(() => isWith('g', 'blue'));
    await move('g', 'green');
    await cluster.delete(Tenant, 'g');
    await cluster.until(Tenant, 'g', 'absent');
    expect(forgotten.at(-1)).toBe('g by blue');
    await run('green');
  });

  test('whatever classes objects have gone through, each is with its instance in the end, and nobody writes any more', async () => {
    const names = ['h', 'i', 'j', 'k'];
    for (const name of names) await create(name, 'blue', ['x']);
    for (let round = 0; round < 6; round += 1)
      for (const [index, name] of names.entries()) await move(name, (round + index) % 2 === 0 ? 'green' : 'blue');
    const last = (index: number): ClassName => ((5 + index) % 2 === 0 ? 'green' : 'blue');
    await eventually(async () => (await Promise.all(names.map((name, index) => isWith(name, last(index))))).every(Boolean));
    await eventually(() => [...running.values()].every(({ isSettled }) => isSettled));
    const { mark } = cluster.requests;
    // A change in each class, as a sign that both have seen what came before it.
    await create('last-blue', 'blue');
    await create('last-green', 'green');
    await eventually(async () => (await isWith('last-blue', 'blue')) && (await isWith('last-green', 'green')));
    expect(names.flatMap((name) => [...writesOf('blue', name, mark), ...writesOf('green', name, mark)])).toEqual([]);
    expect(forgotten.length).toBe(3);
  });

  test('nothing was refused, and every right that is granted has been used', async () => {
    for (const each of running.values()) await each.stop();
    const requests = cluster.requests.byUser(ACCOUNT);
    requests.expectNoneDenied();
    const { rules = [] } = await cluster.get(ClusterRole, operator.name);
    const own = (rules as PolicyRule[]).filter(({ apiGroups = [] }) => apiGroups.includes('hosting.example.com') || apiGroups.includes(''));
    // A ConfigMap was always wanted, and lists are streamed. The right on finalizers is asked for by an admission plugin.
    expect(unusedRights(own, requests)).toEqual(['delete configmaps', 'list configmaps', 'update tenants/finalizers.hosting.example.com']);
    expect(log.texts.filter((text) => /^(warn|error)/.test(text))).toEqual([]);
  });
}
