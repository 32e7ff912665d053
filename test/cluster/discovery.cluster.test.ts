import { Discovery } from '../../src/api-server/documents/discovery/index.js';
import { builtinCatalog } from '../api-server/documents/discovery/builtin-catalog.js';
import { customResource } from '../api-server/documents/discovery/custom-resource.js';
import { applyAll } from './checks/index.js';
import { describeCluster, type TestObject } from './harness/index.js';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const GROUP = 'discovered.example.com';

/** Groups of other suites come and go on the shared server. */
const isOurs = (group: string): boolean => builtin.has(group) || group === GROUP;
const builtin = new Set(builtinCatalog().resources.map(({ group }) => group));

interface Group {
  readonly name?: string;
  readonly metadata?: { readonly name?: string };
}

function ofOurGroups(document: unknown): unknown {
  const { groups, items, ...rest } = document as { groups?: readonly Group[]; items?: readonly Group[] };
  const ours = (list: readonly Group[]): readonly Group[] => list.filter(({ name, metadata }) => isOurs(name ?? metadata?.name ?? ''));
  return { ...rest, ...(groups && { groups: ours(groups) }), ...(items && { items: ours(items) }) };
}

describeCluster('discovery documents', (cluster) => {
  const names = {
    kind: 'Fleet',
    plural: 'fleets',
    singular: 'fleet',
    listKind: 'FleetList',
    shortNames: ['fl', 'ee'],
    categories: ['ships'],
  };
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const definition: TestObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `fleets.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Cluster',
      names,
      versions: [
        {
          name: 'v1beta1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { ...schema.openAPIV3Schema, description: 'old' } },
          subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
        },
        { name: 'v2', served: true, storage: false, schema },
      ],
    },
  };
  const catalog = builtinCatalog();
  catalog.put(
    customResource({
      group: GROUP,
      kind: 'Fleet',
      scope: 'Cluster',
      versions: ['v1beta1', 'v2'],
      shortNames: names.shortNames,
      categories: names.categories,
      subresources: ['scale', 'status'],
    }),
  );
  const discovery = new Discovery({ catalog });
  const ours = (path: string, accept: string): unknown => {
    const host = new URL(cluster.connection.url).host;
    const answer = discovery.answer({ path, headers: { accept, host } });
    if (answer === undefined) return undefined;
    return 'object' in answer ? answer.object : JSON.parse(answer.body);
  };
  beforeAll(async () => {
    await applyAll(cluster, [definition]);
    await cluster.until<{ items: { metadata: { name: string } }[] }>(
      `/apis/apiregistration.k8s.io/v1/apiservices?fieldSelector=metadata.name=v2.${GROUP}`,
      ({ items }) => items.length === 1,
    );
  });
  afterAll(async () => cluster.must('DELETE', await cluster.paths.pathOf(definition)));

  const versions = catalog.resources.flatMap(({ group, versions: served }) =>
    served.map(({ version }) => (group === '' ? `/api/${version}` : `/apis/${group}/${version}`)),
  );
  const groups = [...builtin].filter((group) => group !== '').map((group) => `/apis/${group}`);

  test.each([...new Set(['/api', '/apis', `/apis/${GROUP}`, ...groups, ...versions])])('%s is that of the real server', async (path) => {
    const theirs = await cluster.must<object>('GET', path);
    expect(ofOurGroups(ours(path, 'application/json'))).toEqual(ofOurGroups(theirs));
  });

  test.each(['/api', '/apis'])('%s, aggregated, is that of the real server, headers included', async (path) => {
    const read = (): ReturnType<typeof cluster.request<object>> => cluster.request<object>('GET', path, undefined, { accept: AGGREGATED });
    await cluster.until<object>(`/apis/${GROUP}/v2`, () => true);
    const theirs = await read();
    expect(ofOurGroups(ours(path, AGGREGATED))).toEqual(ofOurGroups(theirs.body));
    const answer = discovery.answer({ path, headers: { accept: AGGREGATED } });
    if (answer === undefined || !('headers' in answer)) throw new Error('the document has headers');
    for (const name of ['Vary', 'Cache-Control', 'Content-Type']) expect(theirs.headers[name.toLowerCase()]).toBe(answer.headers[name]);
    expect(theirs.headers.etag).toMatch(/^"[0-9A-F]{128}"$/);
    expect(answer.headers['ETag']).toMatch(/^"[0-9A-F]{128}"$/);
  });

  test.each(['/apis/nope', '/apis/nope/v1', '/apis/apps/v9', `/apis/${GROUP}/v9`, '/api/v2'])(
    '%s is answered as by the real server',
    async (path) => {
      const theirs = await cluster.request<object | string>('GET', path);
      const answer = discovery.answer({ path, headers: {} });
      expect(theirs.status).toBe(404);
      if (answer === undefined) expect(theirs.body).toBe('404 page not found\n');
      else expect(theirs.body).toEqual('object' in answer ? answer.object : undefined);
    },
  );

  test('/version has the same fields, and the version that clients compare', async () => {
    const theirs = await cluster.must<Record<string, string>>('GET', '/version');
    const own = ours('/version', '*/*') as Record<string, string>;
    expect(Object.keys(own)).toEqual(Object.keys(theirs));
    // The last two are what `kubectl --match-server-version` compares beside the version.
    for (const field of Object.keys(own).filter((name) =>
      /^(major|minor|emulation|minCompat|gitVersion|gitCommit|gitTreeState)/.test(name),
    ))
      expect(own[field]).toBe(theirs[field]);
  });
});
