import type { JsonObject } from '../../../../src/api-server/contract/index.js';
import { builtinResources } from '../../../../src/api-server/kinds/builtin/index.js';
import type { Ask, Fields } from './platform/ask.js';
import { EC_REQUEST, ED25519_REQUEST, pemField, RSA_REQUEST, tampered } from './platform/certificates.js';
import { PlatformServer, type Told } from './platform/platform-server.js';
import { platformStories } from './platform/platform-stories.js';
import { context, served, surroundings } from './surroundings.js';

const first = async ({ path, body = {} }: { path: string; body?: Fields }): Promise<Told> =>
  new PlatformServer().ask({ method: 'POST', path, body: { metadata: { name: 'a' }, ...body } } satisfies Ask);
const messageOf = ({ body }: Told): string => (body as { message: string }).message;

/** What a real server says to the same is the matter of the suites of a cluster: a story that says nothing there shows here. */
test.each(platformStories.filter(({ title }) => title.endsWith(' plain')).map((story) => [story.title, story] as const))(
  'a story that is told to both servers begins with an object that is accepted: %s',
  async (_, { asks: [create] }) => {
    const told = await new PlatformServer().ask(create as Ask);
    expect(told.status).toBe(201);
  },
);

test.each(
  platformStories
    .filter(({ title }) => title.endsWith(' bad') && !title.startsWith('Lease '))
    .map((story) => [story.title, story] as const),
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

describe('certificate signing requests', () => {
  const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
  const request = (body: string): Fields => ({
    spec: { request: pemField('CERTIFICATE REQUEST', body), signerName: 'a.b/c', usages: ['client auth'], username: 'somebody else' },
  });

  test.each([
    ['ECDSA', EC_REQUEST, 'x509: ECDSA verification failure'],
    ['Ed25519', ED25519_REQUEST, 'x509: Ed25519 verification failure'],
    ['RSA', RSA_REQUEST, 'crypto/rsa: verification error'],
  ])('are signed with the key that they ask for, and speak for who sent them: %s', async (_, body, problem) => {
    expect(await first({ path, body: request(body) })).toMatchObject({ status: 201, body: { spec: { username: 'admin' }, status: {} } });
    expect(messageOf(await first({ path, body: request(tampered(body)) }))).toMatch(new RegExp(`: ${problem}$`));
  });

  test('what is cut off or lengthened is malformed, whatever was inside', async () => {
    for (const bytes of [
      Buffer.from(EC_REQUEST, 'base64').subarray(0, 50),
      Buffer.concat([Buffer.from(EC_REQUEST, 'base64'), Buffer.of(5, 0)]),
      Buffer.of(0x30, 0x84),
    ]) {
      expect(messageOf(await first({ path, body: request(bytes.toString('base64')) }))).toMatch(/malformed certificate request$/);
    }
  });

  test('only the subresource approves, and nobody takes it back', async () => {
    const server = new PlatformServer();
    const approved = { status: { conditions: [{ type: 'Approved', status: 'True' }] } };
    const write = (of: string, body: Fields): Promise<Told> => server.ask({ method: 'PATCH', path: `${path}/a${of}`, body });
    await server.must({ method: 'POST', path, body: { metadata: { name: 'a' }, ...request(EC_REQUEST) } });
    expect(messageOf(await write('/status', approved))).toContain('updates may not add a condition of type "Approved"');
    expect((await write('', approved)).body).toMatchObject({ status: {} });
    expect(await write('/approval', approved)).toMatchObject({ status: 200, body: approved });
    expect(messageOf(await write('/approval', { status: { conditions: [] } }))).toContain('updates may not remove a condition');
  });
});

test('an APIService is called by what it serves, and is available where nobody else serves it', async () => {
  const path = '/apis/apiregistration.k8s.io/v1/apiservices';
  const spec = { group: 'a.example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 };
  expect(messageOf(await first({ path, body: { spec } }))).toContain('must be `spec.version+"."+spec.group`: "v1.a.example.com"');
  expect((await first({ path, body: { metadata: { name: 'v1.a.example.com' }, spec } })).body).toMatchObject({
    status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
  });
});

test('the levels and schemas that a server brings itself stay as they are', async () => {
  const path = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations';
  const level = { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } };
  expect((await first({ path, body: level })).status).toBe(201);
  expect(messageOf(await first({ path, body: { metadata: { name: 'catch-all' }, ...level } }))).toContain("spec of 'catch-all' must equal");
  const own = { spec: { type: 'Exempt', exempt: { nominalConcurrencyShares: 7 } } };
  expect((await first({ path, body: { metadata: { name: 'exempt' }, ...own } })).status).toBe(201);
});

describe('parameters of policies', () => {
  const asked: unknown[] = [];
  const authorizer = {
    authorize(attributes: unknown) {
      asked.push(attributes);
      return { allowed: false, reason: '' };
    },
  };
  const resources = builtinResources({ ...surroundings, authorizer });
  const { strategy } = served(resources, { group: 'admissionregistration.k8s.io', version: 'v1', plural: 'validatingadmissionpolicies' });
  const rule = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
  const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] };
  const policy = (paramKind?: { apiVersion: string; kind: string }): JsonObject => {
    const { draft } = strategy.decode({ metadata: { name: 'a' }, spec: { ...spec, ...(paramKind && { paramKind }) } });
    strategy.setDefaults(draft);
    return draft;
  };
  const user = { username: 'ann', uid: 'u', groups: ['dev', 'staff'], extra: { b: ['1', '2'], a: ['3'] } };
  const kind = { apiVersion: 'x.example.com/v1', kind: 'Limit' };

  test('have to be readable for who writes the policy', async () => {
    expect(await strategy.validate(policy(kind), { ...context, user })).toEqual([
      {
        reason: 'FieldValueForbidden',
        field: 'spec.paramKind',
        message:
          'Forbidden: user &{ann u [dev staff] map[a:[3] b:[1 2]]} must have "get" permission on all objects of the referenced paramKind (kind=Limit, apiVersion=x.example.com/v1)',
      },
    ]);
    expect(asked).toEqual([{ type: 'resource', user, verb: 'get', apiGroup: 'x.example.com', resource: '*', name: '*', namespace: '*' }]);
  });

  test('are not asked for where there are none, they stay as they were, or an administrator writes', async () => {
    expect(await strategy.validate(policy(), { ...context, user })).toEqual([]);
    expect(await strategy.validateUpdate(policy(kind), policy(kind), { ...context, user })).toEqual([]);
    expect(await strategy.validate(policy(kind), context)).toEqual([]);
    expect(await strategy.validateUpdate(policy(kind), policy(), { ...context, user })).toHaveLength(1);
  });
});
