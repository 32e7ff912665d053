import { ConfigMap, Secret } from 'keelson/kinds/core/v1';
import { OperatorError } from '../../../src/kubernetes/apimachinery/index.js';
import * as door from '../../../src/runtime/client/index.js';
import {
  type ApiError,
  isApiError,
  isApplyConflict,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
  type Status,
} from '../../../src/runtime/client/index.js';
import { type Answer, json } from '../http/scripted-server.js';
import { failure, type ScriptedClient, scriptedClient } from './scripted-client.js';

let scripted: ScriptedClient;
beforeEach(async () => {
  scripted = await scriptedClient();
});
afterEach(() => scripted.stop());

function refused(code: number, status: Partial<Status>): Promise<ApiError> {
  return refusedBy(json({ kind: 'Status', status: 'Failure', code, ...status }, { status: code }));
}

async function refusedBy(answer: Answer): Promise<ApiError> {
  scripted.server.script(answer);
  // A creation is never repeated without Retry-After, so that a 503 comes at once.
  const error = await failure(scripted.client.create(ConfigMap, { metadata: { namespace: 'n', name: 'a' } }));
  if (!isApiError(error)) throw error;
  return error;
}

test.each([
  [400, 'BadRequest', 'KEELSON_API_BAD_REQUEST', 'author'],
  [401, 'Unauthorized', 'KEELSON_API_UNAUTHORIZED', 'admin'],
  [403, 'Forbidden', 'KEELSON_API_FORBIDDEN', 'admin'],
  [404, 'NotFound', 'KEELSON_API_NOT_FOUND', 'admin'],
  [405, 'MethodNotAllowed', 'KEELSON_API_METHOD_NOT_ALLOWED', 'author'],
  [409, 'AlreadyExists', 'KEELSON_API_ALREADY_EXISTS', 'nobody'],
  [409, 'Conflict', 'KEELSON_API_CONFLICT', 'nobody'],
  [410, 'Gone', 'KEELSON_API_EXPIRED', 'nobody'],
  [410, 'Expired', 'KEELSON_API_EXPIRED', 'nobody'],
  [413, 'RequestEntityTooLarge', 'KEELSON_API_REQUEST_TOO_LARGE', 'user'],
  [415, 'UnsupportedMediaType', 'KEELSON_API_UNSUPPORTED_MEDIA_TYPE', 'author'],
  [422, 'Invalid', 'KEELSON_API_INVALID', 'user'],
  [429, 'TooManyRequests', 'KEELSON_API_TOO_MANY_REQUESTS', 'nobody'],
  [500, 'InternalError', 'KEELSON_API_INTERNAL', 'nobody'],
  [500, 'ServerTimeout', 'KEELSON_API_TIMEOUT', 'nobody'],
  [502, '', 'KEELSON_API_UNAVAILABLE', 'nobody'],
  [503, 'ServiceUnavailable', 'KEELSON_API_UNAVAILABLE', 'nobody'],
  [504, 'Timeout', 'KEELSON_API_TIMEOUT', 'nobody'],
  [418, 'Teapot', 'KEELSON_API_UNEXPECTED_STATUS', 'admin'],
])('%i %s is %s, and %s can act', async (status, reason, code, actor) => {
  const error = await refused(status, { reason, message: 'why' });
  expect(error).toMatchObject({ code, actor, httpStatus: status, request: 'POST /api/v1/namespaces/n/configmaps' });
  expect(error.message).toContain('why');
});

test.each([
  [400, 'KEELSON_API_BAD_REQUEST', 'BadRequest'],
  [401, 'KEELSON_API_UNAUTHORIZED', 'Unauthorized'],
  [403, 'KEELSON_API_FORBIDDEN', 'Forbidden'],
  [404, 'KEELSON_API_NOT_FOUND', 'NotFound'],
  [405, 'KEELSON_API_METHOD_NOT_ALLOWED', 'MethodNotAllowed'],
  [409, 'KEELSON_API_CONFLICT', 'Conflict'],
  [410, 'KEELSON_API_EXPIRED', 'Gone'],
  [413, 'KEELSON_API_REQUEST_TOO_LARGE', 'RequestEntityTooLarge'],
  [415, 'KEELSON_API_UNSUPPORTED_MEDIA_TYPE', 'UnsupportedMediaType'],
  [418, 'KEELSON_API_UNEXPECTED_STATUS', 'Unknown'],
  [422, 'KEELSON_API_INVALID', 'Invalid'],
  [429, 'KEELSON_API_TOO_MANY_REQUESTS', 'TooManyRequests'],
  [500, 'KEELSON_API_INTERNAL', 'InternalError'],
  [502, 'KEELSON_API_UNAVAILABLE', 'ServiceUnavailable'],
  [503, 'KEELSON_API_UNAVAILABLE', 'ServiceUnavailable'],
  [504, 'KEELSON_API_TIMEOUT', 'Timeout'],
])('%i without a reason is known by its code, from a webhook and from a proxy', async (status, code, reason) => {
  expect(await refused(status, { message: 'no' })).toMatchObject({ code, reason: '' });
  expect(await refused(status, { message: 'no', reason: 'OfItsOwn' })).toMatchObject({ code, reason: 'OfItsOwn' });
  const proxied = await refusedBy((response) => response.writeHead(status, { 'content-type': 'text/plain' }).end(' no\n'));
  expect(proxied).toMatchObject({ code, reason, status: { kind: 'Status', status: 'Failure', code: status, reason, message: 'no' } });
});

test('a field that the schema of the server lacks is a mistake of the author, not a failure of the server', async () => {
  const message = 'failed to create typed patch object (n/a; example.com/v1, Kind=Widget): .status.redy: field not declared in schema';
  const error = await refused(500, { message });
  expect(error).toMatchObject({ code: 'KEELSON_API_APPLY_UNFIT', actor: 'author' });
  expect(error.message).toContain(`${message}; correct these fields where the object is built`);
});

test.each([
  ['Unauthorized', 'KEELSON_API_UNAUTHORIZED'],
  ['Forbidden', 'KEELSON_API_FORBIDDEN'],
  ['NotFound', 'KEELSON_API_NOT_FOUND'],
  ['AlreadyExists', 'KEELSON_API_ALREADY_EXISTS'],
  ['Conflict', 'KEELSON_API_CONFLICT'],
  ['Gone', 'KEELSON_API_EXPIRED'],
  ['Expired', 'KEELSON_API_EXPIRED'],
  ['Invalid', 'KEELSON_API_INVALID'],
  ['ServerTimeout', 'KEELSON_API_TIMEOUT'],
  ['Timeout', 'KEELSON_API_TIMEOUT'],
  ['TooManyRequests', 'KEELSON_API_TOO_MANY_REQUESTS'],
  ['BadRequest', 'KEELSON_API_BAD_REQUEST'],
  ['MethodNotAllowed', 'KEELSON_API_METHOD_NOT_ALLOWED'],
  ['UnsupportedMediaType', 'KEELSON_API_UNSUPPORTED_MEDIA_TYPE'],
  ['RequestEntityTooLarge', 'KEELSON_API_REQUEST_TOO_LARGE'],
  ['InternalError', 'KEELSON_API_INTERNAL'],
  ['ServiceUnavailable', 'KEELSON_API_UNAVAILABLE'],
])('the reason %s counts more than the code', async (reason, code) => {
  expect(await refused(418, { reason })).toMatchObject({ code, httpStatus: 418 });
});

describe('the message', () => {
  test('names the request, the code, the reason and what the server says', async () => {
    expect((await refused(409, { reason: 'AlreadyExists', message: 'a : b : c' })).message).toBe(
      'POST /api/v1/namespaces/n/configmaps: 409 AlreadyExists: a : b : c',
    );
    expect((await refused(409, { message: 'a : b' })).message).toBe('POST /api/v1/namespaces/n/configmaps: 409: a : b');
    expect((await refused(409, { reason: 'Conflict' })).message).toBe('POST /api/v1/namespaces/n/configmaps: 409 Conflict: no message');
  });

  test('ends with advice where there is some', async () => {
    expect((await refused(404, { reason: 'NotFound', message: 'not found' })).message).toBe(
      'POST /api/v1/namespaces/n/configmaps: 404 NotFound: not found; the server does not serve this resource: is its CustomResourceDefinition installed, with this version?',
    );
    expect((await refused(404, { reason: 'NotFound', message: 'not found', details: { name: 'a' } })).message).toBe(
      'POST /api/v1/namespaces/n/configmaps: 404 NotFound: not found',
    );
    const causes = [{ reason: 'FieldManagerConflict', message: 'conflict with "x"', field: '.data.a' }];
    expect((await refused(409, { reason: 'Conflict', message: 'Apply failed', details: { causes } })).message).toBe(
      'POST /api/v1/namespaces/n/configmaps: 409 Conflict: Apply failed; leave these fields out of what is applied, or take them over with force',
    );
  });

  test('is cut after 8192 characters of the server, and not before', async () => {
    const beginning = 'POST /api/v1/namespaces/n/configmaps: 422 Invalid: ';
    expect((await refused(422, { reason: 'Invalid', message: 'x'.repeat(8_192) })).message).toBe(`${beginning}${'x'.repeat(8_192)}`);
    const long = await refused(422, { reason: 'Invalid', message: 'x'.repeat(8_193) });
    expect(long.message).toBe(`${beginning}${'x'.repeat(8_192)}…`);
    expect(long.status.message).toHaveLength(8_193);
  });
});

describe('what the server quotes', () => {
  const TYPED = '.data.pin: expected string, got &value.valueUnstructured{Value:map[a:{s3cret s3cret}\ns3cret]}';
  const INVALID = 'Secret "a" is invalid: data[pin]: Invalid value: "s3cret \\" s3cret": must be short, type: Invalid value: "s3cret": no';

  test('of a Secret is not shown', async () => {
    scripted.server.script(json({ kind: 'Status', reason: 'Invalid', message: `${TYPED} ${INVALID}` }, { status: 422 }));
    const secret = { namespace: 'n', name: 'a' };
    for (const call of [
      () => scripted.client.create(Secret, { metadata: secret }),
      () => scripted.client.apply(Secret, { metadata: secret }),
    ]) {
      const error = await failure(call());
      expect((error as ApiError).message).toContain(
        '.data.pin: expected string, got &value.valueUnstructured{Value:[hidden]} Secret "a" is invalid: data[pin]: Invalid value: [hidden]: must be short, type: Invalid value: [hidden]: no',
      );
      expect((error as ApiError).status.message).toContain('s3cret');
    }
  });

  test.each(['secretstores', 'mysecrets'])('of %s is shown', async (plural) => {
    const kind = { group: 'example.com', version: 'v1', kind: 'Other', plural, scope: 'Cluster', subresources: [] } as const;
    scripted.server.script(json({ kind: 'Status', reason: 'Invalid', message: TYPED }, { status: 422 }));
    expect(((await failure(scripted.client.get(kind, { name: 'a' }))) as ApiError).message).toContain(TYPED);
  });
});

describe('the pause that the server asks for', () => {
  test('is that of the header, else that of the answer, which says nothing by zero', async () => {
    expect(await refused(429, { details: { retryAfterSeconds: 7 } })).toMatchObject({ retryAfterMs: 7_000 });
    expect(await refused(429, { details: { retryAfterSeconds: 0 } })).toMatchObject({ retryAfterMs: undefined });
    expect(await refused(429, {})).toMatchObject({ retryAfterMs: undefined });
    // A longer pause than the transport waits for by itself.
    const header = json({ kind: 'Status', details: { retryAfterSeconds: 7 } }, { status: 429, headers: { 'retry-after': '60' } });
    expect(await refusedBy(header)).toMatchObject({ retryAfterMs: 60_000 });
  });
});

test('an expired page may have a token that goes on with newer objects', async () => {
  const tokenOf = async (metadata: Record<string, unknown> | undefined): Promise<unknown> => {
    const error = await refused(410, { reason: 'Expired', ...(metadata && { metadata }) });
    return isExpired(error) ? error.inconsistentContinue : error;
  };
  expect(await tokenOf({ continue: 'on' })).toBe('on');
  for (const metadata of [undefined, {}, { continue: '' }, { continue: 5 }]) expect(await tokenOf(metadata)).toBeUndefined();
});

test('an object that is not there is not a resource that is not served', async () => {
  const absent = await refused(404, { reason: 'NotFound', details: { name: 'a', kind: 'configmaps' } });
  expect(isNotFound(absent) && [absent.isServed, absent.actor]).toEqual([true, 'nobody']);
});

test('field causes are at hand', async () => {
  const causes = [{ reason: 'FieldValueInvalid', message: 'm', field: 'spec.a' }, { message: 'whole' }];
  const error = await refused(422, { reason: 'Invalid', details: { causes } });
  expect(isInvalid(error) && error.fields).toEqual([causes[0]]);
});

test('an apply conflict has managers and fields, and is not a plain conflict', async () => {
  const causes = [
    { reason: 'FieldManagerConflict', message: 'conflict with "kubectl" using v1', field: '.data.a' },
    { reason: 'FieldManagerConflict', message: 'conflict with "x" with subresource "status"', field: '.data.b' },
    { reason: 'FieldManagerConflict' },
  ];
  const error = await refused(409, { reason: 'Conflict', details: { causes } });
  expect(isConflict(error)).toBe(false);
  expect(isApplyConflict(error) && error.conflicts).toEqual([
    { manager: '"kubectl" using v1', field: '.data.a' },
    { manager: '"x" with subresource "status"', field: '.data.b' },
    { manager: '', field: '' },
  ]);
});

describe('a missing right', () => {
  const forbidden = (message: string, name?: string): Promise<ApiError> =>
    refused(403, { reason: 'Forbidden', message, details: { name } });

  test.each([
    [
      'configmaps is forbidden: User "system:serviceaccount:a:b" cannot list resource "configmaps" in API group "" in the namespace "n"',
      '',
      { user: 'system:serviceaccount:a:b', verb: 'list', group: '', resource: 'configmaps', namespace: 'n', name: undefined },
      'grant system:serviceaccount:a:b: verbs [list], resources [configmaps], apiGroups [""], in a Role of namespace n or a ClusterRole',
    ],
    [
      'pods "p" is forbidden: User "u" cannot create resource "pods/eviction" in API group "policy" in the namespace "n": RBAC: role.rbac.authorization.k8s.io "x" not found',
      'p',
      { user: 'u', verb: 'create', group: 'policy', resource: 'pods/eviction', namespace: 'n', name: 'p' },
      'grant u: verbs [create], resources [pods/eviction], apiGroups ["policy"], in a Role of namespace n or a ClusterRole',
    ],
    [
      'nodes is forbidden: User "a\\"b&lt;c&gt;d&amp;lt;\\\\" cannot watch resource "nodes" in API group "" at the cluster scope',
      '',
      { user: 'a"b<c>d&lt;\\', verb: 'watch', group: '', resource: 'nodes', namespace: undefined, name: undefined },
      'grant a"b<c>d&lt;\\: verbs [watch], resources [nodes], apiGroups [""], in a ClusterRole',
    ],
    [
      'forbidden: User "u" cannot get path "/metrics"',
      '',
      { user: 'u', verb: 'get', path: '/metrics' },
      'grant u: verbs [get], nonResourceURLs [/metrics]',
    ],
  ])('%s', async (message, name, right, grant) => {
    const error = await forbidden(message, name);
    expect(isForbidden(error) && error.missingRight).toEqual(right);
    expect(error.message).toBe(`POST /api/v1/namespaces/n/configmaps: 403 Forbidden: ${message}; ${grant}`);
  });

  test('a quota is none, and a namespace that goes away mends itself', async () => {
    const quota = await forbidden('pods "p" is forbidden: exceeded quota: q');
    expect(isForbidden(quota) && [quota.missingRight, quota.actor]).toEqual([undefined, 'admin']);
    const going = await refused(403, { reason: 'Forbidden', details: { causes: [{ reason: 'NamespaceTerminating' }] } });
    expect(isForbidden(going) && [going.isNamespaceTerminating, going.actor]).toEqual([true, 'nobody']);
  });
});

describe('an answer of a proxy', () => {
  const said = async (status: number, headers: Record<string, string>, text: string): Promise<string | undefined> =>
    (await refusedBy((response) => response.writeHead(status, headers).end(text))).status.message;

  test('is shown, but not more than 1000 characters of it', async () => {
    expect(await said(418, {}, 'x'.repeat(1_000))).toBe('x'.repeat(1_000));
    expect(await said(418, {}, 'x'.repeat(100_000))).toBe(`${'x'.repeat(1_000)}…`);
    expect(await said(418, {}, ' \n')).toBe('the answer has no body');
  });

  test('is a redirect if its status and its header say so', async () => {
    expect(await said(307, { location: '/login#s3cret' }, 'moved')).toBe('a redirect to /login');
    expect(await said(399, { location: '/login' }, 'moved')).toBe('a redirect to /login');
    expect(await said(400, { location: '/login' }, 'moved')).toBe('moved');
    expect(await said(307, {}, 'moved')).toBe('moved');
  });
});

const GUARDS = Object.entries(door).filter(
  ([name]) => name.startsWith('is') && name !== 'isStatus' && name !== 'isApiError',
) as unknown as [string, (error: unknown) => boolean][];

test.each([
  [400, 'BadRequest', 'isBadRequest'],
  [401, 'Unauthorized', 'isUnauthorized'],
  [403, 'Forbidden', 'isForbidden'],
  [404, 'NotFound', 'isNotFound'],
  [405, 'MethodNotAllowed', 'isMethodNotAllowed'],
  [409, 'AlreadyExists', 'isAlreadyExists'],
  [409, 'Conflict', 'isConflict'],
  [410, 'Gone', 'isExpired'],
  [413, 'RequestEntityTooLarge', 'isRequestTooLarge'],
  [415, 'UnsupportedMediaType', 'isUnsupportedMediaType'],
  [422, 'Invalid', 'isInvalid'],
  [429, 'TooManyRequests', 'isTooManyRequests'],
  [503, 'ServiceUnavailable', 'isServiceUnavailable'],
])('%i %s is known by the guard %s alone', async (status, reason, guard) => {
  const error = await refused(status, { reason });
  expect(GUARDS.filter(([, isOfKind]) => isOfKind(error)).map(([name]) => name)).toEqual([guard]);
});

test('an error of the client itself is not one of the API', async () => {
  const error = await failure(scripted.client.get(ConfigMap, { namespace: 'n', name: '' }));
  expect([isApiError(error), isApiError(undefined)]).toEqual([false, false]);
});

test('guards go by brand and code: an error of another copy of the package counts, a look-alike does not', () => {
  class OtherCopy extends OperatorError {
    override readonly actor = 'nobody';
    override readonly code = 'KEELSON_API_NOT_FOUND';
  }
  expect(isNotFound(new OtherCopy('x'))).toBe(true);
  expect(isNotFound(Object.assign(new Error('x'), { code: 'KEELSON_API_NOT_FOUND' }))).toBe(false);
  expect(isNotFound(undefined)).toBe(false);
});

test('each error of the door has a code of its own', async () => {
  const classes = Object.entries(door).filter(([name]) => /^[A-Z].*Error$/.test(name) && name !== 'ApiError');
  const codes = classes.map(([, errorClass]) => {
    const refusal = { request: 'r', httpStatus: 1, status: { kind: 'Status' } };
    return new (errorClass as unknown as new (refusal: unknown) => OperatorError)(refusal).code;
  });
  expect(classes.length).toBeGreaterThan(15);
  expect(new Set(codes).size).toBe(codes.length);
});
