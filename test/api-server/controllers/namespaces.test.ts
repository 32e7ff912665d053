import { rootCaPublisher } from '../../../src/api-server/controllers/index.js';
import { configMap, type Stored, World } from './world.js';

interface Namespace extends Stored {
  readonly spec: { readonly finalizers?: readonly string[] };
  readonly status: {
    readonly phase: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string; readonly message: string }[];
  };
}

describe('a namespace', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.start();
    await world.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    await world.settled();
  });
  afterEach(async () => {
    await world.close();
    expect(world.problems).toEqual([]);
  });
  const inShop = (name: string, more: object = {}) => configMap(name, [], { namespace: 'shop', ...more });
  const pod = (name: string, more: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', ...more },
    spec: { containers: [{ name: 'main', image: 'app' }] },
  });
  const conditions = (): Record<string, string> =>
    Object.fromEntries(
      (world.must<Namespace>('namespaces', 'shop').status.conditions ?? []).map(({ type, status, message }) => [
        type,
        `${status}: ${message}`,
      ]),
    );

  test('goes with all that is in it', async () => {
    await world.create(inShop('a'));
    await world.create(pod('b'));
    await world.delete('namespaces', 'shop');
    await world.settled();
    expect(world.get('namespaces', 'shop')).toBeUndefined();
    expect(world.names('configmaps', 'shop')).toEqual([]);
    expect(world.names('pods', 'shop')).toEqual([]);
  });

  test('waits for its Pods before it deletes anything else', async () => {
    await world.create(inShop('a'));
    await world.create(pod('b', { finalizers: ['example.com/wait'] }));
    await world.delete('namespaces', 'shop');
    await world.settled();
    expect(world.must<Namespace>('namespaces', 'shop').status.phase).toBe('Terminating');
    expect(world.get('configmaps', 'shop/a')).toBeDefined();
    expect(conditions()).toMatchObject({
      NamespaceContentRemaining: 'True: Some resources are remaining: pods. has 1 resource instances',
      NamespaceFinalizersRemaining:
        'True: Some content in the namespace has finalizers remaining: example.com/wait in 1 resource instances',
    });
    await world.patch('pods', 'shop/b', { metadata: { finalizers: null } });
    await world.settled();
    expect(world.get('namespaces', 'shop')).toBeUndefined();
  });

  test('tells what keeps it, and goes when that has gone', async () => {
    await world.create(inShop('a', { finalizers: ['example.com/one', 'example.com/two'] }));
    await world.create(inShop('b', { finalizers: ['example.com/two'] }));
    await world.delete('namespaces', 'shop');
    await world.settled();
    expect(conditions()).toEqual({
      NamespaceDeletionDiscoveryFailure: 'False: All resources successfully discovered',
      NamespaceDeletionGroupVersionParsingFailure: 'False: All legacy kube types successfully parsed',
      NamespaceDeletionContentFailure: 'False: All content successfully deleted, may be waiting on finalization',
      NamespaceContentRemaining: 'True: Some resources are remaining: configmaps. has 2 resource instances',
      NamespaceFinalizersRemaining:
        'True: Some content in the namespace has finalizers remaining: example.com/one in 1 resource instances, example.com/two in 2 resource instances',
    });
    await world.patch('configmaps', 'shop/b', { metadata: { finalizers: null } });
    await world.settled();
    expect(conditions()['NamespaceContentRemaining']).toBe('True: Some resources are remaining: configmaps. has 1 resource instances');
    await world.patch('configmaps', 'shop/a', { metadata: { finalizers: null } });
    await world.settled();
    expect(world.get('namespaces', 'shop')).toBeUndefined();
  });

  test('is not written again while nothing changes', async () => {
    await world.create(inShop('a', { finalizers: ['example.com/wait'] }));
    await world.delete('namespaces', 'shop');
    await world.settled();
    const { revision } = world;
    await world.pass(120);
    expect(world.revision).toBe(revision);
  });

  test('waits for another finalizer in its spec', async () => {
    const namespace = world.must<Namespace>('namespaces', 'shop');
    const finalized = { ...namespace, spec: { finalizers: [...(namespace.spec.finalizers ?? []), 'example.com/mine'] } };
    await world.update('namespaces', 'shop', finalized, 'finalize');
    await world.delete('namespaces', 'shop');
    await world.settled();
    expect(world.must<Namespace>('namespaces', 'shop').spec.finalizers).toEqual(['example.com/mine']);
    await world.update('namespaces', 'shop', { ...world.must('namespaces', 'shop'), spec: {} }, 'finalize');
    await world.settled();
    expect(world.get('namespaces', 'shop')).toBeUndefined();
  });

  test('takes nothing new while it goes', async () => {
    await world.create(inShop('a', { finalizers: ['example.com/wait'] }));
    await world.delete('namespaces', 'shop');
    await world.settled();
    await expect(world.create(inShop('late'))).rejects.toThrow(
      'unable to create new content in namespace shop because it is being terminated',
    );
    expect(world.names('serviceaccounts', 'shop')).toEqual([]);
  });
});

describe('what every namespace has', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.start();
  });
  afterEach(async () => {
    await world.close();
    expect(world.problems).toEqual([]);
  });

  test('is there from the beginning, and made again when it is deleted', async () => {
    expect(world.names('serviceaccounts', 'default')).toEqual(['default']);
    await world.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    await world.settled();
    const before = world.must('serviceaccounts', 'shop/default').metadata.uid;
    await world.delete('serviceaccounts', 'shop/default');
    await world.settled();
    expect(world.must('serviceaccounts', 'shop/default').metadata.uid).not.toBe(before);
  });

  test('with TLS it has the authority of the server, too, and keeps it', async () => {
    const { api, cluster, catalog, store, clock } = world.server.core;
    const publisher = rootCaPublisher({ api, cluster, catalog, store, clock, report: (problem) => world.problems.push(problem) }, 'PEM');
    const settled = async (): Promise<void> => {
      while (!publisher.isIdle) await new Promise((resolve) => setImmediate(resolve));
    };
    publisher.start();
    await settled();
    const data = () => world.must('configmaps', 'default/kube-root-ca.crt')['data'];
    expect(data()).toEqual({ 'ca.crt': 'PEM' });
    await world.delete('configmaps', 'default/kube-root-ca.crt');
    await settled();
    expect(data()).toEqual({ 'ca.crt': 'PEM' });
    await world.patch('configmaps', 'default/kube-root-ca.crt', { data: { 'ca.crt': 'forged' } });
    await settled();
    expect(data()).toEqual({ 'ca.crt': 'PEM' });
    await publisher.stop();
  });
});

describe('aggregated roles', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.start();
  });
  afterEach(async () => {
    await world.close();
    expect(world.problems).toEqual([]);
  });
  const role = (name: string, more: object) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name },
    ...more,
  });
  const rule = (resource: string) => ({ apiGroups: [''], resources: [resource], verbs: ['get'] });

  test('follow the roles that they are made of', async () => {
    const selector = { clusterRoleSelectors: [{ matchLabels: { part: 'yes' } }] };
    await world.create(role('whole', { aggregationRule: selector, rules: [rule('nonsense')] }));
    await world.settled();
    expect(world.must('rbac.authorization.k8s.io/clusterroles', 'whole')['rules'] ?? []).toEqual([]);
    await world.create({ ...role('one', { rules: [rule('pods')] }), metadata: { name: 'one', labels: { part: 'yes' } } });
    await world.create({ ...role('two', { rules: [rule('secrets')] }), metadata: { name: 'two', labels: { part: 'yes' } } });
    await world.settled();
    const rules = () => world.must('rbac.authorization.k8s.io/clusterroles', 'whole')['rules'];
    expect(rules()).toEqual([rule('pods'), rule('secrets')]);
    await world.delete('rbac.authorization.k8s.io/clusterroles', 'one');
    await world.settled();
    expect(rules()).toEqual([rule('secrets')]);
    const { revision } = world;
    await world.pass(5);
    expect(world.revision).toBe(revision);
  });
});
