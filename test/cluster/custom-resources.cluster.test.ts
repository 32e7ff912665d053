import { Server } from '../api-server/kinds/custom-resources/server.js';
import { compared } from './custom-resources/compared.js';
import { definitionCases, definitionOf } from './custom-resources/definition-cases.js';
import { type WriteCase, writeCases } from './custom-resources/write-cases.js';
import { describeCluster } from './harness/index.js';

const PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const OURS = 'apiextensions.k8s.io/v1/customresourcedefinitions';

describeCluster('definitions as the in-process server judges them', (cluster) => {
  test.each(definitionCases)('%s', async (_, each) => {
    const manifest = definitionOf(each);
    const real = await cluster.request('POST', PATH, manifest, { query: { dryRun: 'All' } });
    const server = new Server();
    const ours = await server.request('create', OURS, JSON.parse(JSON.stringify(manifest)) as object, {
      isDryRun: true,
      fieldValidation: 'Warn',
    });
    expect(compared(ours, server.warnings)).toEqual(compared(real.body, real.warnings));
  });
});

describeCluster('changes of a definition as the in-process server judges them', (cluster) => {
  const server = new Server();
  const base = definitionOf({}) as { readonly metadata: { readonly name: string } };
  const { name } = base.metadata;
  beforeAll(async () => {
    await cluster.must('POST', PATH, base);
    await cluster.until(`${PATH}/${name}`, isEstablished);
    await server.define(base);
  });
  afterAll(async () => {
    await cluster.must('DELETE', `${PATH}/${name}`);
  });

  // Who has another name is another object.
  const changes = definitionCases.filter(([, { metadata }]) => !(metadata !== undefined && 'name' in metadata));
  test.each(changes)('to %s', async (_, each) => {
    const manifest = JSON.parse(JSON.stringify(definitionOf(each))) as { readonly metadata: object };
    const bodyFor = ({ metadata }: { readonly metadata: { readonly resourceVersion: string } }): object => ({
      ...manifest,
      metadata: { ...manifest.metadata, resourceVersion: metadata.resourceVersion },
    });
    const stored = await cluster.must<Parameters<typeof bodyFor>[0]>('GET', `${PATH}/${name}`);
    const real = await cluster.request('PUT', `${PATH}/${name}`, bodyFor(stored), { query: { dryRun: 'All' } });
    const own = (await server.request('get', `${OURS}//${name}`)) as unknown as Parameters<typeof bodyFor>[0];
    server.warnings.length = 0;
    const ours = await server.request('update', `${OURS}//${name}`, bodyFor(own), { isDryRun: true, fieldValidation: 'Warn' });
    expect(compared(ours, server.warnings)).toEqual(compared(real.body, real.warnings));
  });
});

describeCluster('custom resources as the in-process server takes them', (cluster) => {
  const server = new Server();
  let namespace = '';
  beforeAll(async () => {
    namespace = await cluster.namespace('custom');
    const manifests = Object.entries(writeCases).map(([name, each]) => definitionFor(name, each));
    // All at once: the API server keeps the first create back until a definition is two seconds old.
    await Promise.all(manifests.map((manifest) => cluster.must('POST', PATH, manifest)));
    for (const manifest of manifests) {
      await cluster.untilServed(manifest.metadata.name);
      await server.define(manifest);
    }
  });
  afterAll(async () => {
    for (const [name, each] of Object.entries(writeCases))
      await cluster.must('DELETE', `${PATH}/${definitionFor(name, each).metadata.name}`);
  });

  describe.each(Object.entries(writeCases))('%s', (name, { creates, updates = [], statusUpdates = [] }) => {
    const paths = () => ({
      real: `/apis/${WRITES}/v1/namespaces/${namespace}/${name}`,
      ours: `${WRITES}/v1/${name}/${namespace}`,
    });
    const whole = (fields: object): Record<string, unknown> => ({ apiVersion: `${WRITES}/v1`, kind: kindOf(name), ...fields });
    const query = (mode: Mode): Record<string, string> => ({ fieldValidation: mode });
    type Mode = 'Ignore' | 'Strict' | 'Warn';

    /** Sends to both, and compares what they answer. */
    async function send(verb: 'create' | 'update', place: string, body: object, mode: Mode): Promise<void> {
      const { real, ours } = paths();
      const theirs = await cluster.request(verb === 'create' ? 'POST' : 'PUT', `${real}${place}`, body, { query: query(mode) });
      server.warnings.length = 0;
      const own = await server.request(verb, `${ours}${place}`, JSON.parse(JSON.stringify(body)) as object, { fieldValidation: mode });
      expect(compared(own, server.warnings)).toEqual(compared(theirs.body, theirs.warnings));
    }

    async function remove(): Promise<void> {
      const { real, ours } = paths();
      await cluster.request('PATCH', `${real}/one`, { metadata: { finalizers: null } }, { contentType: 'application/merge-patch+json' });
      await cluster.request('DELETE', `${real}/one`);
      const { metadata, ...fields } = (await server.request('get', `${ours}/one`)) as { metadata?: object };
      await server.request('update', `${ours}/one`, { ...fields, metadata: { ...metadata, finalizers: [] } });
      await server.request('delete', `${ours}/one`);
    }

    /** The body of an update, with what each server wants to see of its own object. */
    async function update(place: string, fields: object): Promise<void> {
      const { real, ours } = paths();
      const stored = await cluster.must<{ metadata: { resourceVersion: string } }>('GET', `${real}/one`);
      const own = (await server.request('get', `${ours}/one`)) as { metadata: { resourceVersion: string } };
      const body = (resourceVersion: string): object => {
        const object = whole(fields);
        return { ...object, metadata: { ...(object['metadata'] as object), resourceVersion } };
      };
      const theirs = await cluster.request('PUT', `${real}/one${place}`, body(stored.metadata.resourceVersion), { query: query('Warn') });
      server.warnings.length = 0;
      const answer = await server.request('update', `${ours}/one${place}`, body(own.metadata.resourceVersion), { fieldValidation: 'Warn' });
      expect(compared(answer, server.warnings)).toEqual(compared(theirs.body, theirs.warnings));
    }

    test.each(creates.map((fields, index) => [index, fields] as const))('create %d: %j', async (index, fields) => {
      if (index > 0) await remove();
      await send('create', '', whole(fields), 'Strict');
      await remove();
      await send('create', '', whole(fields), 'Warn');
    });
    if (updates.length > 0) test.each(updates)('update %j', (fields) => update('', fields));
    if (statusUpdates.length > 0) test.each(statusUpdates)('update of the status %j', (fields) => update('/status', fields));
  });
});

const WRITES = 'writes.example.com';

function kindOf(plural: string): string {
  return `Kind${plural}`;
}

function definitionFor(plural: string, { properties, root, version }: WriteCase): { readonly metadata: { readonly name: string } } {
  const schema = { openAPIV3Schema: { type: 'object', properties, ...root } };
  const names = { kind: kindOf(plural), plural };
  const versions = [{ name: 'v1', served: true, storage: true, schema, ...version }];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${WRITES}` },
    spec: { group: WRITES, scope: 'Namespaced', names, versions },
  } as { readonly metadata: { readonly name: string } };
}

function isEstablished({ status }: { readonly status?: { readonly conditions?: readonly { type: string; status: string }[] } }): boolean {
  return (status?.conditions ?? []).some(({ type, status: value }) => type === 'Established' && value === 'True');
}
