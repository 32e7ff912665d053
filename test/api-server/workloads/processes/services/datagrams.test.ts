import { createSocket, type Socket } from 'node:dgram';
import { on, once } from 'node:events';
import type { Service } from '../../../../../src/kubernetes/kinds/index.js';
import { Machine, main, pod } from '../machine.js';

let machine: Machine;
const clients: Socket[] = [];
let count = 0;
beforeEach(async () => {
  machine = await Machine.start();
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await machine.close();
});

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'names', namespace: 'default' },
  spec: { selector: { app: 'names' }, ports: [{ name: 'dns', port: 5353, protocol: 'UDP', targetPort: 8053 }] },
};
const names = (name: string): object => pod({ containers: [main(['datagrams', '0.0.0.0'])] }, { name, labels: { app: 'names' } });

/** A client that takes answers from the address of the Service alone. */
async function connected(): Promise<Socket> {
  const client = createSocket('udp4');
  clients.push(client);
  client.on('error', () => undefined);
  client.connect(5353, machine.world.must<Service>('services', 'default/names').spec?.clusterIP ?? '');
  await once(client, 'connect');
  return client;
}

/** The pid of the program that answers; undefined if none does soon. */
async function asked(client: Socket): Promise<string | undefined> {
  // An answer that came late must not count for a later question.
  count += 1;
  const text = `question-${count}`;
  const answers = on(client, 'message', { signal: AbortSignal.timeout(200) });
  client.send(text);
  try {
    for await (const [message] of answers) {
      const [pid, echoed] = String(message).split(' ');
      if (echoed === text) return pid;
    }
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
  }
  return undefined;
}
const answered = (client: Socket): Promise<string> => machine.until(() => asked(client)) as Promise<string>;

test('datagrams of a client go to one Pod, those of the next to another, and answers come from the address of the Service', async () => {
  await machine.create(service, names('a'), names('b'));
  const first = await connected();
  const pid = await answered(first);
  const others = new Set<string>();
  await machine.until(async () => others.add(await answered(await connected())).size === 2);
  expect([await answered(first), await answered(first)]).toEqual([pid, pid]);
});

test('a client whose Pod has left the Service is led to another one', async () => {
  await machine.create(service, names('a'), names('b'));
  const client = await connected();
  const pids = new Set<string>();
  for (const name of ['a', 'b']) {
    await answered(client);
    await machine.pods.setReady(name, false);
    await machine.world.settled();
    pids.add(await answered(client));
    await machine.pods.setReady(name, true);
    await machine.world.settled();
  }
  expect(pids.size).toBe(2);
});

test('a client that was silent for two minutes may be led to another Pod', async () => {
  await machine.create(service, names('a'), names('b'));
  const client = await connected();
  const pids = new Set<string>();
  await machine.until(async () => {
    pids.add(await answered(client));
    await machine.world.pass(121);
    return pids.size === 2;
  });
});
