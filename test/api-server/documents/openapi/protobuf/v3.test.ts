import type { JsonObject } from '../../../../../src/api-server/contract/index.js';
import { builtinDefinitions, OpenApi, type OpenApiAnswer } from '../../../../../src/api-server/documents/openapi/index.js';
import { openApiProtobuf, readAsYaml } from '../../../../../src/api-server/documents/openapi/protobuf/index.js';
import { ApiServer } from '../../../../../src/api-server/index.js';
import { builtinCatalog } from '../../discovery/builtin-catalog.js';
import { customResource } from '../../discovery/custom-resource.js';
import { cargoWith, UGLY_TEXTS } from '../cargo-definition.js';
import { boatDefinition, GROUP, shipDefinition } from '../ship-definitions.js';
import { decodedDocument } from './gnostic-decoder.js';

const PROTOBUF = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
const OLD_NAME = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';

function publishing(definitions: Readonly<Record<string, JsonObject>>) {
  const catalog = builtinCatalog();
  for (const kind of Object.keys(definitions))
    catalog.put(customResource({ group: GROUP, kind, versions: ['v1'], subresources: ['status'] }));
  const openApi = new OpenApi({
    catalog,
    definitions: builtinDefinitions(),
    customResourceDefinition: ({ kind }) => definitions[kind],
    now: () => new Date('2026-01-02T03:04:05Z'),
  });
  const ask = (target: string, headers: Record<string, string> = {}): OpenApiAnswer => {
    const url = new URL(target, 'http://server');
    const answer = openApi.answer({ path: url.pathname, query: url.searchParams, headers });
    if (answer === undefined) throw new Error(`${target} is not of OpenAPI`);
    return answer;
  };
  return { catalog, ask };
}

describe('a document of OpenAPI v3 in protobuf', () => {
  // The reader of this test is not Go's: it takes the first for infinity, and keeps the breaks of Unicode as they are.
  const readable = UGLY_TEXTS.filter((text) => text !== '1e400' && !/[\u2028\u2029]/.test(text));
  const { catalog, ask } = publishing({ Ship: shipDefinition, Boat: boatDefinition, Cargo: cargoWith(readable) });
  const names = new Set(
    catalog.resources.flatMap(({ group, versions }) =>
      versions.map(({ version }) => (group === '' ? `api/${version}` : `apis/${group}/${version}`)),
    ),
  );

  test.each([...names])('%s says what its JSON says', (name) => {
    const { body, status } = ask(`/openapi/v3/${name}`, { accept: PROTOBUF });
    expect(status).toBe(200);
    expect(decodedDocument(body as Buffer)).toEqual(asDecoded(readAsYaml(String(ask(`/openapi/v3/${name}`).body)) as JsonObject));
  });

  test('is given to who likes it best, under its new name, with the tag of the JSON', () => {
    const path = '/openapi/v3/apis/apps/v1';
    const json = ask(path);
    for (const accept of [PROTOBUF, OLD_NAME, `${PROTOBUF},application/json`, `application/json;q=0.5,${OLD_NAME}`]) {
      const { headers, body, isNeverCompressed } = ask(path, { accept });
      expect(headers).toEqual({ ...json.headers, 'Content-Type': PROTOBUF });
      expect(Buffer.isBuffer(body)).toBe(true);
      expect(isNeverCompressed).toBe(true);
    }
    for (const accept of ['*/*', 'application/*', `application/json,${PROTOBUF};q=0.9`]) expect(ask(path, { accept })).toEqual(json);
    expect(ask(path, { accept: PROTOBUF.replace('v3', 'v2') })).toMatchObject({ status: 406, headers: { Vary: 'Accept' } });
  });

  test('is made once', () => {
    const [first, second] = [PROTOBUF, OLD_NAME].map((accept) => ask('/openapi/v3/apis/batch/v1', { accept }).body);
    expect(first).toBe(second);
  });

  test('has the hash of the JSON in its address', () => {
    const path = `/openapi/v3/apis/${GROUP}/v1`;
    const url = JSON.parse(String(ask('/openapi/v3', { accept: PROTOBUF }).body)).paths[`apis/${GROUP}/v1`].serverRelativeURL;
    expect(ask(url, { accept: PROTOBUF })).toMatchObject({
      status: 200,
      headers: { 'Cache-Control': 'public, immutable', 'Content-Type': PROTOBUF },
    });
    expect(ask(`${path}?hash=AB`, { accept: PROTOBUF })).toMatchObject({
      status: 301,
      headers: { Location: url, 'Content-Type': PROTOBUF },
    });
    const { ETag = '' } = ask(path).headers;
    expect(ask(path, { accept: PROTOBUF, 'if-none-match': ETag })).toMatchObject({ status: 304, body: '' });
  });

  test('is not there where YAML could not read its JSON', () => {
    const described = (description: string): JsonObject => {
      const [version] = (boatDefinition['spec'] as { readonly versions: readonly JsonObject[] }).versions;
      const schema = { openAPIV3Schema: { type: 'object', description } };
      return { ...boatDefinition, spec: { ...(boatDefinition['spec'] as JsonObject), versions: [{ ...version, schema }] } };
    };
    const broken = publishing({ Boat: described('a\u007fb') });
    const path = `/openapi/v3/apis/${GROUP}/v1`;
    for (const url of [path, `${path}?hash=AB`])
      expect(broken.ask(url, { accept: PROTOBUF })).toEqual({ status: 200, headers: {}, body: '', isNeverCompressed: true });
    expect(broken.ask(path).headers['Content-Type']).toBe('application/json');
    expect(broken.ask('/openapi/v2', { accept: PROTOBUF.replace('v3', 'v2') })).toEqual({
      status: 503,
      headers: { Vary: 'Accept' },
      body: '',
    });
    expect(broken.ask('/openapi/v2').status).toBe(200);
    const folded = publishing({ Boat: described('a \u0085 b\u2028 c') });
    const bytes = folded.ask(path, { accept: PROTOBUF }).body as Buffer;
    expect(bytes.includes('a b\u2028 c')).toBe(true);
    // In OpenAPI 2, Go writes the two separators of Unicode as they are.
    expect((folded.ask('/openapi/v2', { accept: PROTOBUF.replace('v3', 'v2') }).body as Buffer).includes('a b\u2028c')).toBe(true);
  });

  test('has no member that no document has', () => {
    const schemas = (schema: JsonObject): JsonObject => ({ components: { schemas: { A: schema } } });
    expect(() => openApiProtobuf(schemas({ discriminator: { propertyName: 'a' } }))).toThrow(
      'an OpenAPI document has no member discriminator here',
    );
    expect(() => openApiProtobuf({ servers: [] })).toThrow('no member servers');
  });

  test('over HTTP is as long as HEAD says, and never compressed', async () => {
    const server = await ApiServer.start({ protocol: 'http' });
    try {
      const headers = { authorization: `Bearer ${server.tokenFor()}`, accept: PROTOBUF, 'accept-encoding': 'gzip' };
      const url = `${server.url}/openapi/v3/api/v1`;
      const [whole, head, posted] = await Promise.all(['GET', 'HEAD', 'POST'].map((method) => fetch(url, { method, headers })));
      const length = (await whole?.arrayBuffer())?.byteLength ?? 0;
      expect(length).toBeGreaterThan(128 * 1024);
      for (const answer of [whole, head, posted]) {
        expect(answer?.headers.get('content-length')).toBe(String(length));
        expect(answer?.headers.get('content-encoding')).toBeNull();
        expect(answer?.headers.get('content-type')).toBe(PROTOBUF);
      }
      const known = await fetch(url, { headers: { ...headers, 'if-none-match': '*' } });
      expect([known.status, known.headers.get('content-length'), known.headers.get('content-type')]).toEqual([304, null, null]);
      expect((await fetch(`${server.url}/openapi/v3/`, { headers })).status).toBe(404);
    } finally {
      await server.close();
    }
  });
});

/** A document as the decoder gives it: zero values are not told, nor what a default that is a list or a map holds. */
function asDecoded(node: JsonObject): JsonObject {
  return cleaned(node, '') as JsonObject;
}

/** Members whose values are maps of names, not members. */
const MAPS = new Set(['properties', 'schemas', 'content', 'paths', 'responses', 'securitySchemes']);

function cleaned(node: unknown, name: string, isMap = false): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (name === 'default' && !isMap) return {};
  if (Array.isArray(node)) return node.map((item) => cleaned(item, ''));
  const isIn = !isMap && MAPS.has(name);
  const isAny = (key: string): boolean => !isIn && (key === 'enum' || key.startsWith('x-'));
  const isZero = (key: string, value: unknown): boolean =>
    !isIn && !['default', 'additionalProperties'].includes(key) && (value === 0 || value === false || value === '');
  const kept = Object.entries(node).filter(([key, value]) => !isZero(key, value));
  return Object.fromEntries(kept.map(([key, value]) => [key, isAny(key) ? value : cleaned(value, isIn ? '' : key)]));
}
