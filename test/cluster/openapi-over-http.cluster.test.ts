import { randomBytes } from 'node:crypto';
import { ApiServer } from '../../src/api-server/index.js';
import { eventually } from '../eventually.js';
import { describeCluster } from './harness/index.js';
import { type Asked, type AskedServer, askServer, type Told } from './openapi/ask-server.js';

const V3 = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
const V2 = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const APPS = '/openapi/v3/apis/apps/v1';
/** Of the connection, or of what the embedded server does not have. */
const LEFT_OUT = /^(?:connection|keep-alive|x-kubernetes-pf-.*)$/;
const OWN_HEADERS = new Set(['audit-id', 'date', 'content-length', 'etag', 'last-modified', 'expires']);

/** Each answer, head and form, on the embedded server and on a real one. */
describeCluster('OpenAPI documents over HTTP', (cluster) => {
  const group = `broken-${randomBytes(4).toString('hex')}.example.com`;
  let server: ApiServer;
  let sides: readonly [AskedServer, AskedServer];
  beforeAll(async () => {
    server = await ApiServer.start({ mode: 'envtest' });
    sides = [
      { url: server.url, ca: server.certificateAuthority ?? '', token: server.tokenFor({ username: 'admin', groups: ['system:masters'] }) },
      { url: cluster.url, ca: cluster.connection.ca, token: cluster.adminToken },
    ];
  });
  afterAll(() => server.close());

  const both = async (asked: Asked): Promise<readonly [Told, Told]> => {
    const [ours, theirs] = await Promise.all(sides.map((side) => askServer(side, asked)));
    return [ours as Told, theirs as Told];
  };
  const same = async (asked: Asked): Promise<Told> => {
    const [ours, theirs] = await both(asked);
    expect(headOf(ours)).toEqual(headOf(theirs));
    expect(ours.body.length === 0).toBe(theirs.body.length === 0);
    return ours;
  };
  const hashOf = async (side: AskedServer): Promise<string> => {
    const { body } = await askServer(side, { path: '/openapi/v3' });
    const index = JSON.parse(body.toString()) as { readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>> };
    return index.paths['apis/apps/v1']?.serverRelativeURL ?? '';
  };

  test.each(
    ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].flatMap((method) => ['/openapi/v3', APPS].map((path) => [method, path])),
  )('%s %s', async (method, path) => {
    for (const accept of [V3, 'application/json', 'text/html'])
      await same({ method: String(method), path: String(path), headers: { accept } });
  });

  test.each(['GET', 'POST', 'DELETE'])('%s /openapi/v2', async (method) => {
    const [ours, theirs] = await both({ method, path: '/openapi/v2', headers: { accept: V2 } });
    expect([ours.status, ours.headers['content-type']]).toEqual([theirs.status, theirs.headers['content-type']]);
  });

  test('those of version 3 are never compressed, as large as they are', async () => {
    for (const accept of [V3, 'application/json']) {
      const { headers, body } = await same({ path: APPS, headers: { accept, 'accept-encoding': 'gzip' } });
      expect(headers['content-encoding']).toBeUndefined();
      expect(Number(headers['content-length'])).toBe(body.length);
      expect(body.length).toBeGreaterThan(128 * 1024);
    }
    const packed = await both({ path: '/openapi/v2', headers: { accept: V2, 'accept-encoding': 'gzip' } });
    expect(packed.map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', 'gzip']);
  });

  test('HEAD tells the length of the body', async () => {
    for (const side of sides) {
      const [head, whole] = await Promise.all(
        ['HEAD', 'GET'].map((method) => askServer(side, { method, path: APPS, headers: { accept: V3 } })),
      );
      expect(head?.headers['content-length']).toBe(String(whole?.body.length));
    }
  });

  test.each(['/openapi', '/openapi/v3/', '/openapi/v3x', '/openapi/v2/', '/openapi/v3/apis/apps/v9', '/openapi/v3/apis/apps/v1/'])(
    '%s is not there',
    async (path) => {
      expect((await same({ path, headers: { accept: V3 } })).status).toBe(404);
    },
  );

  test.each([V3, 'application/json'])('%s may be kept under the address of the index, and no other', async (accept) => {
    const answers = await Promise.all(sides.map(async (side) => askServer(side, { path: await hashOf(side), headers: { accept } })));
    const [ours, theirs] = answers.map(headOf);
    expect(ours).toEqual(theirs);
    expect(answers[0]?.headers).toMatchObject({ 'cache-control': 'public, immutable', vary: 'Accept' });
    expect((await same({ path: `${APPS}?hash=AB`, headers: { accept } })).headers['location']).toBe(await hashOf(sides[0]));
  });

  test.each([V3, 'application/json'])('%s is not sent twice, whichever form is known', async (accept) => {
    for (const name of ['etag', 'last-modified']) {
      const heads = await Promise.all(
        sides.map(async (side) => {
          const { headers } = await askServer(side, { path: APPS, headers: { accept: 'application/json' } });
          const condition = name === 'etag' ? 'if-none-match' : 'if-modified-since';
          return headOf(await askServer(side, { path: APPS, headers: { accept, [condition]: String(headers[name]) } }));
        }),
      );
      expect(heads[0]).toEqual(heads[1]);
      expect(heads[0]).toMatchObject({ status: 304 });
    }
  });

  test.each([
    ['if-none-match', '*', 304],
    ['if-none-match', '"AB"', 200],
    ['if-modified-since', 'Fri, 01 Jan 2100 00:00:00 GMT', 304],
    ['if-modified-since', 'Fri, 01 Jan 2021 00:00:00 GMT', 200],
  ])('the index for who says %s: %s', async (name, value, status) => {
    expect((await same({ path: '/openapi/v3', headers: { accept: V3, [name]: value } })).status).toBe(status);
  });

  test('what YAML cannot hold is given in JSON alone', async () => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `things.${group}` },
      spec: {
        group,
        scope: 'Cluster',
        names: { kind: 'Thing', plural: 'things' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', description: 'a\u007fb' } } }],
      },
    };
    const path = `/openapi/v3/apis/${group}/v1`;
    const created = await both({ method: 'POST', path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body: definition });
    expect(created.map(({ status }) => status)).toEqual([201, 201]);
    try {
      for (const side of sides) await eventually(async () => (await askServer(side, { path })).status === 200);
      await eventually(async () => (await askServer(sides[1], { path: '/openapi/v2' })).body.includes(group));
      expect(await same({ path, headers: { accept: V3 } })).toMatchObject({ status: 200, body: Buffer.alloc(0) });
      expect(await same({ path: `${path}?hash=AB`, headers: { accept: V3 } })).toMatchObject({ status: 200, body: Buffer.alloc(0) });
      expect((await same({ path, headers: { accept: 'application/json' } })).body.toString()).toContain('a\u007fb');
      const swaggers = await both({ path: '/openapi/v2', headers: { accept: V2 } });
      expect(swaggers.map(({ status, body }) => [status, body.length])).toEqual([
        [503, 0],
        [503, 0],
      ]);
    } finally {
      await cluster.must('DELETE', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.${group}`);
    }
    // Other suites ask for the protobuf of all definitions.
    await eventually(async () => (await askServer(sides[1], { path: '/openapi/v2', headers: { accept: V2 } })).status === 200);
  });
});

/** Status and headers, without values that each server has of its own. */
function headOf({ status, headers }: Told): object {
  const kept = Object.entries(headers).filter(([name]) => !LEFT_OUT.test(name));
  return {
    status,
    headers: Object.fromEntries(
      kept.map(([name, value]) => [
        name,
        OWN_HEADERS.has(name) ? 'of its own' : String(value).replace(/hash=[0-9A-F]{128}$/, 'hash=<hash>'),
      ]),
    ),
  };
}
