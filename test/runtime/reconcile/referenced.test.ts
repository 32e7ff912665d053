import { mergePatch, TestCluster } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, k, referenced, watch } from 'keelson';
import { EventsV1Event, Namespace, Secret } from 'keelson/kinds';
import { z } from 'zod';
import { DEADLINE_MS } from '../../deadline.cjs';
import { RunningController } from '../harness/running-controller.js';
import { keptLog } from '../outside/kept-log.js';

const Server = defineCustomResource({
  group: 'web.example.com',
  kind: 'Server',
  versions: { v1: { spec: z.object({ secret: z.string().optional(), other: z.string().optional() }) } },
});

function namedBy({ secret, other }: { readonly secret?: string | undefined; readonly other?: string | undefined }) {
  if (secret === 'broken') throw new Error('this name breaks it');
  return [secret, other];
}

/** What each run saw of its Secret. */
let runs: string[] = [];
const controller = defineController({
  name: 'server',
  for: Server,
  watches: { secrets: watch(Secret, { verbs: ['patch'], only: referenced(Server, ({ spec }) => namedBy(spec)) }) },
  async reconcile({ object, secrets, trigger, done }) {
    const { secret } = object.spec;
    const seen = secret === undefined ? 'none' : (secrets.get(secret)?.data?.['a'] ?? 'missing');
    runs.push(`${object.metadata.name} ${trigger.cause} ${seen}`);
    if (object.metadata.name === 'curious') secrets.get('not-mine');
    return done();
  },
});
const operator = defineOperator({ name: 'server-operator', controllers: [controller] });

let running: RunningController;
afterEach(() => running.close());

async function started(): Promise<RunningController['cluster']> {
  runs = [];
  running = await RunningController.start(operator);
  await running.settled();
  return running.cluster;
}

const server = (name: string, spec: Parameters<typeof Server>[0]['spec']) => Server({ metadata: { name, namespace: 'shop' }, spec });
const secret = (name: string, a: string) => Secret({ metadata: { name, namespace: 'shop' }, data: { a } });

async function runsAfter(change: () => Promise<unknown>): Promise<string[]> {
  await running.settled();
  runs = [];
  await change();
  await running.cluster.until(() => expect(running.runner.isIdle).toBe(true));
  await running.settled();
  return runs.toSorted();
}

/** Secrets of these names are watched: what is watched is taken up again when the watches have been closed. */
async function watched(...names: readonly string[]): Promise<void> {
  const { cluster } = running;
  await running.settled();
  const { mark } = cluster.requests;
  cluster.faults.closeCleanly({ watch: Secret });
  await cluster.until(() => {
    const again = cluster.requests.since(mark).all.filter(({ verb, resource }) => verb === 'watch' && resource === 'secrets');
    const found = again.map(({ url }) => /metadata\.name%3D([^&]*)/.exec(url)?.[1] ?? url);
    expect(found.toSorted()).toEqual(names);
  });
}

async function noneWatched(): Promise<void> {
  await running.settled();
  await running.cluster.until(() =>
    expect(() => running.cluster.faults.closeCleanly({ watch: Secret })).toThrow('no watch of secrets is open'),
  );
}

test('a run begins when the named object has been read, and each change of it is a run', async () => {
  const cluster = await started();
  await cluster.create(secret('a', 'MQ=='));
  await cluster.create(secret('stranger', 'MQ=='));
  expect(await runsAfter(() => cluster.create(server('one', { secret: 'a' })))).toEqual(['one object MQ==']);
  expect(await runsAfter(() => cluster.patch(Secret, 'a', mergePatch({ data: { a: 'Mg==' } })))).toEqual(['one watched Mg==']);
  expect(await runsAfter(() => cluster.patch(Secret, 'stranger', mergePatch({ data: { a: 'Mg==' } })))).toEqual([]);
  expect(await runsAfter(() => cluster.delete(Secret, 'a'))).toEqual(['one watched missing']);
  expect(await runsAfter(() => cluster.create(secret('a', 'Mw==')))).toEqual(['one watched Mw==']);
  const asked = cluster.requests.all.filter(({ resource, verb }) => resource === 'secrets' && (verb === 'list' || verb === 'watch'));
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter(({ url }) => !url.includes('fieldSelector=metadata.name%3Da'))).toEqual([]);
  // A name is that of one object: nothing is read of others that have it elsewhere.
  expect(asked.filter(({ url }) => !url.includes('/namespaces/shop/secrets?'))).toEqual([]);
  expect(cluster.requests.denied().all).toEqual([]);
});

test('one watch for each name, which ends when nothing names it any more', async () => {
  const cluster = await started();
  await noneWatched();
  await cluster.create(server('one', { secret: 'a', other: 'b' }));
  await cluster.create(server('two', { secret: 'a' }));
  await watched('a', 'b');
  expect(await runsAfter(() => cluster.create(secret('a', 'MQ==')))).toEqual(['one watched MQ==', 'two watched MQ==']);
  await cluster.patch(Server, 'one', mergePatch({ spec: { secret: 'c', other: null } }));
  await watched('a', 'c');
  await cluster.delete(Server, 'two');
  await watched('c');
  expect(await runsAfter(() => cluster.patch(Secret, 'a', mergePatch({ data: { a: 'Mg==' } })))).toEqual([]);
  await cluster.delete(Server, 'one');
  await noneWatched();
});

test('H18 at a restart no run begins before what its object names has been read', async () => {
  const cluster = await started();
  await cluster.create(secret('a', 'MQ=='));
  await cluster.create(server('one', { secret: 'a' }));
  await cluster.create(server('two', {}));
  await running.settled();
  await running.stop();
  const fault = cluster.faults.fail({ kind: Secret, verb: ['list', 'watch'], status: 503, message: 'later', times: 1_000 });
  runs = [];
  await running.begin();
  // The one that names nothing does not wait for the other.
  await cluster.until(() => expect(runs).toEqual(['two object none']));
  fault.remove();
  await cluster.until(() => expect(runs).toEqual(['two object none', 'one object MQ==']));
});

test('an object whose named object cannot be read waits alone, and goes on when it names another', async () => {
  const cluster = await started();
  await cluster.create(secret('good', 'MQ=='));
  cluster.faults.fail({ kind: Secret, verb: ['list', 'watch'], status: 403, message: 'not for you', times: 1_000 });
  runs = [];
  await cluster.create(server('stuck', { secret: 'bad' }));
  await cluster.create(server('free', {}));
  await cluster.until(() => expect(runs).toEqual(['free object none']));
  expect(running.runner.isIdle).toBe(false);
  await cluster.patch(Server, 'stuck', mergePatch({ spec: { secret: null } }));
  await cluster.until(() => expect(runs).toEqual(['free object none', 'stuck object none']));
  await running.settled();
  expect(running.runner.isIdle).toBe(true);
  cluster.faults.clear();
  await noneWatched();
});

test('a function that throws names nothing, which the log says with the watch and the object, and the others go on', async () => {
  const cluster = await started();
  await cluster.create(secret('a', 'MQ=='));
  await cluster.create(server('one', { secret: 'broken' }));
  await cluster.create(server('two', { secret: 'a' }));
  await watched('a');
  expect(runs).toContain('two object MQ==');
  const lines = running.log.lines.filter(({ message }) => message === 'watches.secrets.only threw: the object names nothing');
  expect(lines[0]?.fields).toMatchObject({ object: 'shop/one', error: { message: 'this name breaks it' } });
});

test('one name in two namespaces is two objects', async () => {
  const cluster = await started();
  await cluster.create(Namespace({ metadata: { name: 'other' } }));
  await cluster.create(secret('a', 'MQ=='));
  await cluster.create(Secret({ metadata: { name: 'a', namespace: 'other' }, data: { a: 'Mg==' } }));
  expect(await runsAfter(() => cluster.create(server('one', { secret: 'a' })))).toEqual(['one object MQ==']);
  const there = Server({ metadata: { name: 'two', namespace: 'other' }, spec: { secret: 'a' } });
  expect(await runsAfter(() => cluster.create(there))).toEqual(['two object Mg==']);
  expect(await runsAfter(() => cluster.delete(Server, 'one'))).toEqual([]);
  const key = { name: 'a', namespace: 'other' };
  expect(await runsAfter(() => cluster.patch(Secret, key, mergePatch({ data: { a: 'Mw==' } })))).toEqual(['two watched Mw==']);
});

test('reading what the object does not name fails, and says so', async () => {
  const cluster = await started();
  await cluster.create(server('curious', {}));
  await cluster.until(() => expect(running.log.texts.filter((text) => text.startsWith('error'))).toHaveLength(1));
  expect(running.log.lines.find(({ level }) => level === 'error')?.fields['error']).toMatchObject({
    message:
      'secrets: Secret shop/not-mine is not held; watch(Secret, { only: referenced(...) }) holds what its function names for the reconciled object',
  });
});

test('an object that waits for what must not be read says so in its conditions and in an event', async () => {
  const Tunnel = defineCustomResource({
    group: 'web.example.com',
    kind: 'Tunnel',
    versions: { v1: { spec: z.object({ secret: z.string() }), status: z.object({ conditions: k.conditions() }) } },
  });
  const tunnels = defineController({
    name: 'tunnel',
    for: Tunnel,
    watches: { secrets: watch(Secret, { only: referenced(Tunnel, ({ spec }) => [spec.secret]) }) },
    reconcile: ({ done }) => done(),
  });
  const cluster = await TestCluster.start({ operator: defineOperator({ name: 'tunnel-operator', controllers: [tunnels] }) });
  await cluster.create(Secret, Secret({ metadata: { name: 'tls' } }));
  cluster.faults.fail({ verb: 'list', kind: Secret, status: 403, times: 1_000 });
  cluster.faults.fail({ verb: 'watch', kind: Secret, status: 403, times: 1_000 });
  await cluster.startOperator({ log: keptLog().log });
  await cluster.create(Tunnel, Tunnel({ metadata: { name: 'a' }, spec: { secret: 'tls' } }));
  const said = await cluster.until(Tunnel, 'a', ({ status }) => status?.conditions?.[0]?.reason === 'Waiting');
  expect(said.status?.conditions?.[0]).toMatchObject({ type: 'Ready', status: 'False' });
  expect(said.status?.conditions?.[0]?.message).toContain('Secret default/tls cannot be read: ');
  await cluster.until(async () =>
    expect((await cluster.list(EventsV1Event)).map(({ reason, regarding }) => `${reason} ${regarding?.name}`)).toContain('Waiting a'),
  );
  cluster.faults.clear();
  await cluster.until(Tunnel, 'a', { status: { conditions: [{ type: 'Ready', status: 'True', reason: 'Reconciled' }] } } as never, {
    timeout: DEADLINE_MS,
  });
  await cluster.close();
});
