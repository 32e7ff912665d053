import { ConfigMap } from 'keelson/kinds/core/v1';
import { OperatorError } from '../../../src/kubernetes/index.js';
import * as door from '../../../src/runtime/client/index.js';
import {
  type ApiError,
  isApiError,
  isApplyConflict,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  type Status,
} from '../../../src/runtime/client/index.js';
import { json } from '../http/scripted-server.js';
import { failure, type ScriptedClient, scriptedClient } from './scripted-client.js';

let scripted: ScriptedClient;
beforeEach(async () => {
  scripted = await scriptedClient();
});
afterEach(() => scripted.stop());

async function refused(code: number, status: Partial<Status>): Promise<ApiError> {
  scripted.server.script(json({ kind: 'Status', status: 'Failure', code, ...status }, { status: code }));
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

test('a webhook’s own code without a reason is told by the code', async () => {
  expect((await refused(422, { message: 'no' })).code).toBe('KEELSON_API_INVALID');
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
  ];
  const error = await refused(409, { reason: 'Conflict', details: { causes } });
  expect(isConflict(error)).toBe(false);
  expect(isApplyConflict(error) && error.conflicts).toEqual([
    { manager: '"kubectl" using v1', field: '.data.a' },
    { manager: '"x" with subresource "status"', field: '.data.b' },
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
    ],
    [
      'pods "p" is forbidden: User "u" cannot create resource "pods/eviction" in API group "policy" in the namespace "n": RBAC: role.rbac.authorization.k8s.io "x" not found',
      'p',
      { user: 'u', verb: 'create', group: 'policy', resource: 'pods/eviction', namespace: 'n', name: 'p' },
    ],
    [
      'nodes is forbidden: User "a\\"b&lt;" cannot watch resource "nodes" in API group "" at the cluster scope',
      '',
      { user: 'a"b<', verb: 'watch', group: '', resource: 'nodes', namespace: undefined, name: undefined },
    ],
    ['forbidden: User "u" cannot get path "/metrics"', '', { user: 'u', verb: 'get', path: '/metrics' }],
  ])('%s', async (message, name, right) => {
    const error = await forbidden(message, name);
    expect(isForbidden(error) && error.missingRight).toEqual(right);
    expect(error.message).toContain(`grant ${right.user}: verbs [${right.verb}]`);
  });

  test('a quota is none, and a namespace that goes away mends itself', async () => {
    const quota = await forbidden('pods "p" is forbidden: exceeded quota: q');
    expect(isForbidden(quota) && [quota.missingRight, quota.actor]).toEqual([undefined, 'admin']);
    const going = await refused(403, { reason: 'Forbidden', details: { causes: [{ reason: 'NamespaceTerminating' }] } });
    expect(isForbidden(going) && [going.isNamespaceTerminating, going.actor]).toEqual([true, 'nobody']);
  });
});

test('an answer of a proxy is shown, but not all of it', async () => {
  scripted.server.script((response) => void response.writeHead(418, { 'content-type': 'text/plain' }).end('x'.repeat(100_000)));
  const error = await failure(scripted.client.get(ConfigMap, { namespace: 'n', name: 'a' }));
  expect((error as Error).message.length).toBeLessThan(1_200);
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
