import { type ContextOf, type Done, declareAccess, defineController, defineCustomResource, toAll, watch } from 'keelson';
import { ConfigMap, Node, Pod } from 'keelson/kinds';
import { z } from 'zod';
import { reconcileOnce } from '../../../src/runtime/reconcile/index.js';

const Desk = defineCustomResource({ group: 'desks.example.com', kind: 'Desk', versions: { v1: { spec: z.object({}) } } });
const access = declareAccess({
  for: Desk,
  watches: {
    configs: watch(ConfigMap, {
      enqueue: toAll(Desk),
      verbs: ['create', 'update', 'patch', 'apply', 'delete'],
      indexes: { data: ({ data }) => Object.keys(data ?? {}) },
    }),
    pods: watch(Pod, { verbs: ['evict'] }),
    nodes: watch(Node, { verbs: ['delete'] }),
  },
});
type Context = ContextOf<typeof access>;
type Act = (context: Context) => Promise<unknown> | unknown;

/** What a function that is run as a reconciler returns, among these ConfigMaps. */
async function seenBy(act: Act, observed: { readonly configs?: object[]; readonly pods?: object[]; readonly nodes?: object[] } = {}) {
  let seen: unknown;
  const controller = defineController({
    name: 'desks',
    ...access,
    async reconcile(context: Context): Promise<Done> {
      seen = await act(context);
      return context.done();
    },
  });
  await reconcileOnce(controller, { object: { metadata: { name: 'a', namespace: 'shop' } }, ...observed });
  return seen;
}

const config = (name: string, rest: object = {}, namespace = 'shop') => ({ metadata: { name, namespace }, ...rest });
const names = (objects: readonly { readonly metadata: { readonly name: string } }[]) => objects.map(({ metadata: { name } }) => name);

describe('in a test of a single call the next read sees what was written', () => {
  test('create completes the object as a server does, in the namespace of the reconciled object, with an identity of its own', async () => {
    const seen = (await seenBy(async ({ configs }) => {
      const one = await configs.create(ConfigMap({ metadata: { name: 'one' } }));
      const two = await configs.create(ConfigMap({ metadata: { name: 'two', namespace: 'other' } }));
      return [one, two, configs.get('one'), configs.get('two'), configs.get({ name: 'two', namespace: 'other' })];
    })) as ConfigMap[];
    const [one, two, ...got] = seen;
    expect(one).toMatchObject({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'one', namespace: 'shop', uid: '00000000-0000-4000-8000-000000001001', resourceVersion: '1001' },
    });
    expect(two?.metadata).toMatchObject({ namespace: 'other', uid: '00000000-0000-4000-8000-000000001002', resourceVersion: '1002' });
    expect(got).toEqual([one, undefined, two]);
  });

  test('create with generateName gives names that differ; a name that is taken is refused', async () => {
    const seen = await seenBy(async ({ configs }) => {
      for (const _ of [1, 2]) await configs.create({ metadata: { generateName: 'run-' } } as never);
      return names(configs.list());
    });
    expect(seen).toEqual(['run-1000', 'run-1001']);
    const again = seenBy(({ configs }) => configs.create(ConfigMap({ metadata: { name: 'one' } })), { configs: [config('one')] });
    await expect(again).rejects.toThrow('ConfigMap one: there is one already');
  });

  test('apply and patch are merged into what is there, update replaces it; its identity stays, its version does not', async () => {
    const before = {
      ...config('one', { data: { a: '1', b: '2' }, immutable: true }),
      metadata: { name: 'one', namespace: 'shop', uid: 'u', labels: { x: 'y' } },
    };
    const states = (await seenBy(
      async ({ configs }) => {
        const states: unknown[] = [];
        const add = () => states.push(names(configs.list()), configs.get('one'));
        await configs.apply(ConfigMap({ metadata: { name: 'one' }, data: { b: '3' } }));
        add();
        await configs.patch('one', { metadata: { labels: { x: null } }, data: { a: null, c: '4' } } as never);
        add();
        await configs.update({ ...config('one', { data: { d: '5' } }), apiVersion: 'v1', kind: 'ConfigMap' } as never);
        add();
        await configs.patch({ name: 'one', namespace: 'shop' }, { data: null } as never);
        add();
        return states;
      },
      { configs: [before] },
    )) as [string[], ConfigMap, string[], ConfigMap, string[], ConfigMap, string[], ConfigMap];
    const [, applied, , patched, , updated, , emptied] = states;
    expect(states.filter((state) => Array.isArray(state))).toEqual([['one'], ['one'], ['one'], ['one']]);
    expect(applied).toMatchObject({
      metadata: { uid: 'u', resourceVersion: '1001', labels: { x: 'y' } },
      data: { a: '1', b: '3' },
      immutable: true,
    });
    expect(patched).toMatchObject({ metadata: { uid: 'u', resourceVersion: '1002', labels: {} }, immutable: true });
    expect(patched.data).toEqual({ b: '3', c: '4' });
    expect(patched.metadata.labels).toEqual({});
    expect(updated).toMatchObject({ metadata: { uid: 'u', resourceVersion: '1003' }, data: { d: '5' } });
    expect('immutable' in updated).toBe(false);
    expect('data' in emptied).toBe(false);
  });

  test('a list in a patch replaces the one before, and a map that was a text', async () => {
    const seen = await seenBy(
      async ({ configs }) => {
        await configs.patch('one', { metadata: { finalizers: ['b'] }, data: { nested: { a: '1' } } } as never);
        return configs.get('one');
      },
      {
        configs: [{ ...config('one', { data: { nested: 'text' } }), metadata: { name: 'one', namespace: 'shop', finalizers: ['a', 'c'] } }],
      },
    );
    expect(seen).toMatchObject({ metadata: { finalizers: ['b'] }, data: { nested: { a: '1' } } });
  });

  test('apply makes what is not there; a patch of nothing is refused with its name', async () => {
    const seen = await seenBy(async ({ configs }) => {
      await configs.apply(ConfigMap({ metadata: { name: 'one' }, data: { a: '1' } }));
      return configs.get('one')?.data;
    });
    expect(seen).toEqual({ a: '1' });
    const there = { configs: [config('other')] };
    const problem = 'ConfigMap one: there is no such object to patch';
    await expect(seenBy(({ configs }) => configs.patch('one', {}), there)).rejects.toThrow(problem);
    await expect(seenBy(({ configs }) => configs.patch({ name: 'one', namespace: 'shop' }, {}), there)).rejects.toThrow(problem);
    await expect(seenBy(({ configs }) => configs.patch(config('one') as never, {}), there)).rejects.toThrow(problem);
  });

  test('delete and evict take away what they name, by name, by key or as an object, and nothing else', async () => {
    const seen = await seenBy(
      async ({ configs, pods }) => {
        const answers: unknown[] = [await configs.delete('a'), await configs.delete({ name: 'b', namespace: 'other' })];
        const [c] = configs.list({ labels: { like: 'c' } });
        if (c !== undefined) await configs.delete(c);
        await configs.delete('never-there');
        answers.push(await pods.evict('p'), names(configs.list({ namespace: '*' })), names(pods.list()));
        return answers;
      },
      {
        configs: [
          config('a'),
          config('b'),
          config('b', {}, 'other'),
          { metadata: { name: 'c', namespace: 'shop', labels: { like: 'c' } } },
          config('d'),
        ],
        pods: [config('p', { spec: {} }), config('q', { spec: {} })],
      },
    );
    expect(seen).toEqual([undefined, undefined, true, ['b', 'd'], ['q']]);
  });
});

describe('in a test of a single call a handle reads as in a cluster', () => {
  const configs = [
    { ...config('a', { data: { key: '1' } }), metadata: { name: 'a', namespace: 'shop', labels: { tier: 'web', team: 'x' } } },
    { ...config('b', { data: { key: '1', other: '2' } }), metadata: { name: 'b', namespace: 'shop', labels: { tier: 'web' } } },
    { ...config('a', { data: { other: '2' } }), metadata: { name: 'a', namespace: 'other', labels: { tier: 'db' } } },
  ];
  const listed = async (options: object | undefined): Promise<unknown> =>
    seenBy((context) => context.configs.list(options as never).map(({ metadata: { name, namespace } }) => `${namespace}/${name}`), {
      configs,
    });

  test.each<[string, object | undefined, string[]]>([
    ['nothing', undefined, ['shop/a', 'shop/b']],
    ['another namespace', { namespace: 'other' }, ['other/a']],
    ['all namespaces', { namespace: '*' }, ['shop/a', 'shop/b', 'other/a']],
    ['labels', { labels: { team: 'x' } }, ['shop/a']],
    ['a selector', { namespace: '*', labelSelector: { matchLabels: { tier: 'db' } } }, ['other/a']],
    [
      'expressions',
      { namespace: '*', labelSelector: { matchExpressions: [{ key: 'team', operator: 'DoesNotExist' }] } },
      ['shop/b', 'other/a'],
    ],
    ['labels and a selector together', { labels: { team: 'x' }, labelSelector: { matchLabels: { tier: 'web' } } }, ['shop/a']],
    ['an index', { index: { data: 'other' } }, ['shop/b']],
    ['an index and a namespace', { index: { data: 'other' }, namespace: '*' }, ['shop/b', 'other/a']],
    ['an index without a value', { index: { data: undefined } }, ['shop/a', 'shop/b']],
  ])('list by %s', async (_, options, found) => {
    expect(await listed(options)).toEqual(found);
  });

  test('a selector that no server takes, and an index that is not declared, are refused', async () => {
    await expect(listed({ labels: { 'no key': 'a' } })).rejects.toThrow('ConfigMap: key: Invalid value: "no key"');
    await expect(listed({ index: { nothing: 'a' } })).rejects.toThrow(
      'ConfigMap: there is no such index; declare it under watch(Kind, { indexes })',
    );
  });

  test('a plain name means the namespace of the reconciled object, and a cluster-scoped object has none', async () => {
    const seen = await seenBy(
      (context) => [
        context.configs.get('a')?.data,
        context.configs.get({ name: 'a', namespace: 'other' })?.data,
        context.configs.get('c'),
        context.nodes.get('n2')?.metadata.labels,
        names(context.nodes.list()),
      ],
      { configs, nodes: [{ metadata: { name: 'n1' } }, { metadata: { name: 'n2', labels: { a: 'b' } } }] },
    );
    expect(seen).toEqual([{ key: '1' }, { other: '2' }, undefined, { a: 'b' }, ['n1', 'n2']]);
  });
});
