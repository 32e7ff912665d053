import { mergePatch, type RunningCluster } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, type Operator, permissionsOf, watch } from 'keelson';
import { ConfigMap, Secret } from 'keelson/kinds';
import { z } from 'zod';
import { messageOf } from '../../../../src/kubernetes/apimachinery/index.js';
import { MemoryLog } from '../../harness/running-controller.js';

const VERBS = ['apply', 'patch', 'update', 'delete', 'create'] as const;
type TriedVerb = (typeof VERBS)[number];

/** Asks for one write, and has its outcome in its status. */
const Write = defineCustomResource({
  group: 'writes.example.com',
  kind: 'Write',
  versions: {
    v1: {
      spec: z.object({ verb: z.enum(VERBS), kind: z.enum(['ConfigMap', 'Secret']), name: z.string().optional() }),
      status: z.object({ outcome: z.string().optional() }),
    },
  },
});

const onlyNamed = (name: string) => ({ fields: { 'metadata.name': name } });

const controller = defineController({
  name: 'writes',
  for: Write,
  watches: {
    plans: watch(ConfigMap, { select: onlyNamed('plan'), verbs: VERBS }),
    keys: watch(Secret, { select: onlyNamed('key'), verbs: ['apply'] }),
  },
  async reconcile({ object: { spec, status }, plans, keys, done }) {
    if (status?.outcome !== undefined) return done();
    const { name = 'any' } = spec;
    const metadata = { name };
    const seen = plans.get('plan');
    const writes: Readonly<Record<TriedVerb, () => Promise<unknown>>> = {
      apply: () =>
        spec.kind === 'Secret' ? keys.apply(Secret({ metadata })) : plans.apply(ConfigMap({ metadata, data: { by: 'apply' } })),
      patch: () => plans.patch(name, { data: { by: 'patch' } }),
      update: async () => seen && plans.update({ ...seen, metadata: { ...seen.metadata, name }, data: { by: 'update' } }),
      delete: () => plans.delete(name),
      // Code without types may leave the name to the API server.
      create: () => plans.create(ConfigMap({ metadata: spec.name === undefined ? ({ generateName: 'any-' } as never) : metadata })),
    };
    const outcome = await writes[spec.verb]().then(() => 'done', messageOf);
    return done({ status: { outcome } });
  },
});

const oneNameOperator = (): Operator => defineOperator({ name: 'writes', controllers: [controller] });

/** Writes by handles whose watch is of one name. */
export function oneName(start: (operator: Operator) => Promise<RunningCluster>): void {
  let cluster: RunningCluster;
  beforeAll(async () => {
    cluster = await start(oneNameOperator());
    await cluster.startOperator({ log: new MemoryLog() });
  });
  afterAll(() => cluster?.close());

  let count = 0;
  const outcomeOf = async (spec: Parameters<typeof Write>[0]['spec']): Promise<string | undefined> => {
    count += 1;
    const { metadata } = await cluster.create(Write({ metadata: { name: `w${count}` }, spec }));
    const written = await cluster.until(Write, metadata.name, ({ status }) => status?.outcome !== undefined);
    return written.status?.outcome;
  };

  test('each verb works on its object, and no right is for others but that to create', async () => {
    const data: (string | undefined)[] = [];
    for (const verb of VERBS) {
      expect([verb, await outcomeOf({ verb, kind: 'ConfigMap', name: 'plan' })]).toEqual([verb, 'done']);
      const found = await cluster.list(ConfigMap);
      data.push(found.find(({ metadata }) => metadata.name === 'plan')?.data?.['by']);
    }
    expect(data).toEqual(['apply', 'patch', 'update', undefined, undefined]);
    const rules = permissionsOf(oneNameOperator()).cluster.filter(({ resources }) => resources?.includes('configmaps'));
    expect(rules.filter(({ resourceNames }) => resourceNames === undefined).flatMap(({ verbs }) => verbs)).toEqual(['create']);
  });

  test('with apply alone the right to create is for the name too, and is enough', async () => {
    expect(await outcomeOf({ verb: 'apply', kind: 'Secret', name: 'key' })).toBe('done');
    const rules = permissionsOf(oneNameOperator()).cluster.filter(({ resources }) => resources?.includes('secrets'));
    expect(rules.map(({ resourceNames }) => resourceNames)).toEqual(rules.map(() => ['key']));
  });

  test.each(VERBS)('%s of another object is refused before the API server is asked', async (verb) => {
    await cluster
      .patch(ConfigMap, 'other', mergePatch({ data: {} }))
      .catch(() => cluster.create(ConfigMap({ metadata: { name: 'other' } })));
    const before = await cluster.get(ConfigMap, 'other');
    expect(await outcomeOf({ verb, kind: 'ConfigMap', name: 'other' })).toBe(
      'ConfigMap: the handle is for the name plan alone, and not for other; write that name, or declare a watch whose select leaves it out',
    );
    expect(await cluster.get(ConfigMap, 'other')).toEqual(before);
  });

  test('a name that the API server would make up is not the one', async () => {
    expect(await outcomeOf({ verb: 'create', kind: 'ConfigMap' })).toMatch(/^ConfigMap: .* and not for a generated name; /);
  });
}
