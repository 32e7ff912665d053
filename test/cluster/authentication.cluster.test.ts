import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Authenticator,
  forbiddenError,
  Impersonator,
  RbacAuthorizer,
  requestToken,
  reviewToken,
  ServiceAccountTokens,
  serviceAccountUsername,
  type UserInfo,
} from '../../src/api-server/access/auth/index.js';
import { clientIdentity, ServerCertificates } from '../../src/api-server/access/certificates/index.js';
import { StatusError, statusBody } from '../../src/api-server/status/index.js';
import { sourceOf } from '../api-server/access/auth/example-policy.js';
import { describeCluster, type LocalCluster, startCluster, type TestObject } from './harness/index.js';
import { rawRequest } from './raw-request.js';
import { answerInTime, answerOf, withoutBookkeeping } from './review-answer.js';

const USERS: readonly UserInfo[] = [
  { username: 'bob', uid: 'uid-of-bob', groups: ['ex-people'] },
  { username: 'carol', uid: 'uid-of-carol', groups: ['ex-team', 'ex-others'] },
];
const ROBOT = serviceAccountUsername('ex-one', 'robot');

describeCluster('authentication beside a real server', () => {
  let cluster: LocalCluster;
  const certificates = new ServerCertificates();
  const folder = mkdtempSync(join(tmpdir(), 'keelson-authentication-'));
  // Nobody but masters has a right to impersonate.
  const authorizer = new RbacAuthorizer(sourceOf({}));

  beforeAll(async () => {
    writeFileSync(join(folder, 'clients.pem'), certificates.authority);
    const users = Object.fromEntries(USERS.map(({ username, groups }) => [username, groups]));
    cluster = await startCluster({ users, apiServerFlags: [`--client-ca-file=${join(folder, 'clients.pem')}`] });
    await cluster.must('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ex-one' } });
  });
  afterAll(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true });
  });

  let tokens: ServiceAccountTokens;
  let authenticator: Authenticator;
  const objects = new Map<string, TestObject>();
  const find = (resource: string, namespace: string, name: string) => objects.get(`${resource} ${namespace}/${name}`) as never;

  beforeAll(async () => {
    for (const [resource, object] of Object.entries({
      serviceaccounts: { kind: 'ServiceAccount', metadata: { name: 'robot' } },
      secrets: { kind: 'Secret', metadata: { name: 'bound' } },
    })) {
      const made = await cluster.must<TestObject>('POST', `/api/v1/namespaces/ex-one/${resource}`, { apiVersion: 'v1', ...object });
      objects.set(`${resource} ex-one/${made.metadata.name}`, made);
    }
    const signingKey = readFileSync(join(cluster.connection.directory, 'service-accounts.key'), 'utf8');
    tokens = new ServiceAccountTokens({ find, signingKey, now: Date.now });
    const staticTokens = new Map(USERS.map((user) => [cluster.connection.tokens[user.username] ?? '', user]));
    authenticator = new Authenticator({ serviceAccountTokens: tokens, staticTokens });
  });

  const tokenReview = (spec: object) =>
    cluster.request('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec,
    });

  async function expectSameReview(spec: { token: string; audiences?: string[] }): Promise<Record<string, unknown>> {
    const real = await tokenReview(spec);
    const ours = answerOf(() => reviewToken({ spec }, authenticator));
    expect({ status: real.status, body: withoutBookkeeping(real.body) }).toEqual({
      status: ours.status,
      body: withoutBookkeeping(ours.body),
    });
    return (ours.body as { status: Record<string, unknown> }).status;
  }

  const claimed = () => ({
    serviceAccount: find('serviceaccounts', 'ex-one', 'robot'),
    audiences: tokens.audiences,
    expirationSeconds: 600,
  });

  test('a token of ours is good there, and theirs here', async () => {
    expect(await expectSameReview({ token: tokens.issue(claimed()) })).toMatchObject({ authenticated: true });
    expect(await expectSameReview({ token: tokens.issue({ ...claimed(), secret: find('secrets', 'ex-one', 'bound') }) })).toMatchObject({
      authenticated: true,
    });
    const made = await cluster.must<{ status: { token: string } }>('POST', '/api/v1/namespaces/ex-one/serviceaccounts/robot/token', {
      spec: {},
    });
    expect(await expectSameReview({ token: made.status.token })).toMatchObject({
      authenticated: true,
      user: { username: ROBOT },
    });
  });

  test('what a token is not good for is told in the same words', async () => {
    const account = find('serviceaccounts', 'ex-one', 'robot') as TestObject;
    const other = { metadata: { ...account.metadata, uid: 'another' } };
    const [header = '', payload = '', signature = ''] = tokens.issue(claimed()).split('.');
    const cases = [
      { token: 'garbage' },
      { token: 'a.b.c' },
      { token: cluster.connection.tokens['carol'] ?? '' },
      { token: cluster.connection.tokens['carol'] ?? '', audiences: ['elsewhere', 'https://kubernetes.default.svc.cluster.local'] },
      { token: cluster.connection.tokens['carol'] ?? '', audiences: ['elsewhere'] },
      { token: tokens.issue(claimed()), audiences: ['elsewhere', 'there'] },
      { token: tokens.issue({ ...claimed(), audiences: ['there', 'vault'] }), audiences: ['vault', 'there', 'x'] },
      { token: tokens.issue({ ...claimed(), audiences: ['there'] }) },
      { token: tokens.issue({ ...claimed(), expirationSeconds: -600 }) },
      { token: tokens.issue({ ...claimed(), serviceAccount: other }) },
      { token: tokens.issue({ ...claimed(), serviceAccount: { metadata: { ...account.metadata, name: 'gone' } } }) },
      { token: tokens.issue({ ...claimed(), secret: { metadata: { name: 'gone', uid: 'u' } } }) },
      { token: tokens.issue({ ...claimed(), secret: { metadata: { name: 'bound', uid: 'u' } } }) },
      { token: tokens.issue({ ...claimed(), node: { metadata: { name: 'gone', uid: 'u' } } }) },
      { token: `${header}.${payload}.${signature.slice(0, -4)}AAAA` },
      { token: new ServiceAccountTokens({ find, now: Date.now }).issue(claimed()) },
      { token: ' ' },
      { token: ' x' },
      { token: '' },
    ];
    for (const spec of cases) await expectSameReview(spec);
  });

  test('a token request is answered alike', async () => {
    const cases = [
      {},
      { spec: { expirationSeconds: 10 } },
      { spec: { expirationSeconds: 2 ** 33 } },
      { spec: { audiences: ['vault'], expirationSeconds: 1200 } },
      { metadata: { name: 'other' } },
      { metadata: { namespace: 'ex-one', uid: 'other' } },
      { spec: { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'bound' } } },
      { spec: { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'bound', uid: 'other' } } },
      { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'gone' } } },
      { spec: { boundObjectRef: { kind: 'Deployment', apiVersion: 'apps/v1', name: 'x' } } },
      { spec: { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'x' } } },
      { spec: { boundObjectRef: { name: 'x' } } },
    ];
    for (const body of cases) {
      const real = await cluster.request('POST', '/api/v1/namespaces/ex-one/serviceaccounts/robot/token', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        ...body,
      });
      const ours = await answerInTime(
        requestToken(body as never, { namespace: 'ex-one', name: 'robot', tokens, find: find as never, now: Date.now }),
      );
      expect({ body, status: real.status, answer: masked(real.body) }).toEqual({ body, status: ours.status, answer: masked(ours.body) });
    }
  });

  /** The claims instead of the token, and no times. */
  function masked(body: unknown): unknown {
    const { status, ...rest } = withoutBookkeeping(body) as { status?: { token: string; expirationTimestamp: string } | string };
    if (typeof status !== 'object') return { ...rest, status };
    const [header, claims = ''] = status.token.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    return { ...rest, header, claims: claims.replace(/"(exp|iat|nbf|jti)":("[^"]*"|\d+)/g, '"$1":0') };
  }

  test('the keys and the issuer are published alike', async () => {
    const headers = { authorization: `Bearer ${cluster.adminToken}` };
    const jwks = await rawRequest(`${cluster.url}/openid/v1/jwks`, { ca: cluster.connection.ca, headers });
    expect(jwks.body).toBe(JSON.stringify(tokens.jwks()));
    const real = await cluster.must<{ jwks_uri: string }>('GET', '/.well-known/openid-configuration');
    expect(real).toEqual(tokens.openIdConfiguration(real.jwks_uri));
  });

  async function whoAmI(options: Parameters<typeof rawRequest>[1]): Promise<unknown> {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const url = `${cluster.url}/apis/authentication.k8s.io/v1/selfsubjectreviews`;
    const { status, body: answer } = await rawRequest(url, { method: 'POST', ca: cluster.connection.ca, ...options }, body);
    return status === 201 ? (answer as { status: { userInfo: unknown } }).status.userInfo : { status, answer };
  }

  test('a client certificate of ours logs in', async () => {
    const { certificate, privateKey } = certificates.issueClient({ username: 'jane ü', groups: ['a', 'b'], uid: 'u-1' });
    const identity = clientIdentity(new X509Certificate(certificate));
    const result = authenticator.authenticate({ clientCertificate: { identity } });
    expect(await whoAmI({ cert: certificate, key: privateKey })).toEqual(result.type === 'user' ? result.user : undefined);
    const stranger = new ServerCertificates().issueClient({ username: 'jane' });
    expect(await whoAmI({ cert: stranger.certificate, key: stranger.privateKey })).toMatchObject({ status: 401 });
  });

  test.each([
    ['admin', [['Impersonate-User', 'x']]],
    [
      'admin',
      [
        ['Impersonate-User', 'x'],
        ['Impersonate-Group', 'g'],
        ['Impersonate-Group', 'h'],
        ['Impersonate-Uid', '7'],
      ],
    ],
    [
      'admin',
      [
        ['Impersonate-User', 'x'],
        ['Impersonate-Extra-Scopes', 'v'],
        ['Impersonate-Extra-Scopes', 'w'],
        ['Impersonate-Extra-A.com%2fB', 'z'],
      ],
    ],
    ['admin', [['Impersonate-User', 'system:serviceaccount:ex-one:robot']]],
    [
      'admin',
      [
        ['Impersonate-User', 'system:serviceaccount:ex-one:robot'],
        ['Impersonate-Group', 'g'],
      ],
    ],
    ['admin', [['Impersonate-User', 'system:serviceaccount:ex-one']]],
    ['admin', [['Impersonate-User', 'system:anonymous']]],
    [
      'admin',
      [
        ['Impersonate-User', 'x'],
        ['Impersonate-Group', 'system:unauthenticated'],
      ],
    ],
    [
      'admin',
      [
        ['Impersonate-Group', 'g'],
        ['Impersonate-Uid', '<7>'],
      ],
    ],
    ['admin', [['Impersonate-Extra-Scopes', 'v']]],
    ['bob', [['Impersonate-User', 'x']]],
    ['bob', [['Impersonate-User', 'system:serviceaccount:ex-one:robot']]],
  ] as const)('%s impersonates %j', async (name, pairs) => {
    const headers: Record<string, string | string[]> = { authorization: `Bearer ${cluster.connection.tokens[name]}` };
    for (const [header, value] of pairs) headers[header] = [...[headers[header] ?? []].flat(), value];
    const asker = { username: name, groups: name === 'admin' ? ['system:masters'] : ['ex-people', 'system:authenticated'] };
    const apiGroup = 'authentication.k8s.io';
    const asked = { type: 'resource', verb: 'create', apiGroup, resource: 'selfsubjectreviews' } as const;
    const real = await whoAmI({ headers });
    let user: UserInfo;
    try {
      user = new Impersonator(authorizer).impersonate({ ...asked, user: asker }, pairs);
    } catch (error) {
      if (!StatusError.isStatusError(error)) throw error;
      return expect(real).toEqual({ status: error.status.code, answer: statusBody(error.status) });
    }
    // Such a user may not ask who they are.
    const refused = { status: 403, answer: statusBody(forbiddenError({ ...asked, user }, '').status) };
    expect(real).toEqual(user.groups.includes('system:unauthenticated') ? refused : user);
  });
});
