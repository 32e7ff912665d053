import { gunzipSync } from 'node:zlib';
import { cpuTimeMs } from '../../work/work-of.js';
import { JSON_TYPE, type Response, TestServer } from './harness.js';

const C = '/api/v1/namespaces/default/configmaps';
const S = '/apis/h.example.com/v1/namespaces/default/sheets';
const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';
const PARTIAL = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const PARTIAL_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const ALL = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
  await server.send('POST', C, { headers: JSON_TYPE, body: '{"metadata":{"name":"a","labels":{"x":"y"}},"data":{"k":"1"}}' });
  server.api.calls.length = 0;
});
afterEach(() => server.close());

const get = (path: string, accept?: string, headers: Record<string, string> = {}): Promise<Response> =>
  server.send('GET', path, { headers: { ...(accept === undefined ? {} : { accept }), ...headers } });

test.each([
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['application/yaml', 'application/yaml'],
  ['application/json;q=0.1,application/yaml', 'application/yaml'],
  ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
  ['application/vnd.kubernetes.protobuf,application/json', 'application/json'],
  ['application/json; charset=utf-8', 'application/json'],
  ['application/json;sv=v1', 'application/json'],
])('Accept %s is answered with %s', async (accept, type) => {
  const answer = await get(`${C}/a`, accept);
  expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
});

test.each([
  ['text/html', `406: Not Acceptable\n\nAvailable representations: ${ALL}`],
  ['application/*', `406: Not Acceptable\n\nAvailable representations: ${ALL}`],
  [',,', `406: Not Acceptable\n\nAvailable representations: ${ALL}`],
  ['application/json;as=Foo;g=meta.k8s.io;v=v1', `only the following media types are accepted: ${ALL}`],
  ['application/json;as=Table;g=meta.k8s.io;v=v2', `only the following media types are accepted: ${ALL}`],
  ['application/json;stream=foo', `only the following media types are accepted: ${ALL}`],
])('a built-in object in the form %s is refused', async (accept, message) => {
  const answer = await get(`${C}/a`, accept);
  expect(answer.json).toMatchObject({ kind: 'Status', code: 406, reason: 'NotAcceptable', message });
});

test('what cannot be negotiated is told as indented JSON, of a custom resource without details', async () => {
  const answer = await get(`${S}/a`, 'text/html');
  expect(answer.text).toBe(
    `{\n  "kind": "Status",\n  "apiVersion": "v1",\n  "metadata": {},\n  "status": "Failure",\n  "message": "only the following media types are accepted: ${ALL}",\n  "reason": "NotAcceptable",\n  "code": 406\n}`,
  );
});

test('an error for a client that wants a Table alone is indented JSON', async () => {
  const answer = await get(`${C}/zzz`, TABLE);
  expect(answer.text.startsWith('{\n  "kind": "Status"')).toBe(true);
  expect(answer.status).toBe(404);
});

test('a Table has columns, cells and the metadata of its objects', async () => {
  const answer = await get(C, TABLE);
  expect(answer.json).toEqual({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: '2' },
    columnDefinitions: [{ name: 'Name', type: 'string', format: 'name', description: 'The name', priority: 0 }],
    rows: [
      {
        cells: ['a'],
        object: {
          kind: 'PartialObjectMetadata',
          apiVersion: 'meta.k8s.io/v1',
          metadata: { name: 'a', namespace: 'default', resourceVersion: '2', labels: { x: 'y' } },
        },
      },
    ],
  });
  expect((await get(`${C}/a?includeObject=None`, TABLE)).json.rows).toEqual([{ cells: ['a'], object: null }]);
  expect((await get(`${C}/a?includeObject=Object`, TABLE)).json.rows[0].object.data).toEqual({ k: '1' });
  expect((await get(`${C}/a?includeObject=x`, TABLE)).json.message).toBe(
    `Unable to convert to Table as requested: includeObject: Invalid value: "x": must be 'Metadata', 'Object', 'None', or empty`,
  );
});

test('metadata alone, of an object and of a list', async () => {
  expect((await get(`${C}/a`, PARTIAL)).text).toBe(
    '{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a","namespace":"default","resourceVersion":"2","labels":{"x":"y"}}}\n',
  );
  expect((await get(C, PARTIAL_LIST)).json.items).toHaveLength(1);
  server.api.objects.clear();
  expect((await get(C, PARTIAL_LIST)).text).toBe(
    '{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"2"},"items":null}\n',
  );
});

test('metadata of the wrong number is refused with the names of Go types', async () => {
  expect((await get(C, PARTIAL)).json.message).toBe(
    'you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)',
  );
  expect((await get(`${C}/a`, PARTIAL_LIST)).json.message).toBe(
    'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
  );
  expect((await get(S, PARTIAL)).json.message).toBe(
    'you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)',
  );
  expect((await get(`${S}/a`, PARTIAL_LIST)).json).toMatchObject({ code: 500, message: 'content is not a list' });
});

test.each([
  ['?pretty=true', {}, true],
  ['?pretty=x', { 'user-agent': 'curl/7' }, false],
  ['', { 'user-agent': 'curl/7' }, true],
  ['', { 'user-agent': 'kubectl/1' }, false],
])('indentation of %s with %o: %s', async (query, headers, isPretty) => {
  const answer = await get(`${C}/a${query}`, undefined, headers);
  expect(answer.text.startsWith('{\n  "kind"')).toBe(isPretty);
  expect(answer.text.endsWith('\n')).toBe(!isPretty);
});

test('YAML has sorted keys, lists that are not indented, and quotes what is not a string otherwise', async () => {
  await server.send('POST', C, { headers: JSON_TYPE, body: '{"metadata":{"name":"n","finalizers":["a/b"]},"data":{"z":"yes","b":"1"}}' });
  expect((await get(`${C}/n`, 'application/yaml')).text).toBe(
    'apiVersion: v1\ndata:\n  b: "1"\n  z: "yes"\nkind: ConfigMap\nmetadata:\n  finalizers:\n  - a/b\n  name: "n"\n  namespace: default\n  resourceVersion: "3"\n',
  );
});

test('more than 128 KiB are compressed for who takes gzip, less is not', async () => {
  const big = JSON.stringify({ metadata: { name: 'big' }, data: { k: 'x'.repeat(140_000) } });
  await server.send('POST', C, { headers: JSON_TYPE, body: big });
  const plain = await get(C);
  expect(plain.headers['content-encoding']).toBeUndefined();
  const bytes = await new Promise<{ headers: Response['headers']; body: Buffer }>((resolve, reject) => {
    const raw = server.raw().write(`GET ${C} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: deflate, gzip\r\nConnection: close\r\n\r\n`);
    const chunks: Buffer[] = [];
    raw.socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    raw.socket.on('error', reject);
    raw.socket.on('end', () => {
      const all = Buffer.concat(chunks);
      const split = all.indexOf('\r\n\r\n');
      const headers = Object.fromEntries(
        all
          .subarray(0, split)
          .toString()
          .split('\r\n')
          .slice(1)
          .map((line) => [line.split(': ')[0]?.toLowerCase(), line.split(': ')[1]]),
      );
      resolve({ headers, body: all.subarray(split + 4) });
    });
  });
  expect(bytes.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
  expect(gunzipSync(dechunked(bytes.body)).toString()).toBe(plain.text);
  expect((await get(`${C}/a`, undefined, { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBeUndefined();
});

function dechunked(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.subarray(at, end).toString(), 16);
    if (size === 0) return Buffer.concat(parts);
    parts.push(body.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

test('a list of 50,000 objects does not keep the event loop', async () => {
  const served = { served: server.catalog.served('', 'v1', 'configmaps') as never, namespace: 'default' };
  for (let index = 0; index < 50_000; index += 1)
    server.api.put(served, { metadata: { name: `n${index}`, labels: { app: 'x' } }, data: { k: 'v'.repeat(200) } });
  let longest = 0;
  const start = cpuTimeMs();
  let last = start;
  let isDone = false;
  const tick = (): void => {
    const now = cpuTimeMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  const raw = server.raw().write(`GET ${C} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  // The client's own work is in this process too: it only counts bytes.
  let bytes = 0;
  raw.socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await new Promise((resolve) => raw.socket.once('end', resolve));
  isDone = true;
  expect(bytes).toBeGreaterThan(15_000_000);
  // A share of the whole, since the machine may be slow, and of CPU time, since other processes may take its turn: turns are of some 10 ms, and the whole takes some 300.
  expect(longest).toBeLessThan((cpuTimeMs() - start) / 2);
});
