import type { JsonObject } from '../../src/api-server/contract/index.js';
import { Server } from '../api-server/kinds/custom-resources/server.js';
import { compared } from './custom-resources/compared.js';
import { type Answer, describeCluster, type ReviewRequest, servingCertificate, WebhookServer } from './harness/index.js';

const GROUP = 'converted.example.com';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const converted =
  (change: (object: JsonObject) => object): Answer =>
  ({ objects = [], desiredAPIVersion }) => ({
    result: { status: 'Success' },
    convertedObjects: objects.map((object) => ({ ...object, apiVersion: desiredAPIVersion, ...change(object as unknown as JsonObject) })),
  });
const withMetadata = (change: object): Answer => converted(({ metadata }) => ({ metadata: { ...(metadata as JsonObject), ...change } }));

/** What a conversion webhook may answer. */
const ANSWERS = {
  'only the version': converted(() => ({})),
  'another spec': converted(() => ({ spec: { b: 1, unknown: 2 } })),
  'other labels and finalizers': withMetadata({ labels: { a: 'b' }, annotations: {}, finalizers: ['x/y'] }),
  'a failure with a message': () => ({ result: { status: 'Failure', message: 'no way' } }),
  'a failure without a message': () => ({ result: { status: 'Failure' } }),
  'no result': () => ({}),
  'the uid of another': () => ({ uid: 'other', result: { status: 'Success' } }),
  'too few objects': () => ({ result: { status: 'Success' }, convertedObjects: [] }),
  'the old version': converted(({ apiVersion }) => ({ apiVersion })),
  'another kind': converted(() => ({ kind: 'Gadget' })),
  'another name': withMetadata({ name: 'two' }),
  'another namespace': withMetadata({ namespace: 'two' }),
  'another uid of the object': withMetadata({ uid: 'two' }),
  'no metadata': converted(() => ({ metadata: undefined })),
  'labels that are none': withMetadata({ labels: ['a'] }),
  'labels of numbers': withMetadata({ labels: { a: 1 } }),
  'bad labels': withMetadata({ labels: { a: '-' } }),
} satisfies Readonly<Record<string, Answer>>;

function definitionOf(port: number, certificate: string): object {
  const schema = (properties: object): object => ({
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
  });
  const text = { type: 'string' };
  const clientConfig = { url: `https://localhost:${port}/convert`, caBundle: Buffer.from(certificate).toString('base64') };
  const [v1, v2] = [schema({ a: { ...text, default: 'a' } }), schema({ a: text, b: { type: 'integer' }, c: { ...text, default: 'c' } })];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { kind: 'Thing', plural: 'things' },
      conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
      versions: [
        { name: 'v1', served: true, storage: true, schema: v1 },
        { name: 'v2', served: true, storage: false, schema: v2 },
      ],
    },
  };
}

function thing(version: string, name: string, spec: object = {}): object {
  return { apiVersion: `${GROUP}/${version}`, kind: 'Thing', metadata: { name }, spec };
}

/** Uids stand in messages, too. */
function masked(body: unknown): unknown {
  return compared(
    JSON.parse(
      JSON.stringify(body)
        .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|uid-\d+/g, 'uid')
        .replaceAll(/revision=\d+/g, 'revision'),
    ),
    [],
  );
}

describeCluster('conversion webhooks as the in-process server asks them', (cluster) => {
  const certificate = servingCertificate(['localhost']);
  let hooks: WebhookServer;
  let namespace = '';
  let current: Answer = ANSWERS['only the version'];
  let definition: object;

  beforeAll(async () => {
    hooks = await WebhookServer.listen(certificate);
    hooks.answer('/convert', (request) => current(request));
    namespace = await cluster.namespace('converted');
    definition = definitionOf(hooks.port, certificate.certificate);
    await cluster.must('POST', DEFINITIONS, definition);
    await cluster.untilServed(`things.${GROUP}`);
    await cluster.must('POST', `/apis/${GROUP}/v1/namespaces/${namespace}/things`, thing('v1', 'one'));
  });
  afterAll(async () => {
    current = ANSWERS['only the version'];
    await cluster.must('DELETE', `${DEFINITIONS}/things.${GROUP}`);
    await hooks.close();
  });

  /** Each time a new one: a server remembers what it has read. */
  async function newServer(): Promise<Server> {
    const server = new Server({
      call(_config, review) {
        const { apiVersion, kind, request } = review as { apiVersion: string; kind: string; request: ReviewRequest };
        const answer = { apiVersion, kind, response: { uid: request.uid, ...current(request) } };
        return Promise.resolve(JSON.parse(JSON.stringify(answer)));
      },
    });
    await server.define(definition);
    return server;
  }

  test.each(Object.entries(ANSWERS))('reads at another version with %s', async (_, answer) => {
    current = ANSWERS['only the version'];
    const server = await newServer();
    await server.request('create', `${GROUP}/v1/things/${namespace}`, thing('v1', 'one'));
    current = answer;
    const real = await cluster.request('GET', `/apis/${GROUP}/v2/namespaces/${namespace}/things/one`);
    expect(masked(await server.request('get', `${GROUP}/v2/things/${namespace}/one`))).toEqual(masked(real.body));
  });

  test('writes at one version and another, and says who owns what', async () => {
    current = ANSWERS['only the version'];
    const server = await newServer();
    const body = thing('v2', 'two', { b: 2 });
    const real = await cluster.must('POST', `/apis/${GROUP}/v2/namespaces/${namespace}/things`, body);
    const own = await server.request('create', `${GROUP}/v2/things/${namespace}`, body);
    expect(masked(own)).toEqual(masked(real));
    const change = { spec: { a: 'changed' }, apiVersion: `${GROUP}/v1` };
    const updated = await cluster.must('PUT', `/apis/${GROUP}/v1/namespaces/${namespace}/things/two`, { ...real, ...change });
    const answer = await server.request('update', `${GROUP}/v1/things/${namespace}/two`, { ...own, ...change });
    expect(masked(answer)).toEqual(masked(updated));
  });
});
