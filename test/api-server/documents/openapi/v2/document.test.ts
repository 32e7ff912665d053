import { get as httpGet, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { JsonObject, Resource } from '../../../../../src/api-server/contract/index.js';
import { builtinDefinitions, OpenApi } from '../../../../../src/api-server/documents/openapi/index.js';
import { ApiServer } from '../../../../../src/api-server/index.js';
import { builtinCatalog } from '../../discovery/builtin-catalog.js';
import { customResource } from '../../discovery/custom-resource.js';
import { boatDefinition, GROUP, shipDefinition } from '../ship-definitions.js';

const PROTOBUF = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

function publishing() {
  const catalog = builtinCatalog();
  let now = new Date('2026-01-02T03:04:05.678Z');
  const openApi = new OpenApi({
    catalog,
    definitions: builtinDefinitions(),
    customResourceDefinition: ({ kind }: Resource) => (kind === 'Ship' ? shipDefinition : boatDefinition),
    now: () => now,
  });
  const ask = (headers: Record<string, string> = {}) => openApi.answer({ path: '/openapi/v2', query: new URLSearchParams(), headers });
  const read = (): Record<string, Record<string, never>> => JSON.parse(String(ask()?.body));
  const put = (kind: string): void => catalog.put(customResource({ group: GROUP, kind, versions: ['v1'] }));
  const setTime = (text: string): void => {
    now = new Date(text);
  };
  return { catalog, ask, read, put, setTime };
}

describe('/openapi/v2', () => {
  test('has a definition for whatever it refers to, and none has a default or alternatives', () => {
    const { read, put } = publishing();
    put('Ship');
    put('Boat');
    const text = JSON.stringify(read());
    const { definitions = {} } = read();
    expect(Object.keys(definitions).length).toBeGreaterThan(560);
    for (const [, name = ''] of text.matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)) expect(definitions).toHaveProperty([name]);
    expect(/components\/schemas|"(?:allOf|anyOf|oneOf)":\[|"nullable":true/.exec(text)).toBeNull();
    expect(definitions['io.k8s.api.apps.v1.DeploymentSpec']).toMatchObject({
      required: ['selector', 'template'],
      properties: { template: { $ref: '#/definitions/io.k8s.api.core.v1.PodTemplateSpec' } },
    });
    expect(definitions['io.k8s.apimachinery.pkg.util.intstr.IntOrString']).toEqual({ type: 'string', format: 'int-or-string' });
    expect(JSON.stringify(definitions['io.k8s.api.core.v1.ContainerPort'])).not.toContain('"default"');
  });

  test('says nothing of values that OpenAPI 2 cannot describe, and demands none that may be null', () => {
    const { read, put } = publishing();
    put('Ship');
    put('Boat');
    const ship = read()['definitions']?.['com.example.published.v1.Ship'] as unknown as JsonObject;
    const { spec } = (ship as { properties: { spec: { required: unknown; properties: Record<string, unknown> } } }).properties;
    expect(spec.required).toEqual(['size']);
    expect(spec.properties).toMatchObject({ port: { 'x-kubernetes-int-or-string': true }, soft: {}, rows: {} });
    for (const name of ['soft', 'rows']) expect(spec.properties[name]).toEqual({});
    expect(spec.properties['open']).toEqual({
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    });
    expect(read()['definitions']?.['com.example.published.v1.Boat']).toEqual({
      type: 'object',
      'x-kubernetes-group-version-kind': [{ group: GROUP, kind: 'Boat', version: 'v1' }],
    });
  });

  test('keeps its tag and its date until it says something else', () => {
    const { ask, put, setTime } = publishing();
    const first = ask();
    expect(first?.headers).toMatchObject({ 'Last-Modified': 'Fri, 02 Jan 2026 03:04:05 GMT', Vary: 'Accept' });
    setTime('2026-01-02T05:00:00Z');
    expect(ask()?.headers).toEqual(first?.headers);
    put('Ship');
    const second = ask();
    expect(second?.headers['ETag']).not.toBe(first?.headers['ETag']);
    expect(second?.headers['Last-Modified']).toBe('Fri, 02 Jan 2026 05:00:00 GMT');
    put('Ship');
    setTime('2026-01-02T06:00:00Z');
    expect(ask()?.headers).toEqual(second?.headers);
  });

  test('is not sent to who has it', () => {
    const { ask } = publishing();
    const { ETag = '' } = ask()?.headers ?? {};
    const known: readonly Record<string, string>[] = [
      { 'if-none-match': ETag },
      { 'if-none-match': `"AB", W/${ETag}` },
      { 'if-none-match': '*' },
      { 'if-none-match': ETag, accept: PROTOBUF },
      { 'if-modified-since': 'Fri, 02 Jan 2026 03:04:05 GMT' },
    ];
    for (const headers of known) {
      expect(ask(headers)).toEqual({ status: 304, headers: { ETag, Vary: 'Accept' }, body: '' });
    }
    const unknown: readonly Record<string, string>[] = [
      { 'if-none-match': '"AB"', 'if-modified-since': 'Fri, 02 Jan 2026 03:04:05 GMT' },
      { 'if-modified-since': 'Fri, 02 Jan 2026 03:04:04 GMT' },
      { 'if-modified-since': 'yesterday' },
    ];
    for (const headers of unknown) expect(ask(headers)?.status).toBe(200);
  });

  test('is compressed for who takes gzip, in JSON and in protobuf', async () => {
    const server = await ApiServer.start({ protocol: 'http' });
    try {
      for (const accept of ['application/json', PROTOBUF]) {
        const authorization = `Bearer ${server.tokenFor()}`;
        const plain = await bytesOf(`${server.url}/openapi/v2`, { accept, authorization });
        const packed = await bytesOf(`${server.url}/openapi/v2`, { accept, authorization, 'accept-encoding': 'gzip' });
        expect(plain.headers['content-encoding']).toBeUndefined();
        expect(packed.headers['content-encoding']).toBe('gzip');
        expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
        expect(plain.body.length).toBeGreaterThan(500_000);
      }
    } finally {
      await server.close();
    }
  });
});

function bytesOf(url: string, headers: Record<string, string>): Promise<Pick<IncomingMessage, 'headers'> & { readonly body: Buffer }> {
  return new Promise((resolve, reject) => {
    httpGet(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
    }).on('error', reject);
  });
}
