import { JSON_TYPE, type SendOptions, TestServer } from './harness.js';

const C = '/api/v1/namespaces/default/configmaps';
const S = '/apis/h.example.com/v1/namespaces/default/sheets';
const GENERIC_404 = { code: 404, reason: 'NotFound', message: 'the server could not find the requested resource', details: {} };
const GENERIC_405 = {
  code: 405,
  reason: 'MethodNotAllowed',
  message: 'the server does not allow this method on the requested resource',
  details: {},
};
const NO_PAGE = '404 page not found\n';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());
beforeEach(() => {
  server.api.calls.length = 0;
  server.api.objects.clear();
});

test.each([
  ['GET', '/api/v1/foo'],
  ['GET', '/api/v2/x'],
  ['GET', '/api/v2'],
  ['GET', `${C}/a/nope`],
  ['GET', `${C}/a/status`],
  ['GET', '/api/v1/configmaps/a'],
  ['GET', '/api/v1//namespaces/default/configmaps'],
  ['GET', '/api/v1/namespaces/default/namespaces'],
  ['GET', `${C}/a%2Fb`],
  ['GET', `${C}/a/b/c/d`],
  ['GET', '/apis/authorization.k8s.io/v1/subjectaccessreviews/x'],
  ['GET', '/apis/authorization.k8s.io/v9/subjectaccessreviews'],
])('%s %s is not there', async (method, path) => {
  expect((await server.send(method, path)).json).toMatchObject(GENERIC_404);
});

test.each([
  ['GET', '/foo'],
  ['POST', '/foo'],
  ['GET', '/apis/foo.io/v1/bar'],
  ['GET', '/apis/h.example.com/v1/foo'],
  ['GET', '/apis/h.example.com/v2/sheets'],
  ['GET', '/apis/h.example.com/v1/sheets/s'],
  ['DELETE', '/apis/h.example.com/v1/sheets'],
  ['FOO', '/apis/h.example.com/v1/sheets'],
])('%s %s is nobody’s', async (method, path) => {
  // Node's client refuses unknown methods: the bytes are written by hand.
  const raw = server.raw().write(`${method === 'FOO' ? 'PURGE' : method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await raw.closed();
  expect(raw.received).toContain('HTTP/1.1 404 Not Found\r\n');
  expect(raw.received).toContain('Content-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n');
  expect(raw.received.endsWith(`\r\n\r\n${NO_PAGE}`)).toBe(true);
});

test.each([
  ['POST', `${C}/a`],
  ['PUT', C],
  ['PATCH', C],
  ['OPTIONS', C],
  ['DELETE', '/api/v1/namespaces'],
  ['POST', '/api/v1/configmaps'],
  ['DELETE', '/api/v1/configmaps'],
  ['POST', '/api/v1/watch/configmaps'],
  ['DELETE', '/api/v1/namespaces/default/pods/x/status'],
  ['GET', '/apis/authorization.k8s.io/v1/subjectaccessreviews'],
])('%s %s is not allowed', async (method, path) => {
  expect((await server.send(method, path, { headers: JSON_TYPE })).json).toMatchObject(GENERIC_405);
});

test('a HEAD at a built-in object is not allowed, and has no body', async () => {
  const answer = await server.send('HEAD', C);
  expect([answer.status, answer.text]).toEqual([405, '']);
});

test.each([
  ['OPTIONS', S, ''],
  ['POST', `${S}/s/status`, 'create'],
  ['DELETE', `${S}/s/status`, 'delete'],
])('a custom resource names the verb that it does not know: %s %s', async (method, path, verb) => {
  expect((await server.send(method, path, { headers: JSON_TYPE })).json).toMatchObject({
    code: 405,
    message: `${verb} is not supported on resources of kind "sheets.h.example.com"`,
    details: { group: 'h.example.com', kind: 'sheets' },
  });
});

test('of a custom resource, an unknown subresource is told as a missing object', async () => {
  expect((await server.send('GET', `${S}/s/scale`)).json.message).toBe('sheets.h.example.com "s" not found');
});

test('a write without a name in the path', async () => {
  expect((await server.send('PUT', S, { headers: JSON_TYPE, body: '{}' })).json).toMatchObject({
    code: 400,
    message: 'name must be provided',
  });
});

test.each(['/api/v1/watch', '/api/v1/proxy'])('%s makes no sense', async (path) => {
  const answer = await server.send('GET', path);
  expect(answer.status).toBe(500);
  expect(answer.text).toBe(
    `Internal Server Error: "${path}": failed to create RequestInfo: unable to determine kind and namespace from url, ${path}\n`,
  );
});

const UNREAD = 'the body of the request was in an unknown format - accepted media types include: ';
const PATCHES = 'application/json-patch+json, application/merge-patch+json, ';

test.each<[string, string, SendOptions, object]>([
  [
    'POST',
    C,
    { headers: { 'content-type': 'text/plain' }, body: '{}' },
    { code: 415, message: `${UNREAD}application/json, application/yaml, application/vnd.kubernetes.protobuf` },
  ],
  ['POST', C, { headers: { 'content-type': 'application/json; x' }, body: '{}' }, { code: 415 }],
  [
    'POST',
    C,
    { headers: { 'content-type': 'application/vnd.kubernetes.protobuf' }, body: '{}' },
    { code: 415, message: `${UNREAD}application/json, application/yaml` },
  ],
  ['PATCH', `${C}/a`, { headers: JSON_TYPE, body: '{}' }, { code: 415, message: '415: Unsupported Media Type', details: {} }],
  ['PATCH', `${C}/a`, { body: '{}' }, { code: 415, message: '415: Unsupported Media Type' }],
  [
    'PATCH',
    `${C}/a`,
    { headers: { 'content-type': 'application/merge-patch+json ; x' }, body: '{}' },
    { code: 415, message: `${UNREAD}${PATCHES}application/strategic-merge-patch+json, application/apply-patch+yaml` },
  ],
  [
    'PATCH',
    `${S}/a`,
    { headers: { 'content-type': 'application/strategic-merge-patch+json' }, body: '{}' },
    { code: 415, message: `${UNREAD}${PATCHES}application/apply-patch+yaml` },
  ],
  [
    'PATCH',
    `${C}/a`,
    { headers: { 'content-type': 'application/apply-patch+yaml' }, body: '{}' },
    { code: 422, message: 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch' },
  ],
  [
    'PATCH',
    `${C}/zzz`,
    { headers: { 'content-type': 'application/merge-patch+json' }, body: '{' },
    { code: 400, message: 'invalid JSON patch' },
  ],
  [
    'PATCH',
    `${C}/a?fieldManager=x`,
    { headers: { 'content-type': 'application/apply-patch+yaml' }, body: 'a: [' },
    { code: 400, message: expect.stringMatching(/^error encoding patch: yaml: line 1: /) },
  ],
  [
    'POST',
    C,
    { headers: JSON_TYPE, body: '{"a":}' },
    {
      code: 400,
      message: `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: invalid character '}' looking for beginning of value ({"a":})`,
    },
  ],
  [
    'POST',
    C,
    { headers: JSON_TYPE, body: '' },
    {
      code: 400,
      message: `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)`,
    },
  ],
  [
    'POST',
    C,
    { headers: JSON_TYPE, body: 'hello world this is long text of over thirty bytes' },
    { message: expect.stringContaining('(68656c6c6f20776f726c642074686973206973206c6f6e67207465787420 ...)') },
  ],
  [
    'POST',
    C,
    { headers: JSON_TYPE, body: '{"kind":5}' },
    {
      message: `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string ({"kind":5})`,
    },
  ],
  [
    'POST',
    C,
    { headers: JSON_TYPE, body: '{"apiVersion":"a/b/c","kind":"x"}' },
    { message: expect.stringContaining('unexpected GroupVersion string: a/b/c (') },
  ],
  [
    'POST',
    S,
    { headers: JSON_TYPE, body: 'null' },
    { message: `the object provided is unrecognized (must be of type Sheet): Object 'Kind' is missing in 'null' (6e756c6c)` },
  ],
  [
    'POST',
    S,
    { headers: JSON_TYPE, body: '{"kind":"Sheet","apiVersion":"h.example.com/v1","spec":{"n":1e400}}' },
    { message: 'Sheet in version "v1" cannot be handled as a Sheet: json: cannot unmarshal number 1e400 into Go value of type float64' },
  ],
  [
    'POST',
    S,
    { headers: { 'content-type': 'application/yaml' }, body: '- a\n- b\n' },
    { message: expect.stringContaining('cannot unmarshal array into Go value of type struct') },
  ],
  [
    'DELETE',
    `${C}/a`,
    { headers: JSON_TYPE, body: '{' },
    { code: 400, message: `couldn't get version/kind; json parse error: unexpected end of JSON input` },
  ],
  [
    'DELETE',
    `${C}/a`,
    { headers: JSON_TYPE, body: '{"kind":"Foo"}' },
    { code: 400, message: 'no kind "Foo" is registered for version "meta.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"' },
  ],
  [
    'DELETE',
    `${C}/a`,
    { headers: JSON_TYPE, body: '{"gracePeriodSeconds":"x"}' },
    { code: 400, message: 'json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64' },
  ],
  [
    'DELETE',
    `${C}/a`,
    { headers: JSON_TYPE, body: '{"gracePeriodSeconds":1.5}' },
    { message: 'json: cannot unmarshal number 1.5 into Go struct field DeleteOptions.gracePeriodSeconds of type int64' },
  ],
  [
    'DELETE',
    `${C}/a`,
    { headers: JSON_TYPE, body: '{"preconditions":{"uid":5}}' },
    { message: 'json: cannot unmarshal number into Go struct field Preconditions.preconditions.uid of type types.UID' },
  ],
  [
    'DELETE',
    `${C}/a`,
    { headers: JSON_TYPE, body: '{"propagationPolicy":"Orphan","orphanDependents":true}' },
    {
      code: 422,
      message:
        'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    },
  ],
  [
    'DELETE',
    `${C}/a?propagationPolicy=`,
    {},
    {
      code: 422,
      message:
        'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "": supported values: "Foreground", "Background", "Orphan", "nil"',
    },
  ],
  [
    'DELETE',
    `${C}/a?dryRun=All&dryRun=x`,
    {},
    { code: 422, message: 'DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["All","x"]: supported values: "All"' },
  ],
  ['DELETE', `${C}/a?gracePeriodSeconds=x`, {}, { code: 400, message: 'strconv.ParseInt: parsing "x": invalid syntax' }],
  [
    'POST',
    `${C}?dryRun=x&fieldValidation=y`,
    { headers: JSON_TYPE, body: '{}' },
    {
      code: 422,
      message:
        'CreateOptions.meta.k8s.io "" is invalid: [dryRun: Unsupported value: ["x"]: supported values: "All", fieldValidation: Unsupported value: "y": supported values: "", "Ignore", "Strict", "Warn"]',
    },
  ],
  [
    'POST',
    `${C}?fieldManager=a%0ab`,
    { headers: JSON_TYPE, body: '{}' },
    { message: 'CreateOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: "a\\nb": invalid character U+000A (at position 1)' },
  ],
  [
    'POST',
    `${C}?fieldManager=${'x'.repeat(129)}`,
    { headers: JSON_TYPE, body: '{}' },
    { message: 'CreateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes' },
  ],
  [
    'PATCH',
    `${C}/a?force=true`,
    { headers: { 'content-type': 'application/merge-patch+json' }, body: '{}' },
    { message: 'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch' },
  ],
  [
    'GET',
    `${C}?timeout=1`,
    {},
    { code: 400, message: 'invalid timeout specified in the request URL - time: missing unit in duration "1"' },
  ],
  ['GET', `${C}?limit=x`, {}, { code: 400, message: 'strconv.ParseInt: parsing "x": invalid syntax' }],
  [
    'GET',
    `${C}?limit=99999999999999999999`,
    {},
    { code: 400, message: 'strconv.ParseInt: parsing "99999999999999999999": value out of range' },
  ],
  [
    'GET',
    `${C}?resourceVersionMatch=Exact&resourceVersion=0`,
    {},
    {
      code: 422,
      message:
        'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    },
  ],
  [
    'GET',
    `${C}?sendInitialEvents=false`,
    {},
    { code: 422, message: 'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list' },
  ],
  [
    'GET',
    `${C}?watch=1&sendInitialEvents=1`,
    {},
    {
      message:
        'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    },
  ],
  [
    'GET',
    `${C}?watch=1&continue=x`,
    {},
    {
      message:
        'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    },
  ],
  [
    'GET',
    `${C}?watch=1&resourceVersionMatch=Exact`,
    {},
    {
      message:
        'ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]',
    },
  ],
  [
    'GET',
    `/api/v1/watch/namespaces/default/configmaps/a?fieldSelector=metadata.name%3Db`,
    {},
    { code: 400, message: "fieldSelector metadata.name doesn't match requested name" },
  ],
  ['GET', `${C}/a?export=1`, {}, { code: 400, message: 'the export parameter, deprecated since v1.14, is no longer supported' }],
])('%s %s with %j is refused', async (method, path, options, expected) => {
  const answer = await server.send(method, path, options);
  expect(answer.json).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', ...expected });
  expect(answer.status).toBe(answer.json.code);
  expect(server.bugs).toEqual([]);
});

test('a body of more than 3 MiB is refused, one of 3 MiB is read', async () => {
  const tooLong = await server.send('POST', C, { headers: JSON_TYPE, body: 'x'.repeat(3 * 1024 * 1024 + 1) });
  expect(tooLong.json).toMatchObject({ code: 413, reason: 'RequestEntityTooLarge', message: 'Request entity too large: limit is 3145728' });
  const long = await server.send('POST', C, { headers: JSON_TYPE, body: 'x'.repeat(3 * 1024 * 1024) });
  expect(long.status).toBe(400);
});
