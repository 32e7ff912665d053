import { FakeClock, type InProcessCluster, type InProcessOptions, jsonPatch, TestCluster } from '@keelson/testing';
import { permissionsOf } from 'keelson';
import { ClusterRole, Deployment, Role } from 'keelson/kinds';
import { IMAGE_VARIABLE } from '../../examples/memcached/image.js';
import { Memcached } from '../../examples/memcached/memcached.js';
import { operator } from '../../examples/memcached/memcached-operator.js';
import { ASKED_BY_A_PLUGIN } from '../cluster/examples-memcached/rights.js';
import { type LogLine, MemoryLog } from '../runtime/harness/running-controller.js';

let cluster: InProcessCluster<FakeClock>;
const log = new MemoryLog();
beforeEach(() => void log.lines.splice(0));
afterEach(async () => {
  delete process.env[IMAGE_VARIABLE];
  await cluster.close();
});

async function start(options: InProcessOptions<FakeClock> = {}): Promise<void> {
  cluster = await TestCluster.start<FakeClock>({
    operator,
    webhooks: false,
    workloads: true,
    namespace: 'shop',
    clock: new FakeClock(),
    ...options,
  });
}
const memcached = (name: string, spec: Partial<Memcached['spec']> = { image: 'memcached:1.6' }) =>
  Memcached({ metadata: { name }, spec: { size: 1, ...spec } });
const READY = { status: { conditions: [{ type: 'Ready', status: 'True' }] } } as const;
const failures = (): number => log.lines.filter(({ message }) => message.startsWith('reconciling failed')).length;

test('2C-8: without any image it fails in its status, tries again ever later, and heals when the operator comes back with one', async () => {
  await start();
  const running = await cluster.startOperator({ log });
  await cluster.create(memcached('poor', {}));
  await cluster.settled();
  const message = 'no image: set spec.image, or MEMCACHED_IMAGE where the operator runs';
  const failed = {
    status: {
      conditions: [
        { type: 'Ready', status: 'False', reason: 'ReconcileFailed', message },
        { type: 'Reconciling', status: 'True', reason: 'ReconcileFailed', message },
      ],
    },
  } as const;
  await cluster.until(Memcached, 'poor', failed);
  const triesIn: number[] = [];
  for (let minute = 0; minute < 5; minute++) {
    const before = failures();
    for (let second = 0; second < 60; second++) {
      cluster.clock.advance('1s');
      await cluster.until(() => running.isIdle);
    }
    triesIn.push(failures() - before);
  }
  expect(triesIn[0]).toBeGreaterThan(3);
  expect(triesIn[4]).toBeLessThanOrEqual(1);
  await running.stop();
  process.env[IMAGE_VARIABLE] = 'memcached:1.6';
  await cluster.startOperator({ log });
  await cluster.until(Memcached, 'poor', READY);
  expect((await cluster.get(Memcached, 'poor')).status?.conditions?.map(({ type }) => type)).toEqual(['Available', 'Ready']);
});

test.each([
  ['the status', { subresource: 'status' }],
  ['the finalizer', { subresource: '' }],
])('2C-18: a conflict when writing %s is tried again, and neither is lost', async (_, what) => {
  await start();
  cluster.faults.fail({ verb: 'patch', kind: Memcached, status: 409, times: 2, ...what });
  await cluster.startOperator({ log });
  await cluster.create(memcached('contended'));
  await cluster.until(() => {
    cluster.clock.advance('1s');
    return cluster.faults.log.length === 2;
  });
  // Looked at again and again: a watch tells nothing while the operator waits for the time that the look moves.
  await cluster.until(async () => {
    cluster.clock.advance('1s');
    const { metadata, status } = await cluster.get(Memcached, 'contended');
    return (
      metadata.finalizers?.length === 1 && status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true
    );
  });
});

test('2C-19: when nothing changes nothing is written, for a minute, and after a restart for another', async () => {
  await start();
  const running = await cluster.startOperator();
  await cluster.create(memcached('still'));
  await cluster.settled();
  const { metadata } = await cluster.get(Memcached, 'still');
  const { mark } = cluster.requests;
  for (let minute = 0; minute < 2; minute++) {
    for (let second = 0; second < 60; second++) cluster.clock.advance('1s');
    await cluster.settled();
    if (minute === 0) {
      await running.stop();
      await cluster.startOperator();
      await cluster.settled();
    }
  }
  cluster.requests.since(mark).expectNoWrites();
  expect((await cluster.get(Memcached, 'still')).metadata.resourceVersion).toBe(metadata.resourceVersion);
});

test('2C-20: in the scope of a namespace nothing is listed elsewhere, and what is elsewhere is left alone', async () => {
  await start({ namespaces: ['elsewhere'] });
  await cluster.startOperator({ settings: { watchNamespaces: ['shop'] } });
  await cluster.create(memcached('inside'));
  await cluster.create({ ...memcached('outside'), metadata: { name: 'outside', namespace: 'elsewhere' } });
  await cluster.until(Memcached, 'inside', READY);
  await cluster.settled();
  expect(cluster.requests.byVerb('list', 'watch').all.filter(({ namespace }) => namespace !== 'shop')).toEqual([]);
  expect(await cluster.list(Deployment, { namespace: 'elsewhere' })).toEqual([]);
});

/** Every right of the roles that something visible depends on here; the certificate's have suites of their own. */
const RIGHTS = (() => {
  const { cluster: everywhere, own } = permissionsOf(operator, { leaderElection: { leaseName: 'memcached-operator' } });
  const rights = [...everywhere, ...own].flatMap(({ verbs, apiGroups = [], resources = [] }) =>
    resources.flatMap((resource) => verbs.map((verb) => ({ verb, group: apiGroups[0] ?? '', resource }))),
  );
  return rights.filter(({ verb, group, resource }) => {
    const on = `${verb} ${resource}${group === '' ? '' : `.${group}`}`;
    return on !== ASKED_BY_A_PLUGIN;
  });
})();

test.each(RIGHTS)('2C-21: without the right to $verb $resource it says so', async ({ verb, group, resource }) => {
  await start();
  await withdraw(verb, group, resource);
  // A Lease runs out where the time moves faster than it can be renewed: it is there for its own rights alone.
  const settings = resource === 'leases' ? { leaseName: 'memcached-operator' } : {};
  const running = await cluster.startOperator({ log, settings });
  const said = (): string =>
    JSON.stringify([running.readinessProblems, log.lines.filter(({ level }) => level !== 'debug' && level !== 'info').map(textsOf)]);
  const refused = `cannot ${verb} resource \\"${resource}\\" in API group \\"${group}\\"`;
  if (verb === 'list') cluster.faults.fail({ verb: 'watch', status: 422, times: 3 });
  await cluster.create(memcached('limited')).catch(() => undefined);
  const isSaid = () => {
    cluster.clock.advance('1s');
    return said().includes(refused);
  };
  await cluster.until(() => isSaid() || running.isIdle);
  if (!isSaid()) await provoke(verb);
  await cluster.until(isSaid);
});

/** The mark of what this controller applied: it deletes nothing else. */
function marksOf({ metadata: { annotations = {} } }: Deployment): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => name.startsWith('keelson.dev/')));
}

/** What an operator does only when something goes wrong, or is in the way. */
async function provoke(verb: string): Promise<void> {
  await cluster.until(Memcached, 'limited', READY).catch(() => undefined);
  const { apiVersion, kind, metadata } = await cluster.get(Memcached, 'limited');
  if (verb === 'delete') {
    const owner = { apiVersion, kind, name: 'limited', uid: metadata.uid, controller: true };
    const child = await cluster.get(Deployment, 'limited');
    await cluster.create(
      Deployment({
        metadata: { name: 'stray', ownerReferences: [owner], annotations: marksOf(child) },
        spec: child.spec as NonNullable<Deployment['spec']>,
      }),
    );
    return;
  }
  cluster.faults.fail({ verb: 'patch', kind: Memcached, subresource: '', status: 409, times: verb === 'get' ? 1 : 5 });
  await cluster.delete(Memcached, 'limited');
}

async function withdraw(verb: string, group: string, resource: string): Promise<void> {
  const roles = [
    { kind: ClusterRole, key: 'memcached-operator' },
    { kind: Role, key: 'memcached-operator-system/memcached-operator-runtime' },
  ] as const;
  for (const { kind, key } of roles) {
    const { rules = [] } = await cluster.get(kind as typeof Role, key as never);
    const kept = rules.map((rule) =>
      rule.apiGroups?.includes(group) === true && rule.resources?.includes(resource) === true
        ? { ...rule, verbs: rule.verbs.filter((granted) => granted !== verb) }
        : rule,
    );
    await cluster.patch(
      kind as typeof Role,
      key as never,
      jsonPatch([{ op: 'replace', path: '/rules', value: kept.filter(({ verbs }) => verbs.length > 0) as never }]),
    );
  }
}

function textsOf({ message, fields }: LogLine): unknown {
  return [message, Object.values(fields).map((value) => (value instanceof Error ? value.message : value))];
}
