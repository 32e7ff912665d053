import type { Json } from '../../../../../../src/kubernetes/apimachinery/index.js';
import type { Service } from '../../../../../../src/kubernetes/kinds/index.js';
import type { Fields } from '../../stories/story.js';
import { StoryServer, type Told } from '../../stories/story-server.js';

const SERVICES = '/api/v1/namespaces/stories/services';

/** Six addresses: a full range is quickly there. */
let server: StoryServer;
beforeEach(() => {
  server = new StoryServer('10.0.0.0/29');
});

const create = (name: string, spec: Fields = {}): Promise<Told> =>
  server.ask({ method: 'POST', path: SERVICES, body: { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } } });
const remove = (name: string): Promise<Told> => server.ask({ method: 'DELETE', path: `${SERVICES}/${name}` });
const addressOf = ({ body }: Told): string | undefined => (body as unknown as Service).spec?.clusterIP;
const messageOf = ({ body }: Told): unknown => (body as { readonly message?: Json }).message;

test('a deleted Service frees its address and its node port at once', async () => {
  const fixed = { type: 'NodePort', clusterIP: '10.0.0.3', ports: [{ port: 80, nodePort: 30_080 }] };
  expect((await create('a', fixed)).status).toBe(201);
  expect((await create('b', { clusterIP: '10.0.0.3' })).status).toBe(422);
  expect((await remove('a')).status).toBe(200);
  expect((await create('b', fixed)).status).toBe(201);
});

test('an address that the server chose can be asked for after its Service has gone', async () => {
  const address = addressOf(await create('a')) ?? '';
  await remove('a');
  expect(addressOf(await create('a', { clusterIP: address }))).toBe(address);
});

test('a refused Service frees what it had claimed', async () => {
  const fixed = { type: 'NodePort', clusterIP: '10.0.0.4', ports: [{ port: 80, nodePort: 30_081 }] };
  expect((await create('a', { ...fixed, sessionAffinity: 'Never' })).status).toBe(422);
  expect((await create('a', fixed)).status).toBe(201);
});

test('a full range has room again as soon as a Service has gone', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) expect((await create(name)).status).toBe(201);
  expect(messageOf(await create('g'))).toContain('range is full');
  await remove('c');
  expect((await create('g')).status).toBe(201);
});

test('writes at the same time never get the same numbers', async () => {
  const created = await Promise.all(Array.from({ length: 20 }, (_, index) => create(`s${index}`, { clusterIP: '10.0.0.5' })));
  expect(created.filter(({ status }) => status === 201)).toHaveLength(1);
  const chosen = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => create(name)));
  expect(new Set(chosen.map(addressOf)).size).toBe(5);
});
