import { mergePatch } from '@keelson/testing';
import {
  defineController,
  defineCustomResource,
  defineOperator,
  k,
  permissionsOf,
  through,
  toAll,
  toReferrers,
  toSelectors,
  watch,
} from 'keelson';
import { ConfigMap, Secret, ServiceAccount } from 'keelson/kinds';
import { z } from 'zod';
import { RunningController } from '../harness/running-controller.js';

/** It selects ConfigMaps; each of them names a Secret. */
const Collector = defineCustomResource({
  group: 'metrics.example.com',
  kind: 'Collector',
  versions: { v1: { spec: z.object({ selector: k.labelSelector() }) } },
});

let runs: string[] = [];
const collectors = defineController({
  name: 'collector',
  for: Collector,
  watches: {
    configs: watch(ConfigMap, { enqueue: toSelectors(Collector, ({ spec }) => ({ labels: spec.selector })) }),
    secrets: watch(Secret, { enqueue: through(ConfigMap, ({ data }) => [{ name: data?.['secret'] }]) }),
  },
  reconcile({ object, trigger, done }) {
    runs.push('object' in trigger ? `${object.metadata.name}: ${trigger.handle} ${trigger.object.name}` : object.metadata.name);
    return done();
  },
});
const operator = defineOperator({ name: 'collector-operator', controllers: [collectors] });

let running: RunningController;
beforeEach(async () => {
  running = await RunningController.start(operator);
  for (const team of ['a', 'b'])
    await running.cluster.create(Collector({ metadata: { name: team, namespace: 'shop' }, spec: { selector: { matchLabels: { team } } } }));
  const config = (name: string, team: string, secret: string) =>
    running.cluster.create(ConfigMap({ metadata: { name, namespace: 'shop', labels: { team } }, data: { secret } }));
  await config('one', 'a', 'token');
  await config('two', 'b', 'password');
  await running.settled();
});
afterEach(() => running.close());

async function runsAfter(change: () => Promise<unknown>): Promise<string[]> {
  await running.settled();
  runs = [];
  await change();
  await running.settled();
  return runs.toSorted();
}
const secret = (name: string, namespace = 'shop') => Secret({ metadata: { name, namespace } });

test('a change reconciles those whom the objects concern that refer to what changed, and no others', async () => {
  expect(await runsAfter(() => running.cluster.create(secret('token')))).toEqual(['a: secrets token']);
  expect(await runsAfter(() => running.cluster.create(secret('password')))).toEqual(['b: secrets password']);
  expect(await runsAfter(() => running.cluster.create(secret('other')))).toEqual([]);
  expect(await runsAfter(() => running.cluster.delete(Secret, 'shop/token'))).toEqual(['a: secrets token']);
});

test('a reference means the namespace of the object that has it', async () => {
  await running.cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'elsewhere' } });
  expect(await runsAfter(() => running.cluster.create(secret('token', 'elsewhere')))).toEqual([]);
});

test('an object that refers to something else is found under the new name alone', async () => {
  await running.cluster.patch(ConfigMap, 'shop/one', mergePatch({ data: { secret: 'newer' } }));
  expect(await runsAfter(() => running.cluster.create(secret('token')))).toEqual([]);
  expect(await runsAfter(() => running.cluster.create(secret('newer')))).toEqual(['a: secrets newer']);
});

test('it asks for no right beside those of the watches', () => {
  const rights = permissionsOf(operator).cluster.filter(({ resources = [] }) => resources.includes('secrets'));
  expect(rights).toEqual([expect.objectContaining({ verbs: ['list', 'watch'] })]);
});

test.each([
  ['is not watched', {}],
  ['is watched and reconciles nothing', { configs: ConfigMap }],
  ['only leads on itself', { configs: watch(ConfigMap, { enqueue: through(Secret, () => []) }) }],
])('a kind that %s is refused, for nothing would ever run', (_, watches) => {
  const define = () =>
    defineController({
      name: 'collector',
      for: Collector,
      // The types refuse it as well, unless they are lost on the way.
      watches: { ...watches, secrets: watch(Secret, { enqueue: through(ConfigMap, () => []) }) } as never,
      reconcile: ({ done }) => done(),
    });
  expect(define).toThrow('watches.secrets.enqueue: goes through ConfigMap v1, which no watch of the controller reconciles by');
});

test('it goes on through every watch of the kind, by whatever they reconcile', () => {
  const define = () =>
    defineController({
      name: 'collector',
      for: Collector,
      watches: {
        accounts: watch(ServiceAccount, { enqueue: toAll(Collector) }),
        configs: watch(ConfigMap, { enqueue: toReferrers(Collector, ({ metadata }) => [{ name: metadata.name }]) }),
        secrets: watch(Secret, { enqueue: through(ServiceAccount, ({ secrets = [] }) => secrets.map(({ name }) => ({ name }))) }),
      },
      reconcile: ({ done }) => done(),
    });
  expect(define).not.toThrow();
});

test.each([
  ['kind', [undefined, () => []]],
  ['references', [ConfigMap, 'secret']],
])('without its %s it says so', (path, given) => {
  expect(() => through(...(given as unknown as Parameters<typeof through>))).toThrow(`${path}: `);
});
