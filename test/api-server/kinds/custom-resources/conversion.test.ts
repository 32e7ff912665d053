import type { JsonObject } from '../../../../src/api-server/contract/index.js';
import type { WebhookCaller } from '../../../../src/api-server/kinds/custom-resources/index.js';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';
import { resourceOf, version, widget, widgets } from './definitions.js';
import { Server } from './server.js';

interface Review {
  readonly apiVersion: string;
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: readonly JsonObject[] };
}

const CONVERSION = {
  strategy: 'Webhook',
  webhook: { clientConfig: { service: { namespace: 'default', name: 'hook' } }, conversionReviewVersions: ['v7', 'v1'] },
};
const VERSIONS = [version(), version({ name: 'v2', storage: false })];
const SUBJECT = 'conversion webhook for example.com/v1, Kind=Widget';

/** A webhook that gives the response, with the uid of the request. */
function hook(respond: (request: Review['request']) => object, review: object = {}): jest.Mocked<WebhookCaller> {
  const call = (_config: unknown, asked: unknown): Promise<unknown> => {
    const { apiVersion, request } = asked as Review;
    return Promise.resolve({ apiVersion, kind: 'ConversionReview', response: { uid: request.uid, ...respond(request) }, ...review });
  };
  return { call: jest.fn<Promise<unknown>, Parameters<WebhookCaller['call']>>(call) };
}

const success = (convert: (object: JsonObject, apiVersion: string) => Json) => (request: Review['request']) => ({
  result: { status: 'Success' },
  convertedObjects: request.objects.map((object) => convert(object, request.desiredAPIVersion)),
});
const renamed = (object: JsonObject, apiVersion: string): JsonObject => ({ ...object, apiVersion });

async function outcome(webhooks: WebhookCaller, objects: readonly JsonObject[] = [widget({})]): Promise<unknown> {
  const resource = resourceOf(widgets({ versions: VERSIONS, conversion: CONVERSION }), { webhooks });
  try {
    return await resource.convert(objects, 'v2');
  } catch (error) {
    return (error as Error).message;
  }
}

test('asks once for all objects that are not at the version already', async () => {
  const webhooks = hook(success(renamed));
  const already = { ...widget({ mode: 'b' }), apiVersion: 'example.com/v2' };
  const converted = await outcome(webhooks, [widget({ mode: 'a' }), already, widget({ mode: 'c' })]);
  expect(converted).toEqual(['a', 'b', 'c'].map((mode) => ({ ...widget({ mode }), apiVersion: 'example.com/v2' })));
  expect(webhooks.call).toHaveBeenCalledTimes(1);
  const [config, review, options] = webhooks.call.mock.calls[0] ?? [];
  expect(config).toEqual({ service: { namespace: 'default', name: 'hook', path: '', port: 443 } });
  expect(review).toMatchObject({ apiVersion: 'apiextensions.k8s.io/v1', request: { desiredAPIVersion: 'example.com/v2' } });
  expect((review as Review).request.objects).toHaveLength(2);
  expect(options).toEqual({ timeoutSeconds: 30 });
});

test('takes labels and annotations of the metadata, and nothing else; the schema prunes the rest', async () => {
  const convert = (object: JsonObject, apiVersion: string): JsonObject => ({
    ...object,
    apiVersion,
    metadata: { name: 'one', namespace: 'default', labels: { a: 'b' }, finalizers: ['x/y'], generation: 9 },
    spec: { size: 2, unknown: true },
  });
  const metadata = { name: 'one', namespace: 'default', annotations: { old: 'gone' }, generation: 1 };
  const [converted] = (await outcome(hook(success(convert)), [widget({}, { metadata })])) as JsonObject[];
  expect(converted).toEqual({
    ...widget({ size: 2 }),
    apiVersion: 'example.com/v2',
    metadata: { name: 'one', namespace: 'default', generation: 1, labels: { a: 'b' } },
  });
});

const changed = (change: (object: JsonObject) => object): WebhookCaller =>
  hook(success((object, apiVersion) => ({ ...renamed(object, apiVersion), ...change(object) }) as JsonObject));
const withMetadata = (change: object): WebhookCaller =>
  changed(({ metadata }) => ({ metadata: { ...(metadata as JsonObject), ...change } }));

test.each<[string, WebhookCaller, string]>([
  ['cannot be reached', { call: () => Promise.reject(new Error('Post "https://h": EOF')) }, `${SUBJECT} failed: Post "https://h": EOF`],
  [
    'is not a webhook for conversions',
    hook(() => ({}), { kind: 'Pod', apiVersion: 'v1' }),
    `${SUBJECT} failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /v1, Kind=Pod`,
  ],
  ['does not respond', hook(() => ({}), { response: null }), `${SUBJECT} failed: no response provided`],
  ['answers another', hook(() => ({ uid: 'other' })), `${SUBJECT} failed: expected response.uid="…", got "other"`],
  ['says why not', hook(() => ({ result: { status: 'Failure', message: 'no way' } })), `${SUBJECT} failed: no way`],
  [
    'says nothing',
    hook(() => ({ result: { status: 'Failure' } })),
    `${SUBJECT} failed: response.result.status was 'Failure', not 'Success'`,
  ],
  ['loses an object', hook(() => ({ result: { status: 'Success' }, convertedObjects: [] })), `${SUBJECT} returned 0 objects, expected 1`],
  [
    'does not convert',
    hook(success((object) => object)),
    `${SUBJECT} returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v1)`,
  ],
  [
    'makes another kind',
    changed(() => ({ kind: 'Gadget' })),
    `${SUBJECT} returned invalid object at index 0: invalid kind (expected Widget, received Gadget)`,
  ],
  ['renames', withMetadata({ name: 'two' }), `${SUBJECT} returned invalid object: must have the same name: one != two`],
  ['moves', withMetadata({ namespace: 'x' }), `${SUBJECT} returned invalid object: must have the same namespace: default != x`],
  ['makes a uid', withMetadata({ uid: 'u' }), `${SUBJECT} returned invalid object: must have the same UID:  != u`],
  [
    'labels with numbers',
    withMetadata({ labels: { a: 1 } }),
    `${SUBJECT} returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object`,
  ],
  [
    'labels badly',
    withMetadata({ annotations: { 'a b': '' } }),
    `${SUBJECT} returned invalid metadata: metadata.annotation: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ],
])('is answered with what a webhook did wrong that %s', async (_, webhooks, message) => {
  expect(String(await outcome(webhooks)).replace(/uid="[^"]*"/, 'uid="…"')).toBe(message);
});

test('tells which of several objects was wrong', async () => {
  const webhooks = hook(
    success((object, apiVersion) => ((object['spec'] as JsonObject)['size'] === 2 ? object : renamed(object, apiVersion))),
  );
  expect(await outcome(webhooks, [widget({ size: 1 }), widget({ size: 2 })])).toBe(
    `${SUBJECT} returned invalid converted object at index 1: invalid groupVersion (expected example.com/v2, received example.com/v1)`,
  );
});

test('lets an object be written at one version and at another', async () => {
  const convert = (object: JsonObject, apiVersion: string): JsonObject => {
    const { mode = '', ...spec } = object['spec'] as { mode?: string };
    return { ...object, apiVersion, spec: { ...spec, mode: apiVersion.endsWith('v2') ? `v2:${mode}` : mode.replace('v2:', '') } };
  };
  const server = new Server(hook(success(convert)));
  await server.define(widgets({ versions: VERSIONS, conversion: CONVERSION }));
  await server.request('create', 'example.com/v1/widgets/default', widget({ mode: 'a' }));
  const seen = await server.request('get', 'example.com/v2/widgets/default/one');
  expect(seen['spec']).toEqual({ mode: 'v2:a' });
  const written = await server.request('update', 'example.com/v2/widgets/default/one', { ...seen, spec: { mode: 'v2:b', size: 2 } });
  const managers = (written['metadata'] as { managedFields: { apiVersion: string; fieldsV1: object }[] }).managedFields;
  expect(managers.map(({ apiVersion, fieldsV1 }) => [apiVersion, fieldsV1])).toEqual([
    ['example.com/v1', { 'f:spec': {} }],
    ['example.com/v2', { 'f:spec': { 'f:mode': {}, 'f:size': {} } }],
  ]);
  expect((await server.request('get', 'example.com/v1/widgets/default/one'))['spec']).toEqual({ mode: 'b', size: 2 });
});

test('fields of a version that a webhook makes cannot be selected, whatever there is, and nobody else is troubled', async () => {
  const server = new Server(hook(success(renamed)));
  const selectable = { selectableFields: [{ jsonPath: '.spec.mode' }] };
  const versions = VERSIONS.map((one) => ({ ...one, ...selectable }));
  await server.define(widgets({ versions, conversion: CONVERSION }));
  const target = server.target('example.com/v2/widgets/default');
  const absent = 'a field selector on a version that a webhook converts to is not implemented';
  await expect(Promise.resolve().then(() => server.api.list(target, { fieldSelector: 'spec.mode=a' }))).rejects.toThrow(absent);
  await expect(Promise.resolve().then(() => server.api.watch(target, { fieldSelector: 'spec.mode=a' }))).rejects.toThrow(absent);
  expect(await server.request('create', 'example.com/v1/widgets/default', widget({ mode: 'a' }))).toMatchObject({ spec: { mode: 'a' } });
  expect((await server.api.list(target, { fieldSelector: 'metadata.name=one' })).items).toHaveLength(1);
});
