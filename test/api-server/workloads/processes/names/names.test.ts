import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lackOfNames, type ProgramOf } from '../../../../../src/api-server/workloads/index.js';
import type { CoreV1Event as Event, Service } from '../../../../../src/kubernetes/kinds/index.js';
import { Machine, main, pod } from '../machine.js';
import { Session } from '../session.js';

const PROGRAM = join(__dirname, '..', 'programs', 'server.cjs');
/** Its arguments as they are: no name in them is turned into an address. */
const asWritten: ProgramOf = ({ args, address }) => ({
  program: process.execPath,
  args: [PROGRAM, ...args.map((text) => text.replace('0.0.0.0', address))],
  exec: ([program = '', ...args]) => ({ program, args }),
});
const lack = lackOfNames();
const given = lack === undefined ? test : test.skip;
const skipped = lack === undefined ? '' : ` [skipped: ${lack}]`;

let machine: Machine;
afterEach(() => machine.close());

async function start(options: Parameters<typeof Machine.start>[1] = {}): Promise<void> {
  machine = await Machine.start({ 'node:*': asWritten }, options);
}

const service = (name: string, spec: object = {}, namespace = 'default'): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace },
  spec: { selector: { app: name }, ports: [{ port: 8080 }], ...spec },
});
const server = (name: string): object => pod({}, { name, labels: { app: name } });
const clusterIP = (key: string): string => machine.world.must<Service>('services', key).spec?.clusterIP ?? '';

/** The answer of a program; empty while it does not answer. */
const told = (path: string, name = 'a'): Promise<string> => machine.fetched(path, name).catch(() => '');
/** The addresses that a program of the Pod gets for a name. Names that are not there are not asked for: the resolver would ask the name servers of this machine. */
async function addressesOf(name: string): Promise<unknown> {
  const answer = await told(`/lookup?name=${name}`);
  return answer.startsWith('[') ? JSON.parse(answer) : answer;
}
/** The names in the hosts file that a program of the Pod sees. */
async function names(): Promise<readonly string[]> {
  const text = await told('/file?path=/etc/hosts');
  return text.split('\n').flatMap((line) => line.split(/\s+/).slice(1));
}
const ready = (name = 'a'): Promise<unknown> => machine.until(async () => (await told('/', name)) !== '');
async function pidOf(name: string): Promise<string> {
  await ready(name);
  return told('/', name);
}

given(`a program finds a Service by each of its names, and one of another namespace by those with the namespace${skipped}`, async () => {
  await start({ names: 'required' });
  await machine.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  await machine.create(service('web'), service('till', {}, 'shop'), pod());
  await ready();
  for (const name of ['web', 'web.default', 'web.default.svc', 'web.default.svc.cluster.local'])
    expect(await addressesOf(name)).toEqual([clusterIP('default/web')]);
  for (const name of ['till.shop', 'till.shop.svc.cluster.local']) expect(await addressesOf(name)).toEqual([clusterIP('shop/till')]);
  expect(await names()).not.toContain('till');
  expect(await addressesOf('a')).toEqual([machine.pod().status?.podIP]);
});

given(`a program reaches a Service, and a Pod of a StatefulSet, by their names${skipped}`, async () => {
  await start({ names: 'required' });
  await machine.create(service('web'), server('web'), service('db', { clusterIP: 'None' }), pod());
  const containers = [main()];
  await machine.create({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', namespace: 'default' },
    spec: {
      serviceName: 'db',
      replicas: 2,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: { app: 'db' } },
      template: { metadata: { labels: { app: 'db' } }, spec: { containers } },
    },
  });
  await ready();
  const fetched = (host: string): Promise<string> => told(`/fetch?url=http://${host}:8080/`);
  for (const [host, name] of [
    ['web', 'web'],
    ['db-0.db', 'db-0'],
    ['db-1.db.default.svc.cluster.local', 'db-1'],
  ] as const) {
    const pid = await pidOf(name);
    await machine.until(async () => (await fetched(host)) === pid);
  }
  expect(await addressesOf('db')).toEqual([machine.pod('db-0').status?.podIP, machine.pod('db-1').status?.podIP]);
});

given(`names come and go while a program runs${skipped}`, async () => {
  await start({ names: 'required' });
  await machine.create(service('db', { clusterIP: 'None' }), pod());
  await ready();
  expect(await names()).not.toContain('db-0.db');
  await machine.create(service('web'), pod({ hostname: 'db-0', subdomain: 'db' }, { name: 'db-0', labels: { app: 'db' } }));
  await machine.until(async () => (await names()).includes('db-0.db'));
  expect(await addressesOf('db-0.db')).toEqual([machine.pod('db-0').status?.podIP]);
  expect(await addressesOf('web')).toEqual([clusterIP('default/web')]);
  await machine.pods.setReady('db-0', false);
  await machine.until(async () => !(await names()).includes('db-0.db'));
  await machine.world.delete('services', 'default/web');
  await machine.until(async () => !(await names()).includes('web'));
});

given(`commands, on a terminal or not, see the names of the container, and the aliases of the Pod${skipped}`, async () => {
  await start({ names: 'required' });
  const look = 'cat /etc/hosts; test "$(id -u)" = "$1" && echo "same user"';
  await machine.create(service('web'), pod({ hostAliases: [{ ip: '10.1.2.3', hostnames: ['legacy'] }] }));
  await ready();
  const query = ['sh', '-c', look, 'sh', String(process.getuid?.())].map((word) => `command=${encodeURIComponent(word)}`).join('&');
  for (const more of ['', '&tty=true']) {
    const session = new Session(machine, `a/exec?stdout=true&${query}${more}`);
    await machine.until(() => session.status !== undefined);
    expect(session.output).toContain(`${clusterIP('default/web')}\tweb.default.svc.cluster.local`);
    expect(session.output).toContain('10.1.2.3\tlegacy');
    expect(session.output).toContain('same user');
  }
  expect(readFileSync('/etc/hosts', 'utf8')).not.toContain('legacy');
});

given(`an exec probe and a container that is started anew see the names${skipped}`, async () => {
  await start({ names: 'required' });
  const readinessProbe = { exec: { command: ['grep', '-q', 'web.default', '/etc/hosts'] }, periodSeconds: 1, timeoutSeconds: 20 };
  await machine.create(pod({ containers: [main(undefined, { readinessProbe })] }));
  await ready();
  const isReady = (): boolean => machine.pod().status?.containerStatuses?.[0]?.ready === true;
  await machine.until(() => machine.world.list<Event>('events').some(({ reason }) => reason === 'Unhealthy'), { passing: true });
  expect(isReady()).toBe(false);
  await machine.create(service('web'));
  await machine.until(isReady, { passing: true });
  await machine.pods.signal('a', 'SIGKILL');
  await machine.until(() => machine.pod().status?.containerStatuses?.[0]?.restartCount === 1);
  await machine.until(async () => (await told('/')) !== '', { passing: true });
  expect(await addressesOf('web')).toEqual([clusterIP('default/web')]);
});

given(`a program ends as its container does, by signal and by itself${skipped}`, async () => {
  await start({ names: 'required' });
  await machine.create(pod({ restartPolicy: 'Never' }));
  await ready();
  await told('/exit?code=7');
  await machine.until(() => machine.state() === 'terminated Error 7');
  await machine.create(pod({ restartPolicy: 'Never' }, { name: 'b' }));
  await ready('b');
  await machine.pods.signal('b', 'SIGKILL');
  await machine.until(() => machine.state('main', 'b') === 'terminated Error 137');
});

test('where names are not wanted, programs see the hosts file of this machine', async () => {
  await start({ names: 'never' });
  await machine.create(service('web'), pod());
  await ready();
  expect(await told('/file?path=/etc/hosts')).toBe(readFileSync('/etc/hosts', 'utf8'));
});

describe('where this machine does not let programs have names', () => {
  const { PATH } = process.env;
  let empty: string;
  beforeEach(() => {
    empty = mkdtempSync(join(tmpdir(), 'keelson-path-'));
    process.env['PATH'] = empty;
  });
  afterEach(() => {
    process.env['PATH'] = PATH;
    rmSync(empty, { recursive: true });
  });

  test('programs run without them, and a test can ask why', async () => {
    await start();
    await machine.create(service('web'), pod());
    await ready();
    expect(await told('/file?path=/etc/hosts')).toBe(readFileSync('/etc/hosts', 'utf8'));
    expect(lackOfNames()).toBe('the programs unshare and mount (of util-linux) are not in the PATH of the server; install them');
  });

  test('a server that requires them does not start, and says why', async () => {
    await expect(Machine.start({ 'node:*': asWritten }, { names: 'required' })).rejects.toThrow(
      "processes: names: 'required': programs cannot resolve names of the cluster on this machine: the programs unshare and mount",
    );
    await start();
  });
});
