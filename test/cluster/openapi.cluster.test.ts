import { withoutProse } from '../../scripts/generate-openapi/index.js';
import type { JsonObject } from '../../src/api-server/contract/index.js';
import { builtinDefinitions, OpenApi, type OpenApiAnswer } from '../../src/api-server/documents/openapi/index.js';
import { openApiProtobuf, readAsYaml, swaggerProtobuf } from '../../src/api-server/documents/openapi/protobuf/index.js';
import { builtinCatalog } from '../api-server/documents/discovery/builtin-catalog.js';
import { customResource } from '../api-server/documents/discovery/custom-resource.js';
import { cargoDefinition } from '../api-server/documents/openapi/cargo-definition.js';
import { boatDefinition, GROUP, shipDefinition } from '../api-server/documents/openapi/ship-definitions.js';
import { applyAll } from './checks/index.js';
import { describeCluster } from './harness/index.js';
import { askServer, type Told } from './openapi/ask-server.js';

interface Index {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

const PROTOBUF = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
/** What discovery, tokens and the version are documented by: nobody reads these. */
const NOT_SERVED = /^(\.well-known\/.*|openid\/.*|version|api|apis|apis\/[^/]+)$/;

describeCluster('OpenAPI documents', (cluster) => {
  const definitions = new Map(
    [shipDefinition, boatDefinition, cargoDefinition].map((definition) => [definition.metadata.name, definition]),
  );
  const catalog = builtinCatalog();
  const openApi = new OpenApi({
    catalog,
    definitions: builtinDefinitions(),
    customResourceDefinition: ({ plural, group }) => definitions.get(`${plural}.${group}`),
    now: () => new Date(),
  });
  const told = (path: string, headers: Readonly<Record<string, string>>): Promise<Told> =>
    askServer({ url: cluster.url, ca: cluster.connection.ca, token: cluster.adminToken }, { path, headers });
  const ask = (target: string, headers: Record<string, string> = {}): OpenApiAnswer => {
    const url = new URL(target, 'https://server');
    const answer = openApi.answer({ path: url.pathname, query: url.searchParams, headers });
    if (answer === undefined) throw new Error(`${target} is not of OpenAPI`);
    return answer;
  };
  const builtin = [
    ...new Set(
      catalog.resources.flatMap(({ group, versions }) =>
        versions.map(({ version }) => (group === '' ? `api/${version}` : `apis/${group}/${version}`)),
      ),
    ),
  ];
  const custom = [`apis/${GROUP}/v1`, `apis/${GROUP}/v2`];
  beforeAll(async () => {
    const common = { group: GROUP, categories: [] };
    catalog.put(customResource({ ...common, kind: 'Ship', versions: ['v1', 'v2'], subresources: ['scale', 'status'] }));
    catalog.put(customResource({ ...common, kind: 'Boat', versions: ['v1'], scope: 'Cluster' }));
    catalog.put(customResource({ ...common, kind: 'Cargo', versions: ['v1'] }));
    await applyAll(cluster, [shipDefinition, boatDefinition]);
    // The body of an apply is read as YAML, which is not what JSON says of these texts.
    await cluster.must('POST', await cluster.paths.collectionOf(cargoDefinition), cargoDefinition);
    const has = (document: { paths?: object }, path: string): boolean => path in (document.paths ?? {});
    // Behind discovery by some seconds.
    await cluster.until<string>('/openapi/v3', (text) => custom.every((name) => has(JSON.parse(text) as Index, name)));
    await cluster.until<Index>(`/openapi/v3/apis/${GROUP}/v1`, (document) =>
      ['boats', 'ships', 'cargos'].every((plural) => JSON.stringify(document).includes(`/${plural}/{name}`)),
    );
  });
  afterAll(async () => {
    for (const definition of definitions.values()) await cluster.must('DELETE', await cluster.paths.pathOf(definition));
  });

  test.each([...builtin, ...custom])('%s is that of the real server but for the prose', async (name) => {
    const theirs = await cluster.must<object>('GET', `/openapi/v3/${name}`);
    const own = ask(`/openapi/v3/${name}`);
    expect(own.status).toBe(200);
    expect(withoutProse(JSON.parse(String(own.body)))).toEqual(withoutProse(theirs));
  });

  test.each([...builtin, ...custom])('%s in protobuf is byte for byte what Go writes', async (name) => {
    const path = `/openapi/v3/${name}`;
    const json = (await told(path, { accept: 'application/json' })).body.toString();
    const { body, headers } = await told(path, { accept: PROTOBUF });
    expect(headers['content-type']).toBe(PROTOBUF);
    expect(differenceOf(openApiProtobuf(published(json)), body)).toBeUndefined();
    const own = ask(path, { accept: PROTOBUF });
    expect(own.headers['Content-Type']).toBe(PROTOBUF);
    const ownJson = String(ask(path).body);
    expect(differenceOf(own.body as Buffer, openApiProtobuf(published(ownJson)))).toBeUndefined();
    // Members in their order: it is that of the bytes.
    const [mine, theirs] = [ownJson, json].map((text) => openApiProtobuf(withoutProse(published(text)) as JsonObject));
    expect(differenceOf(mine as Buffer, theirs as Buffer)).toBeUndefined();
  });

  test('the index lists every group version', async () => {
    const theirs = JSON.parse(await cluster.must<string>('GET', '/openapi/v3')) as Index;
    const own = JSON.parse(String(ask('/openapi/v3').body)) as Index;
    const expected = Object.keys(theirs.paths).filter((name) => !NOT_SERVED.test(name) && (builtin.includes(name) || name.includes(GROUP)));
    expect(Object.keys(own.paths)).toEqual(expected);
    for (const [name, { serverRelativeURL }] of Object.entries(own.paths)) {
      expect(serverRelativeURL).toMatch(new RegExp(`^/openapi/v3/${name}\\?hash=[0-9A-F]{128}$`));
    }
  });

  describe('/openapi/v2', () => {
    const read = async (): Promise<Swagger> => cluster.must<Swagger>('GET', '/openapi/v2');
    const own = (): Swagger => JSON.parse(String(ask('/openapi/v2').body)) as Swagger;
    /** Definitions that other suites have left behind are not looked at. */
    const isKnown = (name: string): boolean => /^(io\.k8s\.|com\.example\.published\.)/.test(name);
    const only = (map: Readonly<Record<string, unknown>>, isMeant: (name: string) => boolean): Record<string, unknown> =>
      Object.fromEntries(Object.entries(map).filter(([name]) => isMeant(name)));

    test('has the definitions of the real server, by name and content', async () => {
      const theirs = await read();
      expect(Object.keys(theirs.definitions).length).toBeGreaterThan(560);
      expect(withoutProse(only(own().definitions, isKnown))).toEqual(withoutProse(only(theirs.definitions, isKnown)));
    });

    test('has its paths, with their parameters', async () => {
      const theirs = await read();
      const mine = own();
      const groups = new Set(catalog.resources.map(({ group }) => group));
      const isMeant = (path: string): boolean => !path.startsWith('/apis/') || path === '/apis/' || groups.has(path.split('/')[2] ?? '');
      expect(withoutProse(resolved(mine))).toEqual(withoutProse(resolved({ ...theirs, paths: only(theirs.paths, isMeant) })));
    });

    test('says of itself what the real server says', async () => {
      const rest = ({ paths: _, definitions: __, parameters: ___, ...others }: Swagger): unknown => withoutProse(others);
      expect(rest(own())).toEqual(rest(await read()));
    });

    test('becomes the bytes that Go writes', async () => {
      const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
      const json = await told('/openapi/v2', { accept: 'application/json' });
      const theirs = await told('/openapi/v2', { accept });
      expect(differenceOf(swaggerProtobuf(published(json.body.toString())), theirs.body)).toBeUndefined();
      const bytes = ask('/openapi/v2', { accept }).body as Buffer;
      expect(differenceOf(bytes, swaggerProtobuf(published(String(ask('/openapi/v2').body))))).toBeUndefined();
    });

    const SWAGGER = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    test.each([
      ['JSON', 'application/json', 'application/json'],
      ['anything', '*/*', 'application/json'],
      ['protobuf', SWAGGER, 'protobuf'],
      ['protobuf by its new name', 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf', 'protobuf'],
      ['both', `${SWAGGER},application/json`, 'protobuf'],
      ['JSON rather', `${SWAGGER};q=0.1,application/json;q=0.9`, 'application/json'],
      ['JSON least of all', 'application/json;q=0', 'application/json'],
      ['a page', 'text/html', undefined],
      ['YAML', 'application/yaml', undefined],
      ['nonsense', 'foo', undefined],
    ])('is given as the real server does to who wants %s', async (_, accept, type) => {
      const theirs = await told('/openapi/v2', { accept });
      const mine = ask('/openapi/v2', { accept });
      expect(mine.status).toBe(theirs.status);
      expect(mine.headers['Content-Type']).toBe(theirs.headers['content-type']);
      if (type === undefined) expect(mine.status).toBe(406);
      else expect(mine.headers['Content-Type']).toContain(type);
    });

    test.each(['if-none-match', 'if-modified-since'])('is not sent twice (%s)', async (name) => {
      const asked = async (ask: (headers: Record<string, string>) => Promise<Pick<Told, 'status' | 'headers'>>): Promise<unknown> => {
        const { headers } = await ask({ accept: 'application/json' });
        const value = String(headers[name === 'if-none-match' ? 'etag' : 'last-modified']);
        const second = await ask({ accept: SWAGGER, [name]: value });
        return { status: second.status, names: ['etag', 'vary', 'content-type', 'last-modified'].filter((one) => one in second.headers) };
      };
      const here = async (headers: Record<string, string>): Promise<Pick<Told, 'status' | 'headers'>> => {
        const { status, headers: sent } = ask('/openapi/v2', headers);
        return { status, headers: Object.fromEntries(Object.entries(sent).map(([key, value]) => [key.toLowerCase(), value])) };
      };
      const mine = await asked(here);
      expect(mine).toMatchObject({ status: 304 });
      expect(mine).toEqual(await asked((headers) => told('/openapi/v2', headers)));
    });
  });

  test.each([
    ['without a hash', '', 'application/json'],
    ['with a wrong hash', '?hash=AB', 'application/json'],
    ['for whom anything is right', '', '*/*'],
    ['in protobuf', '', PROTOBUF],
    ['in protobuf by its old name', '', 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf'],
    ['in protobuf with a wrong hash', '?hash=AB', PROTOBUF],
    ['in protobuf rather', '', `${PROTOBUF},application/json`],
    ['in JSON rather', '', `${PROTOBUF};q=0.1,application/json;q=0.9`],
    ['in any application', '', 'application/*'],
    ['in the protobuf of another version', '', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'],
    ['for a browser', '', 'text/html'],
    ['of a version that is not there', '9', 'application/json'],
  ])('a document %s is answered as by the real server', async (_, suffix, accept) => {
    const path = `/openapi/v3/apis/apps/v1${suffix}`;
    const theirs = await told(path, { accept });
    const own = ask(path, { accept });
    const names = ['content-type', 'vary', 'cache-control', 'etag', 'location', 'accept-ranges', 'last-modified', 'expires'];
    const sent = Object.fromEntries(Object.entries(own.headers).map(([name, value]) => [name.toLowerCase(), value]));
    expect(own.status).toBe(theirs.status);
    expect(own.headers['Content-Type']).toBe(theirs.headers['content-type']);
    // The server says of everything that nobody may keep it; here it is the HTTP layer that does.
    const present = (headers: Readonly<Record<string, unknown>>): string[] =>
      names.filter((name) => headers[name] !== undefined && headers[name] !== 'no-cache, private');
    expect(present(sent)).toEqual(present(theirs.headers));
  });
});

/** As gnostic reads it. */
function published(json: string): JsonObject {
  const document = readAsYaml(json);
  if (document === undefined) throw new TypeError('YAML forbids a character of this document');
  return document;
}

/** Where bytes first differ, with what stands there; undefined: nowhere. Jest would print two long lists of numbers. */
function differenceOf(mine: Buffer, theirs: Buffer): string | undefined {
  if (mine.equals(theirs)) return undefined;
  const at = mine.findIndex((byte, index) => byte !== theirs[index]);
  const [ours, real] = [mine, theirs].map((bytes) => JSON.stringify(bytes.subarray(Math.max(0, at - 60), at + 60).toString('latin1')));
  return `at byte ${at} of ${mine.length}: ${ours}, of ${theirs.length}: ${real}`;
}

interface Swagger {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly definitions: Readonly<Record<string, unknown>>;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Paths with the parameters that they refer to: their names hold a sum over descriptions, which are not here. */
function resolved({ paths, parameters }: Swagger): unknown {
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref } = node as { readonly $ref?: string };
    if ($ref?.startsWith('#/parameters/') === true) return parameters[$ref.slice('#/parameters/'.length)] ?? `nothing at ${$ref}`;
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, visit(value)]));
  };
  return visit(paths);
}
