import { JSON_TYPE, TestServer } from './harness.js';

const C = '/api/v1/namespaces/default/configmaps';
const S = '/apis/h.example.com/v1/namespaces/default/sheets';
const configMap = (name: string, more: object = {}): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...more });
const sheet = (name: string): string =>
  JSON.stringify({ apiVersion: 'h.example.com/v1', kind: 'Sheet', metadata: { name }, spec: { z: 1 } });

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(() => server.close());

test('an object goes through all verbs', async () => {
  const created = await server.send('POST', C, { headers: JSON_TYPE, body: configMap('a', { data: { html: '<&>' } }) });
  expect(created.status).toBe(201);
  expect(created.text).toBe(
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"default","resourceVersion":"2"},"data":{"html":"\\u003c\\u0026\\u003e"}}\n',
  );
  expect(created.headers).toMatchObject({
    'cache-control': 'no-cache, private',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(created.text)),
  });
  expect(created.headers['audit-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect((await server.send('GET', `${C}/a`)).text).toBe(created.text);
  expect((await server.send('PUT', `${C}/a`, { headers: JSON_TYPE, body: configMap('a') })).json.data).toBeUndefined();
  const patched = await server.send('PATCH', `${C}/a`, {
    headers: { 'content-type': 'application/merge-patch+json' },
    body: '{"data":{"x":"y"}}',
  });
  expect(patched.json.data).toEqual({ x: 'y' });
  const list = await server.send('GET', C);
  expect(list.text).toBe(
    '{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"4"},"items":[{"metadata":{"name":"a","namespace":"default","resourceVersion":"4"},"data":{"x":"y"}}]}\n',
  );
  const deleted = await server.send('DELETE', `${C}/a`);
  expect(deleted.text).toBe(
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","details":{"name":"a","kind":"configmaps","uid":"u"},"code":200}\n',
  );
  expect((await server.send('DELETE', `${C}/a`)).json).toMatchObject({
    code: 404,
    reason: 'NotFound',
    message: 'configmaps "a" not found',
  });
  expect(server.bugs).toEqual([]);
});

test('lists of custom resources keep kinds and tell an empty continue', async () => {
  await server.send('POST', S, { headers: JSON_TYPE, body: sheet('s') });
  expect((await server.send('GET', S)).text).toBe(
    '{"apiVersion":"h.example.com/v1","items":[{"apiVersion":"h.example.com/v1","kind":"Sheet","metadata":{"name":"s","namespace":"default","resourceVersion":"2"},"spec":{"z":1}}],"kind":"SheetList","metadata":{"continue":"","resourceVersion":"2"}}\n',
  );
});
