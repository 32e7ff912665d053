import type { Answer, Speaker } from './differential/exchange.js';
import { type Pair, startPair } from './differential/servers.js';
import { describeCluster } from './harness/index.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.strict.example.com' },
  spec: {
    group: 'strict.example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: object({
            spec: object({
              map: { type: 'object', additionalProperties: true },
              list: { type: 'array', items: object({ name: { type: 'string' } }) },
              kept: object({ known: object({ a: { type: 'string' } }) }, { 'x-kubernetes-preserve-unknown-fields': true }),
              whole: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: object({}) } },
            }),
          }),
        },
        subresources: { status: {} },
      },
    ],
  },
};

/** Fields of bodies, as they are written: some are given twice. */
const FIELDS: Readonly<Record<string, string>> = {
  'below an unknown field': '"color":{"red":{"light":1},"list":[{"x":1}]}',
  'twice below an unknown field': '"color":{"red":1,"red":2}',
  'an unknown field twice': '"color":1,"color":{"red":1}',
  'unknown below unknown in the spec': '"spec":{"color":{"red":1,"red":2},"color":3}',
  'in lists': '"spec":{"list":[{"name":"a","x":{"y":1}},{"z":1,"z":2,"name":"b"}]}',
  'in maps': '"spec":{"map":{"a":{"b":{"c":1}},"l":[{"x":{"y":1}},[{"z":1}]]}}',
  'in what is kept': '"spec":{"kept":{"a":{"b":1,"b":2},"known":{"a":"x","c":{"d":1}}}}',
  'in a whole object':
    '"spec":{"whole":{"apiVersion":"v1","kind":"X","metadata":{"name":"a","x":{"y":1,"y":2},"labels":{"a":"b","a":"c"}},"foo":{"a":1},"spec":{"b":1}}}',
  'in the metadata':
    '"metadata":{"name":"a","x":{"y":1,"y":2},"ownerReferences":[{"z":1,"z":{"q":1},"apiVersion":"v1","kind":"K","name":"n","uid":"u"}]}',
};

const KINDS = {
  configmaps: { path: '/api/v1/namespaces/default/configmaps', type: '"apiVersion":"v1","kind":"ConfigMap"' },
  deployments: { path: '/apis/apps/v1/namespaces/default/deployments', type: '"apiVersion":"apps/v1","kind":"Deployment"' },
  things: { path: '/apis/strict.example.com/v1/namespaces/default/things', type: '"apiVersion":"strict.example.com/v1","kind":"Thing"' },
};

/** What is unknown, and what is given twice: told once, in the words of a real server. */
describeCluster('bodies with fields that nobody knows, on a real API server and on ours', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair();
    for (const speaker of pair.speakers) {
      await speaker.ask({ method: 'POST', path: DEFINITIONS, body: definition });
      await speaker
        .ask({ method: 'GET', path: `${DEFINITIONS}/things.strict.example.com`, until: '"Established","status":"True"' })
        .catch(() => undefined);
      await speaker.ask({ method: 'GET', path: KINDS.things.path, until: '"ThingList"' });
    }
  });
  afterAll(() => pair?.stop());

  async function both(step: Parameters<Speaker['ask']>[0]): Promise<readonly unknown[]> {
    const told = ({ status, warnings, text }: Answer): unknown => ({
      status,
      warnings,
      message: (JSON.parse(text) as { message?: string }).message,
    });
    return Promise.all(pair.speakers.map(async (speaker) => told(await speaker.ask(step))));
  }

  const cases = Object.entries(KINDS).flatMap(([plural, kind]) =>
    ['Strict', 'Warn'].flatMap((mode) =>
      ['application/json', 'application/yaml'].flatMap((contentType) =>
        Object.entries(FIELDS).map(([title, fields]) => ({ plural, mode, contentType, title, fields, ...kind })),
      ),
    ),
  );
  test.each(cases)('$plural, $mode, $contentType: $title', async ({ path, type, mode, contentType, fields }) => {
    const metadata = fields.includes('"metadata":{"name":"a"') ? '' : ',"metadata":{"name":"a"}';
    const body = `{${type}${metadata},${fields}}`;
    const [ours, theirs] = await both({ method: 'POST', path: `${path}?dryRun=All&fieldValidation=${mode}`, body, contentType });
    expect(ours).toEqual(theirs);
  });
});
