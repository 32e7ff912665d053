import { accessStories } from './platform/access-stories.js';
import { admissionStories } from './platform/admission-stories.js';
import type { Ask, Fields } from './platform/ask.js';
import { coreStories } from './platform/core-stories.js';
import { networkStories } from './platform/network-stories.js';
import { PlatformServer, type Told } from './platform/platform-server.js';
import { scalingStories } from './platform/scaling-stories.js';
import { serviceStories } from './platform/service-stories.js';
import { storageStories } from './platform/storage-stories.js';

const stories = [
  ...accessStories,
  ...admissionStories,
  ...coreStories,
  ...networkStories,
  ...scalingStories,
  ...serviceStories,
  ...storageStories,
];

const first = async ({ path, body = {} }: { path: string; body?: Fields }): Promise<Told> =>
  new PlatformServer().ask({ method: 'POST', path, body: { metadata: { name: 'a' }, ...body } } satisfies Ask);
const messageOf = ({ body }: Told): string => (body as { message: string }).message;

/** What a real server says to the same is the matter of the suites of a cluster: a story that says nothing there shows here. */
test.each(stories.filter(({ title }) => title.endsWith(' plain')).map((story) => [story.title, story] as const))(
  'a story that is told to both servers begins with an object that is accepted: %s',
  async (_, { asks: [create] }) => {
    const told = await new PlatformServer().ask(create as Ask);
    expect(told.status).toBe(201);
  },
);

test.each(
  stories.filter(({ title }) => title.endsWith(' bad') && !title.startsWith('Lease ')).map((story) => [story.title, story] as const),
)('what is wrong is told all at once: %s', async (_, { asks: [create] }) => {
  const { status, body } = await new PlatformServer().ask(create as Ask);
  expect(status).toBe(422);
  expect((body as { details: { causes: readonly unknown[] } }).details.causes.length).toBeGreaterThan(1);
});

describe('admission policies', () => {
  const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
  const rule = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
  const policy = (fields: Fields): Fields => ({ spec: { matchConstraints: { resourceRules: [rule] }, ...fields } });

  test('an expression that does not compile is refused when it is written, with the place', async () => {
    const told = await first({ path, body: policy({ validations: [{ expression: 'object.x == 1 &&' }] }) });
    expect(messageOf(told)).toBe(
      'ValidatingAdmissionPolicy.admissionregistration.k8s.io "a" is invalid: spec.validations[0].expression: Invalid value: "object.x == 1 &&": ' +
        "compilation failed: ERROR: <input>:1:17: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | object.x == 1 &&\n | ................^",
    );
  });

  test('only a policy with a paramKind has params', async () => {
    const validations = [{ expression: 'params.x == 1' }];
    expect(messageOf(await first({ path, body: policy({ validations }) }))).toContain("undeclared reference to 'params'");
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    expect(await first({ path, body: policy({ validations, paramKind }) })).toMatchObject({
      status: 201,
      body: { metadata: { generation: 1 }, spec: { failurePolicy: 'Fail', matchConstraints: { matchPolicy: 'Equivalent' } } },
    });
  });

  test('an audit annotation may come to nothing, but not to a number', async () => {
    const annotations = (valueExpression: string): Fields => policy({ auditAnnotations: [{ key: 'k', valueExpression }] });
    expect((await first({ path, body: annotations('null') })).status).toBe(201);
    expect(messageOf(await first({ path, body: annotations('1') }))).toContain('must evaluate to one of [string null_type] but got int');
  });
});

describe('webhook configurations', () => {
  const path = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
  const hook = (fields: Fields): Fields => ({
    webhooks: [
      {
        name: 'a.b.c',
        clientConfig: { service: { name: 's', namespace: 'n' } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...fields,
      },
    ],
  });

  test('have their defaults filled in', async () => {
    expect(await first({ path, body: hook({ rules: [{}] }) })).toMatchObject({ status: 422 });
    expect((await first({ path, body: hook({}) })).body).toMatchObject({
      metadata: { generation: 1 },
      webhooks: [{ failurePolicy: 'Fail', matchPolicy: 'Equivalent', timeoutSeconds: 10, reinvocationPolicy: 'Never' }],
    });
  });

  test('without side effects only', async () => {
    expect(messageOf(await first({ path, body: hook({ sideEffects: 'Some' }) }))).toContain(
      'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    );
  });
});
