import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { builtinDefinitions, OpenApi, type OpenApiAnswer } from '../../src/api-server/documents/openapi/index.js';
import { builtinCatalog } from '../api-server/documents/discovery/builtin-catalog.js';
import { customResource } from '../api-server/documents/discovery/custom-resource.js';
import { boatDefinition, GROUP, shipDefinition } from '../api-server/documents/openapi/ship-definitions.js';
import { applyAll } from './checks/index.js';
import { type ClusterConnection, describeCluster } from './harness/index.js';

interface Index {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

/** What discovery, tokens and the version are documented by: nobody reads these. */
const NOT_SERVED = /^(\.well-known\/.*|openid\/.*|version|api|apis|apis\/[^/]+)$/;

describeCluster('OpenAPI documents', (cluster) => {
  const definitions = new Map([shipDefinition, boatDefinition].map((definition) => [definition.metadata.name, definition]));
  const catalog = builtinCatalog();
  const openApi = new OpenApi({
    catalog,
    definitions: builtinDefinitions(),
    customResourceDefinition: ({ plural, group }) => definitions.get(`${plural}.${group}`),
    now: () => new Date(),
  });
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
    await applyAll(cluster, [...definitions.values()]);
    const has = (document: { paths?: object }, path: string): boolean => path in (document.paths ?? {});
    // Behind discovery by some seconds.
    await cluster.until<string>('/openapi/v3', (text) => custom.every((name) => has(JSON.parse(text) as Index, name)));
    await cluster.until<Index>(
      `/openapi/v3/apis/${GROUP}/v1`,
      (document) => has(document, `/apis/${GROUP}/v1/boats`) && JSON.stringify(document).includes('Ship'),
    );
  });
  afterAll(async () => {
    for (const definition of definitions.values()) await cluster.must('DELETE', await cluster.paths.pathOf(definition));
  });

  test.each([...builtin, ...custom])('%s is that of the real server but for the prose', async (name) => {
    const theirs = await cluster.must<object>('GET', `/openapi/v3/${name}`);
    const own = ask(`/openapi/v3/${name}`);
    expect(own.status).toBe(200);
    expect(withoutProse(JSON.parse(own.body))).toEqual(withoutProse(theirs));
  });

  test('the index lists every group version', async () => {
    const theirs = JSON.parse(await cluster.must<string>('GET', '/openapi/v3')) as Index;
    const own = JSON.parse(ask('/openapi/v3').body) as Index;
    const expected = Object.keys(theirs.paths).filter((name) => !NOT_SERVED.test(name) && (builtin.includes(name) || name.includes(GROUP)));
    expect(Object.keys(own.paths)).toEqual(expected);
    for (const [name, { serverRelativeURL }] of Object.entries(own.paths)) {
      expect(serverRelativeURL).toMatch(new RegExp(`^/openapi/v3/${name}\\?hash=[0-9A-F]{128}$`));
    }
  });

  test.each([
    ['without a hash', '', 'application/json'],
    ['with a wrong hash', '?hash=AB', 'application/json'],
    ['for whom anything is right', '', '*/*'],
    ['for a browser', '', 'text/html'],
    ['of a version that is not there', '9', 'application/json'],
  ])('a document %s is answered as by the real server', async (_, suffix, accept) => {
    const path = `/openapi/v3/apis/apps/v1${suffix}`;
    const theirs = await answerOf(cluster.connection, path, accept);
    const own = ask(path, { accept });
    const names = ['content-type', 'vary', 'cache-control', 'etag', 'location', 'accept-ranges', 'last-modified', 'expires'];
    const sent = Object.fromEntries(Object.entries(own.headers).map(([name, value]) => [name.toLowerCase(), value]));
    expect(own.status).toBe(theirs.status);
    // The server says of everything that nobody may keep it; here it is the HTTP layer that does.
    const present = (headers: Readonly<Record<string, unknown>>): string[] =>
      names.filter((name) => headers[name] !== undefined && headers[name] !== 'no-cache, private');
    expect(present(sent)).toEqual(present(theirs.headers));
  });
});

function withoutProse(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutProse);
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([key, value]) => key !== 'description' || typeof value !== 'string');
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutProse(value)]));
}

/** Some answers call themselves JSON and have no body: the client of the harness would stumble. */
function answerOf(
  { url, ca, tokens }: ClusterConnection,
  path: string,
  accept: string,
): Promise<Pick<IncomingMessage, 'headers'> & { status: number }> {
  return new Promise((resolve, reject) => {
    request(new URL(path, url), { ca, headers: { accept, authorization: `Bearer ${tokens['admin']}` } }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
    })
      .on('error', reject)
      .end();
  });
}
