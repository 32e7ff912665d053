import { createServer, type Server } from 'node:net';
import type { CoreV1Event as Event, Service } from '../../../../../src/kubernetes/kinds/index.js';
import { Machine, main, pod } from '../machine.js';

let machine: Machine;
let squatter: Server | undefined;
afterEach(async () => {
  await new Promise((resolve) => (squatter === undefined ? resolve(undefined) : squatter.close(resolve)));
  squatter = undefined;
  await machine.close();
});

const service = (spec: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'default' },
  spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 9090, targetPort: 'web' }], ...spec },
});
const web = (name: string, more: object = {}): object =>
  pod({ containers: [main(undefined, { ports: [{ name: 'web', containerPort: 8080 }], ...more })] }, { name, labels: { app: 'web' } });
const clusterIP = (): string => machine.world.must<Service>('services', 'default/web').spec?.clusterIP ?? '';

/** The pid of the program that answers; `ECONNREFUSED` and the like if none does. */
async function asked(): Promise<string> {
  try {
    const answer = await fetch(`http://${clusterIP()}:9090/`, { headers: { Connection: 'close' } });
    return await answer.text();
  } catch (error) {
    return ((error as Error).cause as NodeJS.ErrnoException).code ?? String(error);
  }
}
const fetched = async (path: string, name: string): Promise<string> =>
  (await machine.until(() => machine.fetched(path, name).catch(() => undefined))) ?? '';
const pidOf = (name: string): Promise<string> => fetched('/', name);
const answered = async (times: number): Promise<string[]> => {
  const answers: string[] = [];
  for (let time = 0; time < times; time += 1) answers.push(await asked());
  return answers;
};

test('a Service is reached at its ClusterIP: its connections go to its ready Pods in turn', async () => {
  machine = await Machine.start();
  await machine.create(service(), web('a'), web('b'));
  const pids = [await pidOf('a'), await pidOf('b')];
  await machine.until(async () => (await asked()) !== 'ECONNREFUSED');
  expect((await answered(4)).sort()).toEqual([...pids, ...pids].sort());
});

test('a Pod that is not ready gets no connection, and a Service without ready Pods refuses them', async () => {
  machine = await Machine.start();
  await machine.create(service(), web('a'), web('b'));
  const [ofA, ofB] = [await pidOf('a'), await pidOf('b')];
  await machine.until(async () => new Set(await answered(2)).size === 2);
  await machine.pods.setReady('a', false);
  await machine.until(async () => (await answered(2)).every((one) => one === ofB));
  await machine.pods.setReady('b', false);
  await machine.until(async () => (await asked()) === 'ECONNREFUSED');
  await machine.pods.setReady('a', true);
  await machine.until(async () => (await asked()) === ofA);
});

test('a Service that is deleted is not reached any more', async () => {
  machine = await Machine.start();
  await machine.create(service(), web('a'));
  const pid = await pidOf('a');
  await machine.until(async () => (await asked()) === pid);
  const address = clusterIP();
  await machine.world.delete('services', 'default/web');
  await machine.until(() =>
    fetch(`http://${address}:9090/`).then(
      () => false,
      () => true,
    ),
  );
});

test('the variables of a Service lead a program to it', async () => {
  machine = await Machine.start();
  await machine.create(service(), web('a'));
  const pid = await pidOf('a');
  await machine.until(async () => (await asked()) === pid);
  await machine.create(pod({}, { name: 'client' }));
  const env = JSON.parse(await fetched('/env', 'client')) as Record<string, string>;
  const answer = await fetch(`http://${env['WEB_SERVICE_HOST']}:${env['WEB_SERVICE_PORT_HTTP']}/`);
  expect(await answer.text()).toBe(pid);
});

test('with session affinity a client stays with one Pod until the time is over', async () => {
  machine = await Machine.start();
  await machine.create(service({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } } }));
  await machine.create(web('a'), web('b'));
  await pidOf('a');
  await pidOf('b');
  await machine.until(
    () => machine.world.list<{ endpoints?: readonly unknown[] }>('discovery.k8s.io/endpointslices')[0]?.endpoints?.length === 2,
  );
  await machine.world.settled();
  const first = new Set(await answered(4));
  expect(first.size).toBe(1);
  await machine.world.pass(61);
  expect(new Set([...first, await asked()]).size).toBe(2);
});

test('slices that nobody made for Pods are followed as well, each port with its protocol', async () => {
  machine = await Machine.start();
  const { selector: _none, ...spec } = (service() as { spec: { selector: object } }).spec;
  await machine.create({
    ...service(),
    spec: {
      ...spec,
      ports: [
        { name: 'http', port: 9090 },
        { name: 'udp', port: 9090, protocol: 'UDP' },
      ],
    },
  });
  await machine.create(pod());
  const pid = await pidOf('a');
  await machine.create({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'by-hand', namespace: 'default', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    ports: [
      { name: 'http', port: 8080 },
      { name: 'udp', port: 8081, protocol: 'UDP' },
    ],
    endpoints: [{ addresses: [machine.pod().status?.podIP] }],
  });
  await machine.until(async () => (await asked()) === pid);
});

test('a port of SCTP is named in an Event, once, and the ports beside it are served', async () => {
  machine = await Machine.start();
  const ports = [
    { name: 'http', port: 9090, targetPort: 'web' },
    { name: 'signals', port: 2905, protocol: 'SCTP' },
  ];
  await machine.create(service({ ports }), web('a'));
  const pid = await pidOf('a');
  await machine.until(async () => (await asked()) === pid);
  await machine.world.settled();
  const said = machine.world.list<Event>('events').filter(({ reason }) => reason === 'FailedToListen');
  expect(said).toMatchObject([
    {
      type: 'Warning',
      involvedObject: { kind: 'Service', name: 'web' },
      message: `${clusterIP()}:2905/SCTP cannot be served: Pods that run as processes have Services of TCP and UDP alone`,
    },
  ]);
  expect(said[0]?.count ?? 1).toBe(1);
});

test('a port that a program of this machine has is named in an Event, and taken as soon as it is free', async () => {
  machine = await Machine.start();
  await machine.create(service());
  squatter = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => squatter?.listen(9090, clusterIP(), resolve));
  await machine.create(web('a'));
  const pid = await pidOf('a');
  const event = await machine.until(() => machine.world.list<Event>('events').find(({ reason }) => reason === 'FailedToListen'));
  expect(event).toMatchObject({
    type: 'Warning',
    involvedObject: { kind: 'Service', name: 'web' },
    message: `${clusterIP()}:9090 cannot be served (EADDRINUSE): a program of this machine has that port; let it listen at the address of its Pod alone`,
  });
  await new Promise((resolve) => squatter?.close(resolve));
  squatter = undefined;
  await machine.until(async () => (await asked()) === pid, { passing: true });
});
