import { ApiServer } from '../../../src/api-server/server/index.js';
import { GoTypes } from '../../../src/api-server/values/go-types/index.js';
import type { Json } from '../../../src/kubernetes/apimachinery/index.js';
import { RawClient } from './raw-client.js';
import { objectOf, SAMPLES, type Sample, WIDGET_DEFINITION, WIDGETS } from './samples.js';
import { TypedObjects } from './typed-objects.js';

const bugs: unknown[] = [];
let server: ApiServer;
let client: RawClient;

beforeAll(async () => {
  server = await ApiServer.start({ protocol: 'http', mode: 'envtest', onProblem: ({ error }) => bugs.push(error) });
  client = new RawClient(Number(new URL(server.url).port), server.tokenFor());
  await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', WIDGET_DEFINITION);
});
afterAll(async () => {
  client.close();
  await server.close();
});

const DEFAULT = '/namespaces/default';

async function send(method: string, path: string, { body, type = 'application/json' }: { body: Buffer; type?: string }): Promise<string> {
  const answer = await client.send({ method, path, headers: { 'Content-Type': type }, body }, false);
  expect(bugs.splice(0)).toEqual([]);
  return answer === 'closed' ? answer : `${answer.status} ${(JSON.parse(answer.body) as { message?: string }).message ?? ''}`.trim();
}

const post = (path: string, object: Json): Promise<string> => send('POST', path, { body: Buffer.from(JSON.stringify(object)) });

function sampleOf(kind: string): Sample {
  const found = SAMPLES.find((of) => of.kind === kind);
  if (found === undefined) throw new Error(`no sample of a ${kind}`);
  return found;
}

// Each was a bug that the suites of this folder have found.

test('a Service without a name and with wrong addresses is refused for its addresses', async () => {
  const answer = await post(`/api/v1${DEFAULT}/services`, {
    apiVersion: 'v1',
    kind: 'Service',
    spec: { ipFamilies: ['IPv6'], ports: [{ port: 1 }] },
  });
  expect(answer).toMatch(/^422 Service "" is invalid: spec\.ipFamilies/);
});

test('an Ingress without paths is refused, in protobuf too', async () => {
  const types = new GoTypes();
  const struct = types.typeOf({ group: 'networking.k8s.io', version: 'v1', kind: 'Ingress' });
  if (struct === undefined) throw new Error('no type of an Ingress');
  const ingress = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'a' },
    spec: { rules: [{ host: 'a', http: {} }] },
  };
  const answer = await send('POST', `/apis/networking.k8s.io/v1${DEFAULT}/ingresses`, {
    body: new TypedObjects(types).protobuf(ingress, struct),
    type: 'application/vnd.kubernetes.protobuf',
  });
  expect(answer).toBe('422 Ingress.networking.k8s.io "a" is invalid: spec.rules[0].http.paths: Required value');
});

test('a patch of ephemeral containers that names none changes nothing', async () => {
  await post(`/api/v1${DEFAULT}/pods`, objectOf(sampleOf('Pod'), 'a', 'default'));
  const body = Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }));
  const path = `/api/v1${DEFAULT}/pods/a/ephemeralcontainers?fieldManager=m`;
  expect(await send('PATCH', path, { body, type: 'application/apply-patch+yaml' })).toBe('200');
});

test('a schema whose items are an empty list has none', async () => {
  const text = JSON.stringify(WIDGET_DEFINITION)
    .replaceAll(WIDGETS.plural, 'gadgets')
    .replaceAll(/\b([Ww])idget/g, '$1adget');
  const broken = text.replace('"x-kubernetes-list-type":"set","items":{"type":"string","maxLength":50}', '"items":[]');
  expect(broken).not.toBe(text);
  expect(await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', JSON.parse(broken) as Json)).toMatch(
    /^422 .*properties\[tags\]\.items: Required value: must be specified/,
  );
});

test('a custom object that the version of the store cannot read is refused in the words of the server', async () => {
  const widget = {
    apiVersion: `${WIDGETS.group}/v1beta1`,
    kind: 'Widget',
    metadata: { name: 'a' },
    spec: { size: 1, embedded: { kind: 5 } },
  };
  const answer = await post(`/apis/${WIDGETS.group}/v1beta1${DEFAULT}/${WIDGETS.plural}`, widget);
  expect(answer).toBe('500 spec.embedded.kind: Invalid value: 5: must be a string');
});
