import { configMap, ownerOf, type Stored, World } from './world.js';

const FAR = '00000000-0000-0000-0000-000000000000';

describe('what has lost its owners', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.start();
  });
  afterEach(async () => {
    await world.close();
    expect(world.problems).toEqual([]);
  });
  const make = async (name: string, owners: readonly object[] = [], more: object = {}): Promise<Stored> =>
    world.create(configMap(name, owners, more));
  const left = (): readonly string[] => world.names('configmaps').filter((name) => name !== 'kube-root-ca.crt');
  const deleted = async (name: string, propagationPolicy: 'Background' | 'Foreground' | 'Orphan'): Promise<void> => {
    await world.delete('configmaps', `default/${name}`, { propagationPolicy });
    await world.settled();
  };

  test('goes with its owner, and takes its own dependents along', async () => {
    const owner = await make('a');
    const child = await make('b', [ownerOf(owner)]);
    await make('c', [ownerOf(child)]);
    await make('other');
    await deleted('a', 'Background');
    expect(left()).toEqual(['other']);
  });

  test('goes when it is made after its owner has gone', async () => {
    const owner = await make('a');
    await deleted('a', 'Background');
    await make('late', [ownerOf(owner)]);
    await world.settled();
    expect(left()).toEqual([]);
  });

  test('stays as long as one owner is there, without the reference to the other', async () => {
    const [one, two] = [await make('one'), await make('two')];
    await make('child', [ownerOf(one), ownerOf(two)]);
    await deleted('one', 'Background');
    expect(world.must('configmaps', 'default/child').metadata.ownerReferences).toEqual([ownerOf(two)]);
    await deleted('two', 'Background');
    expect(left()).toEqual([]);
  });

  test('an owner of the same name with another uid is none', async () => {
    await make('a');
    await make('child', [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: FAR }]);
    await world.settled();
    expect(left()).toEqual(['a']);
  });

  test('a foreground deletion waits for those that block it, and for no others', async () => {
    const owner = await make('a');
    await make('blocking', [ownerOf(owner, { blockOwnerDeletion: true })], { finalizers: ['example.com/wait'] });
    await make('other', [ownerOf(owner)], { finalizers: ['example.com/wait'] });
    await deleted('a', 'Foreground');
    expect(world.must('configmaps', 'default/a').metadata.finalizers).toEqual(['foregroundDeletion']);
    expect(world.must('configmaps', 'default/blocking').metadata.deletionTimestamp).toBeDefined();
    expect(world.must('configmaps', 'default/other').metadata.deletionTimestamp).toBeDefined();
    await world.patch('configmaps', 'default/blocking', { metadata: { finalizers: null } });
    await world.settled();
    expect(left()).toEqual(['other']);
  });

  test('a foreground deletion goes down to the last generation first', async () => {
    const owner = await make('a');
    const child = await make('b', [ownerOf(owner, { blockOwnerDeletion: true })]);
    await make('c', [ownerOf(child, { blockOwnerDeletion: true })], { finalizers: ['example.com/wait'] });
    await deleted('a', 'Foreground');
    expect(world.must('configmaps', 'default/b').metadata.finalizers).toEqual(['foregroundDeletion']);
    expect(left()).toEqual(['a', 'b', 'c']);
    await world.patch('configmaps', 'default/c', { metadata: { finalizers: null } });
    await world.settled();
    expect(left()).toEqual([]);
  });

  test('a dependent of a waiting owner and of a solid one loses the first, and stays', async () => {
    const [solid, waiting] = [await make('solid'), await make('waiting')];
    await make('child', [ownerOf(solid), ownerOf(waiting, { blockOwnerDeletion: true })]);
    await deleted('waiting', 'Foreground');
    expect(left()).toEqual(['child', 'solid']);
    expect(world.must('configmaps', 'default/child').metadata.ownerReferences).toEqual([ownerOf(solid)]);
  });

  test('a circle of owners that block each other is let go', async () => {
    const one = await make('one');
    const two = await make('two', [ownerOf(one, { blockOwnerDeletion: true })]);
    await world.patch('configmaps', 'default/one', { metadata: { ownerReferences: [ownerOf(two, { blockOwnerDeletion: true })] } });
    await deleted('one', 'Foreground');
    expect(left()).toEqual([]);
  });

  test('orphans keep what they are, but for the reference', async () => {
    const [owner, other] = [await make('a'), await make('other')];
    await make('child', [ownerOf(owner), ownerOf(other)]);
    await make('single', [ownerOf(owner)]);
    await deleted('a', 'Orphan');
    expect(left()).toEqual(['child', 'other', 'single']);
    expect(world.must('configmaps', 'default/child').metadata.ownerReferences).toEqual([ownerOf(other)]);
    expect(world.must('configmaps', 'default/single').metadata.ownerReferences).toBeUndefined();
  });

  test('an object with a finalizer that is orphaning stays itself', async () => {
    const owner = await make('a', [], { finalizers: ['example.com/wait'] });
    await make('child', [ownerOf(owner)]);
    await deleted('a', 'Orphan');
    expect(world.must('configmaps', 'default/a').metadata.finalizers).toEqual(['example.com/wait']);
    expect(world.must('configmaps', 'default/child').metadata.ownerReferences).toBeUndefined();
  });

  test('cluster-scoped owners count for what is in namespaces', async () => {
    const owner = await world.create({
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'owner' },
      value: 5,
    });
    await make('child', [ownerOf(owner)]);
    await world.settled();
    expect(left()).toEqual(['child']);
    await world.delete('scheduling.k8s.io/priorityclasses', 'owner');
    await world.settled();
    expect(left()).toEqual([]);
  });

  test('a cluster-scoped object never goes for an owner in a namespace', async () => {
    const owner = await make('a');
    const metadata = { name: 'dependent', ownerReferences: [ownerOf(owner)] };
    await world.create({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata, value: 5 });
    await deleted('a', 'Background');
    expect(world.get('scheduling.k8s.io/priorityclasses', 'dependent')).toBeDefined();
  });

  test('an owner of a kind that nobody serves keeps its dependents, until the kind is there and the owner is not', async () => {
    await make('child', [{ apiVersion: 'example.com/v1', kind: 'Widget', name: 'a', uid: FAR }]);
    await world.settled();
    expect(left()).toEqual(['child']);
    await world.create(widgets);
    await world.settled();
    expect(left()).toEqual([]);
  });

  test('what a custom resource owns goes with the definition, however late the collector looks', async () => {
    await world.create(widgets);
    await world.settled();
    const owner = await world.create({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a', namespace: 'default' } });
    const other = await make('other');
    await make('child', [ownerOf(owner)]);
    await make('shared', [ownerOf(owner), ownerOf(other)]);
    await world.settled();
    const { catalog } = world.server.core;
    const ofKind = catalog.ofKind.bind(catalog);
    jest.spyOn(catalog, 'ofKind').mockImplementation((group, ...rest) => (group === 'example.com' ? undefined : ofKind(group, ...rest)));
    await world.delete('example.com/widgets', 'default/a');
    await world.settled();
    expect(left()).toEqual(['other', 'shared']);
    expect(world.must('configmaps', 'default/shared').metadata.ownerReferences).toEqual([ownerOf(other)]);
  });

  test('custom resources own, and are owned', async () => {
    await world.create(widgets);
    await world.settled();
    const owner = await world.create({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a', namespace: 'default' } });
    const references = [ownerOf(owner, { controller: true, blockOwnerDeletion: true })];
    await make('child', references);
    await world.create({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'small', namespace: 'default', ownerReferences: references },
    });
    await world.delete('example.com/widgets', 'default/a', { propagationPolicy: 'Foreground' });
    await world.settled();
    expect(left()).toEqual([]);
    expect(world.names('example.com/widgets')).toEqual([]);
  });

  test('what nobody owns is never looked at', async () => {
    await make('a');
    await make('b', [], { finalizers: ['example.com/wait'] });
    const { revision } = world;
    await world.settled();
    expect(world.revision).toBe(revision);
    expect(left()).toEqual(['a', 'b']);
  });
});

const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

test('an object that is stored at a version which is served no longer goes with its owner', async () => {
  const world = await World.start();
  try {
    const version = (name: string, more: object) => ({ name, schema: { openAPIV3Schema: { type: 'object' } }, ...more });
    const both = (v1: object, v2: object) => [version('v1', v1), version('v2', v2)];
    const names = { kind: 'Shelf', plural: 'shelves', singular: 'shelf', listKind: 'ShelfList' };
    const definitions = 'apiextensions.k8s.io/customresourcedefinitions';
    await world.create({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'shelves.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names,
        versions: both({ served: true, storage: true }, { served: true, storage: false }),
      },
    });
    await world.settled();
    const owner = await world.create(configMap('owner'));
    const metadata = { name: 'a', namespace: 'default', ownerReferences: [ownerOf(owner)] };
    await world.create({ apiVersion: 'example.com/v1', kind: 'Shelf', metadata });
    await world.patch(definitions, 'shelves.example.com', {
      spec: { versions: both({ served: false, storage: true }, { served: true, storage: false }) },
    });
    await world.settled();
    await world.delete('configmaps', 'default/owner');
    await world.settled();
    expect(world.names('example.com/shelves')).toEqual([]);
    expect(world.problems).toEqual([]);
  } finally {
    await world.close();
  }
});
