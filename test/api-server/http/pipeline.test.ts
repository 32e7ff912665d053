import type { ApiEvent } from '../../../src/api-server/contract/index.js';
import type { Fault, RequestAttributes, RequestFacts, RequestRecord } from '../../../src/api-server/http/index.js';
import { PlainAnswer } from '../../../src/api-server/http/index.js';
import { forbidden, tooManyRequests, unauthorized } from '../../../src/api-server/status/index.js';
import { HandTimer } from './hand-timer.js';
import { JSON_TYPE, TestServer } from './harness.js';

const C = '/api/v1/namespaces/default/configmaps';
const S = '/apis/h.example.com/v1/namespaces/default/sheets';

let server: TestServer | undefined;
const start = async (parts: Parameters<typeof TestServer.start>[0] = {}): Promise<TestServer> => {
  server = await TestServer.start(parts);
  return server;
};
afterEach(() => server?.close());

const alice = { username: 'alice', groups: [] };

test('authentication sees the headers, authorization the attributes', async () => {
  const facts: RequestFacts[] = [];
  const asked: RequestAttributes[] = [];
  const running = await start({
    gatekeeper: {
      authenticate: (given) => {
        facts.push(given);
        return alice;
      },
      authorize: (_user, attributes) => void asked.push(attributes),
    },
  });
  await running.send('GET', `${C}?fieldSelector=metadata.name%3Da`, { headers: { authorization: 'Bearer t', 'impersonate-user': 'bob' } });
  await running.send('DELETE', `${S}/s/status`);
  await running.send('HEAD', '/foo');
  expect(facts[0]?.headers).toMatchObject({ authorization: 'Bearer t', 'impersonate-user': 'bob' });
  expect(facts[0]?.clientCertificate).toBeUndefined();
  expect(asked).toEqual([
    {
      isResourceRequest: true,
      verb: 'list',
      group: '',
      version: 'v1',
      resource: 'configmaps',
      subresource: '',
      namespace: 'default',
      name: 'a',
      path: C,
    },
    {
      isResourceRequest: true,
      verb: 'delete',
      group: 'h.example.com',
      version: 'v1',
      resource: 'sheets',
      subresource: 'status',
      namespace: 'default',
      name: 's',
      path: `${S}/s/status`,
    },
    {
      isResourceRequest: false,
      verb: 'head',
      group: '',
      version: '',
      resource: '',
      subresource: '',
      namespace: '',
      name: '',
      path: '/foo',
    },
  ]);
});

test('401 and 403 come before it is known whether the path is there', async () => {
  let refusal: Error = unauthorized();
  const running = await start({
    gatekeeper: {
      authenticate: () => {
        if (refusal.message === 'Unauthorized') throw refusal;
        return alice;
      },
      authorize: () => {
        throw refusal;
      },
    },
  });
  expect((await running.send('GET', '/foo')).text).toBe(
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}\n',
  );
  refusal = forbidden({ group: '', plural: '' }, '', 'User "alice" cannot get path "/foo"');
  const answer = await running.send('GET', '/foo');
  expect([answer.status, answer.json.message, answer.headers['x-content-type-options']]).toEqual([
    403,
    'forbidden: User "alice" cannot get path "/foo"',
    'nosniff',
  ]);
  refusal = new PlainAnswer(500, 'Internal Server Error: requested nobody\n');
  expect((await running.send('GET', '/foo')).text).toBe('Internal Server Error: requested nobody\n');
});

test('the context of a write carries who, how and whether at all', async () => {
  const asked: string[] = [];
  const running = await start({ gatekeeper: { authenticate: () => alice, authorize: (_user, { verb }) => void asked.push(verb) } });
  await running.send('POST', `${C}?dryRun=All&fieldManager=me&fieldValidation=Strict`, {
    headers: JSON_TYPE,
    body: '{"metadata":{"name":"a"}}',
  });
  const context = running.api.calls[0]?.context;
  expect(context).toMatchObject({
    user: alice,
    isDryRun: true,
    fieldManager: 'me',
    fieldValidation: 'Strict',
    parameters: { fieldManager: 'me', fieldValidation: 'Strict' },
  });
  context?.authorize('create');
  expect(asked).toEqual(['create', 'create']);
});

test.each([
  ['kubectl/v1.30.0 (linux/amd64)', 'kubectl'],
  ['', 'unknown'],
  ['a b\tc/1', 'a bc'],
  [`${'x'.repeat(200)}/1`, 'x'.repeat(128)],
])('the manager of the User-Agent %j', async (userAgent, manager) => {
  const running = await start();
  await running.send('POST', C, { headers: { ...JSON_TYPE, 'user-agent': userAgent }, body: '{"metadata":{"name":"a"}}' });
  expect(running.api.calls[0]?.context).toMatchObject({ fieldManager: manager, fieldValidation: 'Warn', isDryRun: false, parameters: {} });
});

test('fields given twice reach the registry with the value', async () => {
  const running = await start();
  await running.send('POST', C, { headers: JSON_TYPE, body: '{"metadata":{"name":"b","name":"a"},"data":{"k":"1","k":"2"}}' });
  expect(running.api.calls[0]?.body).toEqual({
    value: { metadata: { name: 'a' }, data: { k: '2' } },
    strictProblems: ['duplicate field "metadata.name"', 'duplicate field "data.k"'],
  });
  await running.send('PATCH', `${C}/a?fieldManager=x&force=true`, {
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: 'data:\n  k: a\n  k: b\n',
  });
  expect(running.api.calls[1]?.body).toEqual({
    format: 'apply',
    force: true,
    value: { data: { k: 'b' } },
    strictProblems: ['error converting YAML to JSON: yaml: unmarshal errors:\n  line 3: key "k" already set in map'],
  });
});

test('deletions take their options from the body, or else from the query', async () => {
  const running = await start();
  const path = `${C}/a`;
  await running.send('DELETE', `${path}?gracePeriodSeconds=5`, {
    headers: JSON_TYPE,
    body: '{"preconditions":{"uid":"u"},"propagationPolicy":"Orphan","unknown":1,"dryRun":["All"]}',
  });
  await running.send('DELETE', `${path}?gracePeriodSeconds=5&uid=x&resourceVersion=7&orphanDependents=false`);
  await running.send('DELETE', path, { headers: { 'content-type': 'application/yaml' }, body: 'gracePeriodSeconds: 0\n' });
  expect(running.api.calls.map(({ options, context }) => [options, context?.isDryRun])).toEqual([
    [{ preconditions: { uid: 'u' }, propagationPolicy: 'Orphan' }, true],
    [{ gracePeriodSeconds: 5, preconditions: { uid: 'x', resourceVersion: '7' }, propagationPolicy: 'Background' }, false],
    [{ gracePeriodSeconds: 0 }, false],
  ]);
});

test('warnings are quoted, told once, and cut when they become too many', async () => {
  const running = await start();
  running.api.before = ({ context }) => {
    for (const text of ['say "hi" \\ ünï→', 'twice', 'twice', 'yaml: unmarshal errors:\n  line 1: a\n  line 2: b', 'control\u0007'])
      context?.warn(text);
  };
  const answer = await running.send('POST', S, { headers: JSON_TYPE, body: '{"kind":"Sheet","metadata":{"name":"a"}}' });
  // Node's client reads bytes as Latin-1.
  expect(Buffer.from(answer.headers['warning'] as string, 'latin1').toString('utf8')).toBe(
    '299 - "sheets are old", 299 - "say \\"hi\\" \\\\ ünï→", 299 - "twice", 299 - "line 1: a", 299 - "line 2: b"',
  );
  running.api.before = ({ context }) => {
    for (let index = 0; index < 40; index += 1) context?.warn(`${index}:${'x'.repeat(300)}`);
  };
  const many = (await running.send('POST', C, { headers: JSON_TYPE, body: '{"metadata":{"name":"b"}}' })).headers['warning'] as string;
  expect(many.split(', ').every((warning) => warning.length === '299 - ""'.length + 256)).toBe(true);
  expect(many.split(', ')).toHaveLength(16);
});

test('a bug is answered with 500 and reported, and the server lives', async () => {
  const running = await start();
  running.api.before = () => {
    throw new TypeError('undefined is not a function');
  };
  expect((await running.send('GET', `${C}/a`)).json).toMatchObject({
    code: 500,
    reason: 'InternalError',
    message: 'Internal error occurred: undefined is not a function',
  });
  expect(running.bugs).toEqual([new TypeError('undefined is not a function')]);
  running.api.before = () => undefined;
  expect((await running.send('GET', C)).status).toBe(200);
});

test('a request that takes too long is answered with 504; its handler is told and heard no more', async () => {
  const timer = new HandTimer();
  const running = await start({ timer });
  let release: () => void = () => undefined;
  let signal: AbortSignal | undefined;
  const called = new Promise<void>((resolve) => {
    running.api.before = ({ context }) => {
      signal = context?.signal;
      resolve();
      return new Promise((done) => {
        release = done;
      });
    };
  });
  const answer = running.send('POST', C, { headers: JSON_TYPE, body: '{"metadata":{"name":"a"}}' });
  await called;
  timer.advance(60_000);
  expect((await answer).text).toBe(
    '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}\n',
  );
  expect(signal?.aborted).toBe(true);
  release();
  running.api.before = () => undefined;
  expect((await running.send('GET', `${C}/a`)).status).toBe(200);
  expect(running.bugs).toEqual([]);
  expect(timer.waiting).toBe(0);
});

test('an Audit-ID of the client is kept, and Retry-After told', async () => {
  const running = await start();
  running.api.before = () => {
    throw tooManyRequests('slow down', 3);
  };
  const answer = await running.send('GET', C, { headers: { 'audit-id': 'mine' } });
  expect(answer.headers).toMatchObject({ 'audit-id': 'mine', 'retry-after': '3' });
});

test('documents answer with text, with objects, with refusals, or not at all', async () => {
  const running = await start({
    documents: {
      find: (path) => {
        if (path === '/livez')
          return ({ query }) => ({ status: 200, headers: { 'Content-Type': 'text/plain' }, body: query.has('verbose') ? 'all ok' : 'ok' });
        if (path === '/version')
          return ({ user }) => ({ status: 200, headers: { 'Cache-Control': 'public' }, object: { user: user.username } });
        return path === '/gone' || path === '/apis/authorization.k8s.io/v9' ? () => undefined : undefined;
      },
    },
  });
  expect((await running.send('GET', '/livez?verbose')).text).toBe('all ok');
  expect((await running.send('GET', '/livez')).headers['cache-control']).toBe('no-cache, private');
  const version = await running.send('GET', '/version', { headers: { accept: 'application/yaml' } });
  expect([version.text, version.headers['cache-control']]).toEqual(['user: alice\n', 'public']);
  expect((await running.send('GET', '/gone')).text).toBe('404 page not found\n');
  expect((await running.send('GET', '/apis/authorization.k8s.io/v9')).json.reason).toBe('NotFound');
});

test('what is more than an update goes to its handler', async () => {
  const running = await start();
  expect((await running.send('GET', '/api/v1/namespaces/default/pods/p/log')).text).toBe('log of p\n');
  const evicted = await running.send('POST', '/api/v1/namespaces/default/pods/p/eviction', {
    headers: JSON_TYPE,
    body: '{"metadata":{"name":"p"}}',
  });
  expect([evicted.status, evicted.json.got]).toEqual([201, { metadata: { name: 'p' } }]);
  const twice = await running.send('POST', '/api/v1/namespaces/default/pods/p/eviction?fieldValidation=Strict', {
    headers: JSON_TYPE,
    body: '{"a":1,"a":2}',
  });
  expect(twice.json.message).toBe('Eviction in version "v1" cannot be handled as a Eviction: strict decoding error: duplicate field "a"');
});

describe('faults', () => {
  const withFault = async (fault: Fault | undefined, parts: object = {}): Promise<TestServer> =>
    start({ intercept: ({ info }) => (info.verb === 'create' || info.verb === 'watch' ? fault : undefined), ...parts });
  const create = (running: TestServer): Promise<unknown> =>
    running.send('POST', C, { headers: JSON_TYPE, body: '{"metadata":{"name":"a"}}' });

  test('an answer in place of the handler', async () => {
    const running = await withFault({ do: 'answer', status: tooManyRequests('no', 1).status, headers: { 'X-Fault': 'yes' } });
    expect(await create(running)).toMatchObject({ status: 429, headers: { 'retry-after': '1', 'x-fault': 'yes' } });
    expect(running.api.calls).toEqual([]);
  });

  test.each([
    ['before', 0],
    ['after', 1],
  ] as const)('a connection that breaks %s the handling', async (when, calls) => {
    const running = await withFault({ do: 'drop', when });
    await expect(create(running)).rejects.toThrow();
    expect(running.api.calls).toHaveLength(calls);
    expect(running.bugs).toEqual([]);
  });

  test.each([
    ['before', 0],
    ['after', 1],
  ] as const)('a delay %s the handling', async (when, calls) => {
    const timer = new HandTimer();
    const running = await withFault({ do: 'delay', ms: 500, when }, { timer });
    const answer = create(running);
    // The time limit of the request, and the delay.
    await new Promise<void>((resolve) => {
      const look = (): void => (timer.waiting === 2 ? resolve() : void setImmediate(look));
      look();
    });
    expect(running.api.calls).toHaveLength(calls);
    timer.advance(500);
    expect(await answer).toMatchObject({ status: 201 });
  });

  const event = (name: string): ApiEvent => ({ type: 'ADDED', object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name } } });

  test('events are held, duplicated, left out, and the connection cut within a frame', async () => {
    let release: (action: 'pass') => void = () => undefined;
    const held = new Promise<'pass'>((resolve) => {
      release = resolve;
    });
    const actions = ['pass', held, 'duplicate', 'omit', 'cut'] as const;
    const running = await withFault({ do: 'watch', fault: { onEvent: (_event, index) => actions[index] ?? 'pass' } });
    const client = running.raw().write(`GET ${C}?watch=1 HTTP/1.1\r\nHost: x\r\n\r\n`);
    await client.until(({ received }) => received.includes('\r\n\r\n'));
    running.api.watches[0]?.push(...['a', 'b', 'c', 'd', 'e'].map(event));
    await client.until(({ received }) => received.includes('"a"'));
    for (let index = 0; index < 5; index += 1) await running.send('GET', C);
    expect(client.received).not.toContain('"b"');
    release('pass');
    await client.closed();
    const names = [...client.received.matchAll(/"name":"(.)"/g)].map(([, name]) => name);
    expect(names.slice(0, 4)).toEqual(['a', 'b', 'c', 'c']);
    expect(names).not.toContain('d');
    expect(client.received.endsWith('}}\n\r\n')).toBe(false);
    expect(running.api.watches[0]?.isClosed).toBe(true);
  });

  test('a watch that ends early ends in good order', async () => {
    const running = await withFault({ do: 'watch', fault: { onEvent: (_event, index) => (index === 1 ? 'end' : 'pass') } });
    const client = running.raw().write(`GET ${C}?watch=1 HTTP/1.1\r\nHost: x\r\n\r\n`);
    await client.until(({ received }) => received.includes('\r\n\r\n'));
    running.api.watches[0]?.push(event('a'), event('b'));
    await client.until(({ received }) => received.endsWith('0\r\n\r\n'));
    expect(client.received).toContain('"a"');
    expect(client.received).not.toContain('"b"');
  });
});

test('the observer is told of every request, of a watch when it begins and when it ends', async () => {
  const told: [string, RequestRecord][] = [];
  const running = await start({
    observer: {
      watching: (record) => void told.push(['watching', record]),
      finished: (record) => {
        told.push(['finished', record]);
        if (record.url === '/foo') throw new Error('observer');
      },
    },
  });
  await running.send('POST', C, { headers: { ...JSON_TYPE, 'user-agent': 'me/1' }, body: '{"metadata":{"name":"a"}}' });
  await running.send('GET', '/foo');
  const client = running.raw().write(`GET ${C}?watch=1 HTTP/1.1\r\nHost: x\r\n\r\n`);
  await client.until(({ received }) => received.includes('\r\n\r\n'));
  running.api.watches[0]?.push({ type: 'ADDED', object: {} });
  running.api.watches[0]?.finish();
  await client.until(({ received }) => received.endsWith('0\r\n\r\n'));
  expect(told.map(([what, { info, code, username, events }]) => [what, info.verb, code, username, events])).toEqual([
    ['finished', 'create', 201, 'alice', 0],
    ['finished', 'get', 404, 'alice', 0],
    ['watching', 'watch', 200, 'alice', 0],
    ['finished', 'watch', 200, 'alice', 1],
  ]);
  expect(told[0]?.[1]).toMatchObject({ userAgent: 'me/1', method: 'POST', startedAt: new Date('2026-01-02T03:04:05Z') });
  expect(Object.keys(told[0]?.[1].stages ?? {})).toEqual(['authorizedMs', 'bodyReadMs', 'handledMs']);
  expect(running.bugs).toEqual([new Error('observer')]);
});
