import type { Node, Service } from '../../../../../src/kubernetes/kinds/index.js';
import { Machine, main, pod } from '../machine.js';

const NODE_PORT = 30_080;

let machine: Machine;
afterEach(() => machine.close());

const service = (spec: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'default' },
  spec: { type: 'NodePort', selector: { app: 'web' }, ports: [{ port: 9090, targetPort: 8080, nodePort: NODE_PORT }], ...spec },
});
const web = (name: string, nodeName: string): object => pod({ nodeName, containers: [main()] }, { name, labels: { app: 'web' } });

/** The pid of the program that answers at the NodePort of a Node; the error's code if none does. */
async function asked(node: string): Promise<string> {
  const { status } = machine.world.must<Node>('nodes', node);
  try {
    const answer = await fetch(`http://${status?.addresses?.[0]?.address}:${NODE_PORT}/`, { headers: { Connection: 'close' } });
    return await answer.text();
  } catch (error) {
    return ((error as Error).cause as NodeJS.ErrnoException).code ?? String(error);
  }
}
const pidOf = async (name: string): Promise<string> => (await machine.until(() => machine.fetched('/', name).catch(() => undefined))) ?? '';

async function start(nodes: number, spec?: object): Promise<readonly string[]> {
  machine = await Machine.start(undefined, { nodes });
  await machine.create(service(spec), web('a', 'node-1'), web('b', nodes === 1 ? 'node-1' : 'node-2'));
  return [await pidOf('a'), await pidOf('b')];
}

test('a NodePort leads from the address of each Node to the ready Pods in turn', async () => {
  const pids = [...(await start(2))].sort();
  const answers = async (node: string): Promise<readonly string[]> => [await asked(node), await asked(node)].sort();
  await machine.until(async () => expect(await answers('node-1')).toEqual(pids) ?? true);
  await machine.until(async () => expect(await answers('node-2')).toEqual(pids) ?? true);
});

test('a Node that comes later has the NodePort too', async () => {
  await start(1);
  await machine.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'later' } });
  await machine.until(async () => (await asked('later')) !== 'ECONNREFUSED');
});

test('with externalTrafficPolicy Local a Node leads to its own Pods alone, and refuses where it has none', async () => {
  const [ofA] = await start(3, { externalTrafficPolicy: 'Local' });
  await machine.until(async () => (await asked('node-1')) !== 'ECONNREFUSED');
  expect([await asked('node-1'), await asked('node-1')]).toEqual([ofA, ofA]);
  expect(await asked('node-3')).toBe('ECONNREFUSED');
});

test('a Service that has no NodePort any more is reached at its ClusterIP alone', async () => {
  await start(1);
  await machine.until(async () => (await asked('node-1')) !== 'ECONNREFUSED');
  const { spec } = machine.world.must<Service>('services', 'default/web');
  await machine.world.patch('services', 'default/web', { spec: { type: 'ClusterIP' } });
  await machine.until(async () => (await asked('node-1')) === 'ECONNREFUSED');
  expect((await fetch(`http://${spec?.clusterIP}:9090/`)).status).toBe(200);
});
