import { type InProcessCluster, TestCluster } from '@keelson/testing';
import { ConfigMap, Lease } from 'keelson/kinds';
import { RUNTIME_DEFAULTS, type RuntimeSettings } from '../../../src/keelson/definition/index.js';
import { run, start } from '../../../src/runtime/host/index.js';
import { connectionOf } from '../../../src/runtime/http/index.js';
import { MemoryLog } from '../harness/running-controller.js';
import { Website, websiteOperator } from '../reconcile/website.js';
import { FakeProcess } from './fake-process.js';

const NAMESPACE = 'website-operator-system';
const SETTINGS: RuntimeSettings = { ...RUNTIME_DEFAULTS, leaseName: 'website-operator', metrics: undefined, healthPort: 0 };

let cluster: InProcessCluster;
beforeAll(async () => {
  cluster = await TestCluster.start({ operator: websiteOperator, webhooks: false, namespace: 'shop' });
});
afterAll(() => cluster.close());

function connection() {
  const { server } = cluster;
  const token = server.tokenFor({ username: 'operator', groups: ['system:masters', 'system:authenticated'] });
  return connectionOf({ server: server.url, ca: server.certificateAuthority, token });
}

async function begin(settings = SETTINGS): Promise<{ readonly host: FakeProcess; readonly log: MemoryLog; readonly ended: Promise<void> }> {
  const host = new FakeProcess({ POD_NAME: 'a', POD_NAMESPACE: NAMESPACE });
  const log = new MemoryLog();
  const ended = run(websiteOperator, { process: host, log, settings, connection: connection(), processMetrics: false });
  await cluster.until(() => expect(log.texts).toContain('info reconciling'));
  return { host, log, ended };
}

async function holder(): Promise<string | undefined> {
  const { spec } = await cluster.get(Lease, { namespace: NAMESPACE, name: 'website-operator' });
  return spec.holderIdentity;
}

test.each(['SIGTERM', 'SIGINT'])(
  '%s drains, lets go of the Lease, and ends well; nobody listens to the process any more',
  async (signal) => {
    const { host, log, ended } = await begin();
    expect(await holder()).toMatch(/^a_/);
    host.emit(signal, signal);
    await ended;
    expect([host.exitCode, host.exits, await holder()]).toEqual([undefined, [], '']);
    expect(host.eventNames()).toEqual([]);
    expect(log.texts).toContain('info stopping');
  },
);

test('a second signal ends it at once, and says so', async () => {
  const { host, log, ended } = await begin();
  host.emit('SIGTERM', 'SIGTERM');
  host.emit('SIGTERM', 'SIGTERM');
  await ended;
  expect(host.exits).toEqual([1]);
  expect(log.texts).toContain('error ended at once by a second signal');
});

test.each(['uncaughtException', 'unhandledRejection'])(
  'H65: an %s ends the process with a last word, after the Lease has been let go of',
  async (event) => {
    const { host, log, ended } = await begin();
    const error = new Error('forgotten');
    host.emit(event, error);
    await ended;
    expect([host.exitCode, await holder()]).toEqual([1, '']);
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([
      { level: 'error', message: 'an uncaught error: the process ends', fields: { error } },
    ]);
  },
);

test('what cannot start is told, with exit code 1, and leaves nothing', async () => {
  const host = new FakeProcess({ POD_NAME: 'a', POD_NAMESPACE: NAMESPACE });
  const log = new MemoryLog();
  await run(websiteOperator, { process: host, log, settings: SETTINGS, connection: connection(), concurrency: -1 });
  expect([host.exitCode, host.eventNames()]).toEqual([1, []]);
  expect(log.texts.at(-1)).toBe('error the operator cannot start');
});

test('H54 H52: who loses the Lease stops writing, ends nothing, and leads again when it can; stopping does not wait for it', async () => {
  const exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const log = new MemoryLog();
  const environment = { POD_NAME: 'b', POD_NAMESPACE: NAMESPACE };
  const running = await start(websiteOperator, { log, settings: SETTINGS, environment, connection: connection(), processMetrics: false });
  try {
    await cluster.until(() => expect(running.isLeader).toBe(true));
    await cluster.faults.stealLease('website-operator', { namespace: NAMESPACE });
    await cluster.until(() => expect(running.isLeader).toBe(false));
    const { mark } = cluster.requests;
    await cluster.create(Website({ metadata: { name: 'orphan' }, spec: {} }));
    await cluster.settled({ quiet: '300ms' });
    const writes = cluster.requests.since(mark).writes().byUser('operator').all;
    expect(writes.filter(({ resource }) => resource !== 'leases')).toEqual([]);
    expect(await cluster.find(ConfigMap, 'orphan')).toBeUndefined();
    expect(running.readinessProblems).toEqual([]);
  } finally {
    await running.stop();
  }
  await running.ended;
  expect(exit).not.toHaveBeenCalled();
  exit.mockRestore();
});
