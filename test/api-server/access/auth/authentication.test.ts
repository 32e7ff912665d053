import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import {
  Authenticator,
  type BoundObject,
  type Credentials,
  Impersonator,
  requestToken,
  ServiceAccountTokens,
  SigningKeyError,
  type UserInfo,
} from '../../../../src/api-server/access/auth/index.js';
import { StatusError } from '../../../../src/api-server/status/index.js';

const ISSUER = 'https://kubernetes.default.svc.cluster.local';
let nowMs = Date.parse('2030-01-01T00:00:00Z');
const now = () => nowMs;
const objects = new Map<string, BoundObject>();
const find = (resource: string, namespace: string, name: string) => objects.get(`${resource} ${namespace}/${name}`);
const tokens = new ServiceAccountTokens({ find, now });
const staticTokens = new Map([['s3cret', { username: 'ops', groups: ['admins'] }]]);
const authenticator = new Authenticator({ serviceAccountTokens: tokens, staticTokens });

const robot = { metadata: { name: 'robot', namespace: 'ns', uid: 'u1' } };
const pod = { metadata: { name: 'p', namespace: 'ns', uid: 'u2' }, spec: { serviceAccountName: 'robot', nodeName: 'n' } };
const node = { metadata: { name: 'n', uid: 'u3' } };
const content = { serviceAccount: robot, audiences: [ISSUER], expirationSeconds: 600 };

beforeEach(() => {
  nowMs = Date.parse('2030-01-01T00:00:00Z');
  objects.clear();
  objects.set('serviceaccounts ns/robot', robot).set('pods ns/p', pod).set('nodes /n', node);
});

const bearer = (token: string): Credentials => ({ authorization: `Bearer ${token}` });
const errorOf = (credentials: Credentials) => {
  const result = authenticator.authenticate(credentials);
  return result.type === 'refused' ? result.error : undefined;
};
const identity = { commonName: 'jane', organizations: ['team'], uids: [], fingerprint: 'ab' };

describe('tokens of service accounts', () => {
  test('name the account, the Pod, its node and the credential', () => {
    const result = authenticator.authenticate(bearer(tokens.issue({ ...content, pod, node })));
    expect(result).toMatchObject({
      type: 'user',
      audiences: [ISSUER],
      user: {
        username: 'system:serviceaccount:ns:robot',
        uid: 'u1',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
        extra: {
          'authentication.kubernetes.io/pod-name': ['p'],
          'authentication.kubernetes.io/pod-uid': ['u2'],
          'authentication.kubernetes.io/node-name': ['n'],
          'authentication.kubernetes.io/node-uid': ['u3'],
          'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=[0-9a-f-]{36}$/)],
        },
      },
    });
  });

  test('die with what they are bound to, a minute after its deletion', () => {
    const token = tokens.issue({ ...content, pod });
    const deleted = { ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2030-01-01T00:00:00Z' } };
    objects.set('pods ns/p', deleted);
    nowMs += 59_000;
    expect(errorOf(bearer(token))).toBeUndefined();
    nowMs += 2_000;
    expect(errorOf(bearer(token))).toMatch(/invalidated/);
    objects.set('pods ns/p', { ...pod, metadata: { ...pod.metadata, uid: 'another' } });
    expect(errorOf(bearer(token))).toMatch(/pod UID \(another\) does not match service account pod ref claim \(u2\)/);
    objects.delete('pods ns/p');
    expect(errorOf(bearer(token))).toMatch(/invalidated/);
  });

  test('die with the account', () => {
    const token = tokens.issue(content);
    objects.set('serviceaccounts ns/robot', { metadata: { ...robot.metadata, uid: 'new' } });
    expect(errorOf(bearer(token))).toMatch(/service account UID \(new\) does not match claim \(u1\)/);
    objects.delete('serviceaccounts ns/robot');
    expect(errorOf(bearer(token))).toMatch(/serviceaccounts "robot" not found/);
  });

  test('of a Pod survive its node, those of a node do not', () => {
    const [ofPod, ofNode] = [tokens.issue({ ...content, pod, node }), tokens.issue({ ...content, node })];
    objects.delete('nodes /n');
    expect(errorOf(bearer(ofPod))).toBeUndefined();
    expect(errorOf(bearer(ofNode))).toMatch(/invalidated/);
  });

  test('expire, with a minute of grace, and are not good too early', () => {
    const token = tokens.issue(content);
    nowMs += 659_000;
    expect(errorOf(bearer(token))).toBeUndefined();
    nowMs += 2_000;
    expect(errorOf(bearer(token))).toMatch(/has expired/);
    nowMs -= 1_000_000;
    expect(errorOf(bearer(token))).toMatch(/not valid yet/);
  });

  test.each(['rsa', 'P-256', 'P-384', 'P-521'])('are signed and checked with a key of type %s', (type) => {
    const pair = type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ec', { namedCurve: type });
    const signingKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const [one, two] = [new ServiceAccountTokens({ find, now, signingKey }), new ServiceAccountTokens({ find, now, signingKey })];
    expect(two.authenticate(one.issue(content)).type).toBe('user');
    expect(tokens.authenticate(one.issue(content))).toEqual({ type: 'refused', error: 'invalid signature, no keys found' });
  });

  test('are not signed with a key that clients could not check', () => {
    const signingKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(() => new ServiceAccountTokens({ find, now, signingKey })).toThrow(SigningKeyError);
  });

  test('cannot be forged by changing a part, the algorithm included', () => {
    const [header = '', payload = '', signature = ''] = tokens.issue(content).split('.');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const forged = [
      `${header}.${encode({ ...claims, sub: 'system:serviceaccount:ns:boss' })}.${signature}`,
      `${encode({ alg: 'none', kid })}.${payload}.${signature}`,
      `${encode({ alg: 'HS256', kid })}.${payload}.${signature}`,
      `${encode({ alg: 'ES256' })}.${encode(claims)}.${'A'.repeat(86)}`,
    ];
    for (const token of forged) expect(errorOf(bearer(token))).toMatch(/error in cryptographic primitive/);
    expect(errorOf(bearer(`${header}.${payload}.`))).toBe('invalid bearer token');
    expect(errorOf(bearer(`${header}.${payload}.${signature}.x`))).toBe('invalid bearer token');
  });

  test('count as signed by the algorithm of the key alone, though another be named and the signature fit', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const own = new ServiceAccountTokens({ find, now, signingKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() });
    const [, payload = ''] = own.issue(content).split('.');
    const signedAs = (alg: string) => {
      const text = `${Buffer.from(JSON.stringify({ alg })).toString('base64url')}.${payload}`;
      return `${text}.${sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
    };
    expect(['ES256', 'ES384', 'none', 'HS256'].map((alg) => own.authenticate(signedAs(alg)).type)).toEqual([
      'user',
      'refused',
      'refused',
      'refused',
    ]);
  });

  test('may be anything: nothing but a token is taken for one, and nothing throws', () => {
    const part = fc.oneof(
      fc.string(),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 4 }),
        (parts) => authenticator.authenticate(bearer(`x${parts.join('.')}`)).type === 'refused',
      ),
    );
  });
});

describe('credentials', () => {
  test('none: anonymous, unless that is off', () => {
    const user = { username: 'system:anonymous', groups: ['system:unauthenticated'] };
    for (const credentials of [{}, { authorization: 'Basic abc' }, { authorization: 'Bearer' }])
      expect(authenticator.authenticate(credentials)).toMatchObject({ type: 'user', user });
    const strict = new Authenticator({ serviceAccountTokens: tokens, anonymous: false });
    expect(strict.authenticate({}).type).toBe('refused');
  });

  test('a bearer token may be written in any case, and two blanks are warned of', () => {
    expect(authenticator.authenticate({ authorization: '  bEaReR s3cret ' })).toMatchObject({
      user: { username: 'ops', groups: ['admins', 'system:authenticated'] },
      warnings: [],
    });
    expect(authenticator.authenticate({ authorization: 'Bearer  s3cret' })).toMatchObject({
      user: { username: 'system:anonymous' },
      warnings: [expect.stringMatching(/extra space/)],
    });
  });

  test('a certificate wins over a token, and a wrong one does not spoil a good token', () => {
    const trusted = { identity };
    const distrusted = { identity, problem: 'expired' };
    expect(authenticator.authenticate({ clientCertificate: trusted, ...bearer('wrong') })).toMatchObject({ user: { username: 'jane' } });
    expect(authenticator.authenticate({ clientCertificate: trusted, ...bearer('s3cret') })).toMatchObject({ user: { username: 'jane' } });
    expect(authenticator.authenticate({ clientCertificate: distrusted, ...bearer('s3cret') })).toMatchObject({ user: { username: 'ops' } });
    expect(errorOf({ clientCertificate: distrusted })).toMatch(/X509SHA256=ab failed: expired/);
  });

  test('a certificate tells name, groups, uid and itself', () => {
    const credentials = { clientCertificate: { identity: { ...identity, uids: ['7'] } } };
    expect(authenticator.authenticate(credentials)).toMatchObject({
      user: {
        username: 'jane',
        uid: '7',
        groups: ['team', 'system:authenticated'],
        extra: { 'authentication.kubernetes.io/credential-id': ['X509SHA256=ab'] },
      },
    });
    expect(errorOf({ clientCertificate: { identity: { ...identity, uids: ['7', '8'] } } })).toMatch(/expected 1 UID/);
    expect(authenticator.authenticate({ clientCertificate: { identity: { ...identity, commonName: '' } } })).toMatchObject({
      user: { username: 'system:anonymous' },
    });
  });
});

describe('impersonation', () => {
  interface Asked {
    readonly verb: string;
    readonly apiGroup: string;
    readonly resource: string;
    readonly subresource?: string;
    readonly name?: string;
  }
  const all = { authorize: () => ({ allowed: true, reason: '' }) };
  const asker = { username: 'ops', groups: [] };
  const listing = { type: 'resource', user: asker, verb: 'list', apiGroup: '', resource: 'pods', namespace: 'n' } as const;
  const impersonate = (headers: readonly (readonly [string, string])[], authorizer: unknown = all, user: UserInfo = asker) =>
    new Impersonator(authorizer as never).impersonate({ ...listing, user }, headers);
  /** Allows the given questions; notes all. */
  const asking = (allowed: readonly string[]) => {
    const asked: string[] = [];
    const authorizer = {
      authorize: ({ verb, apiGroup, resource, subresource, name }: Asked) => {
        const text = [verb, `${resource}${apiGroup && `.${apiGroup}`}${subresource ? `/${subresource}` : ''}`, name ?? ''].join(' ').trim();
        asked.push(text);
        return { allowed: allowed.includes(text), reason: 'no' };
      },
    };
    return { asked, authorizer };
  };
  const LEGACY = ['impersonate users x', 'impersonate groups g', 'impersonate userextras.authentication.k8s.io/a/b v'];
  const headers = [
    ['impersonate-user', 'x'],
    ['Impersonate-Group', 'g'],
    ['IMPERSONATE-EXTRA-A%2fB', 'v'],
    ['Impersonate-Uid', '1'],
  ] as const;

  test('asks for the right to this action first, then for a right per wish, and the first refusal is the answer', () => {
    const { asked, authorizer } = asking(['impersonate users x', 'impersonate uids.authentication.k8s.io 1', 'impersonate groups g']);
    expect(() => impersonate(headers, authorizer)).toThrow(
      'pods is forbidden: User "ops" cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace "n": no',
    );
    expect(asked).toEqual([
      'impersonate-on:user-info:list pods',
      'impersonate users x',
      'impersonate uids.authentication.k8s.io 1',
      'impersonate groups g',
      'impersonate userextras.authentication.k8s.io/a/b v',
    ]);
  });

  test('the older right allows all actions', () => {
    const { authorizer } = asking([...LEGACY, 'impersonate uids.authentication.k8s.io 1']);
    expect(impersonate(headers, authorizer)).toMatchObject({ username: 'x', uid: '1', groups: ['g', 'system:authenticated'] });
  });

  test.each([
    ['user-info', 'x', 'users', ['system:authenticated']],
    [
      'serviceaccount',
      'system:serviceaccount:n:robot',
      'serviceaccounts',
      ['system:serviceaccounts', 'system:serviceaccounts:n', 'system:authenticated'],
    ],
    ['arbitrary-node', 'system:node:one', 'nodes', ['system:nodes', 'system:authenticated']],
  ])('a right of the mode %s to this action is enough', (mode, username, resource, groups) => {
    const name = username.slice(username.lastIndexOf(':') + 1);
    const rights = [`impersonate-on:${mode}:list pods`, `impersonate:${mode} ${resource}.authentication.k8s.io ${name}`];
    expect(impersonate([['Impersonate-User', username]], asking(rights).authorizer)).toEqual({ username, groups });
    for (const [right] of rights.map((text) => [text]))
      expect(() => impersonate([['Impersonate-User', username]], asking([right as string]).authorizer)).toThrow('is forbidden');
  });

  test('a service account may impersonate the node that its token is bound to, and no other one', () => {
    const user = { username: 'system:serviceaccount:n:agent', groups: [], extra: { 'authentication.kubernetes.io/node-name': ['one'] } };
    const { authorizer } = asking([
      'impersonate-on:associated-node:list pods',
      'impersonate:associated-node nodes.authentication.k8s.io *',
    ]);
    expect(impersonate([['Impersonate-User', 'system:node:one']], authorizer, user)).toMatchObject({ username: 'system:node:one' });
    expect(() => impersonate([['Impersonate-User', 'system:node:two']], authorizer, user)).toThrow('impersonate-on:arbitrary-node:list');
  });

  test('the newer modes never make somebody a member of system:masters', () => {
    const onlyNewer = { authorize: ({ verb }: Asked) => ({ allowed: verb !== 'impersonate', reason: '' }) };
    const masters = [...headers.slice(0, 1), ['Impersonate-Group', 'system:masters'] as const];
    expect(() => impersonate(masters, onlyNewer)).toThrow('impersonating the system:masters group is not allowed');
    expect(impersonate(masters)).toMatchObject({ groups: ['system:masters', 'system:authenticated'] });
  });

  test('groups without a user are a bad request', () => {
    expect(() => impersonate([['Impersonate-Group', 'g']])).toThrow(
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)} without impersonating a user name',
    );
  });

  test('of a name in UTF-8 reads it as such', () => {
    const value = Buffer.from('jörg').toString('latin1');
    expect(impersonate([['Impersonate-User', value]])).toMatchObject({ username: 'jörg' });
  });

  test('a key that is badly escaped stands for itself, __proto__ is a key like any other', () => {
    const odd = [
      ['Impersonate-User', 'x'],
      ['Impersonate-Extra-%zz', 'v'],
      ['Impersonate-Extra-__proto__', 'w'],
    ] as const;
    expect(Object.entries(impersonate(odd).extra ?? {})).toEqual([
      ['%zz', ['v']],
      ['__proto__', ['w']],
    ]);
  });

  test('without headers nothing changes', () => {
    expect(impersonate([['Accept', '*/*']])).toEqual(asker);
  });
});

describe('a token request', () => {
  const ask = async (spec: object) =>
    (await requestToken({ spec }, { namespace: 'ns', name: 'robot', tokens, find, now })) as { status: { token: string } };
  const claimsOf = ({ status: { token } }: { status: { token: string } }) =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

  test('for a Pod binds it with its node, known or not', async () => {
    const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'p' };
    expect(claimsOf(await ask({ boundObjectRef }))['kubernetes.io']).toMatchObject({
      pod: { name: 'p', uid: 'u2' },
      node: { name: 'n', uid: 'u3' },
    });
    objects.delete('nodes /n');
    expect(claimsOf(await ask({ boundObjectRef }))['kubernetes.io']).toMatchObject({ node: { name: 'n' } });
  });

  test('as the kubelet makes it lives a year and warns after an hour', async () => {
    const claims = claimsOf(await ask({ expirationSeconds: 3607, boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' } }));
    expect(claims).toMatchObject({ exp: nowMs / 1000 + 365 * 24 * 3600, 'kubernetes.io': { warnafter: nowMs / 1000 + 3607 } });
  });

  test('for the Pod of another account is refused', async () => {
    objects.set('pods ns/p', { ...pod, spec: { serviceAccountName: 'other' } });
    await expect(ask({ boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' } })).rejects.toThrow(StatusError);
  });
});
