import { ConfigMap } from 'keelson/kinds/core/v1';
import { isApiError, PageGuard, type WatchEvent } from '../../../src/runtime/client/index.js';
import { type Answer, json } from '../http/scripted-server.js';
import { failure, type ScriptedClient, scriptedClient } from './scripted-client.js';

let scripted: ScriptedClient;
beforeEach(async () => {
  scripted = await scriptedClient();
});
afterEach(() => scripted.stop());

const key = { namespace: 'n', name: 'a' };
const MALFORMED = 'KEELSON_RESPONSE_MALFORMED';

/** Page after page, with the tokens that the function gives. */
function paging(token: (page: number) => string): Answer {
  let page = 0;
  return (response, request) => {
    page += 1;
    json({ kind: 'ConfigMapList', metadata: { resourceVersion: '5', continue: token(page) }, items: [] })(response, request);
  };
}

describe('a list', () => {
  test.each([
    ['the same token again and again', () => 'again', 3],
    ['a circle of tokens', (page: number) => `page-${page % 7}`, 16],
    ['a circle that begins late', (page: number) => `page-${page < 20 ? page : 20 + (page % 3)}`, 36],
  ])('that never ends is found out: %s', async (_, token, most) => {
    scripted.server.script(paging(token));
    expect(await failure(scripted.client.listAll(ConfigMap, { namespace: 'n' }))).toMatchObject({
      code: MALFORMED,
      message: expect.stringMatching(
        /^GET \/api\/v1\/namespaces\/n\/configmaps: the list never ends: after page \d+ its pages begin anew$/,
      ),
    });
    expect(scripted.server.requests.length).toBeLessThanOrEqual(most);
  });

  test('whose every page is another one has a bound, too', () => {
    const guard = new PageGuard('the list');
    const items = Array.from({ length: 100_000 });
    let pages = 0;
    const all = (): void => {
      for (;;) guard.check({ items, continue: `page-${pages++}` });
    };
    expect(all).toThrow('the list never ends: it goes on after 21 pages, 2000000 objects and more');
  });

  test('of empty pages has the same bound', () => {
    const guard = new PageGuard('the list');
    let pages = 0;
    const all = (): void => {
      for (;;) guard.check({ items: [], continue: `page-${pages++}` });
    };
    expect(all).toThrow('the list never ends: it goes on after 2000001 pages, 2000000 objects and more');
  });

  test('that ends is none of these, however many objects it has', () => {
    const guard = new PageGuard('the list');
    guard.check({ items: Array.from({ length: 2_000_000 }), continue: 'page-1' });
    guard.check({ items: Array.from({ length: 1_000 }), continue: undefined });
  });

  test.each([
    [
      'an object of another kind',
      { kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 's3cret' } },
      'not a list of configmaps, but a "ConfigMap"',
    ],
    ['an empty object', {}, 'not a list of configmaps, but an object without a kind'],
    ['a health check', { status: 'ok', items: 's3cret' }, 'not a list of configmaps, but an object without a kind'],
    ['a list without metadata', { kind: 'ConfigMapList', items: [] }, 'not a list of configmaps, but a "ConfigMapList"'],
    ['a token that is a number', { kind: 'ConfigMapList', metadata: { continue: 5 }, items: [] }, 'must be texts'],
    ['a resourceVersion that is a number', { kind: 'ConfigMapList', metadata: { resourceVersion: 5 }, items: [] }, 'must be texts'],
  ])('is never read from %s: nothing would be there any more', async (_, body, message) => {
    scripted.server.script(json(body));
    const error = await failure(scripted.client.listAll(ConfigMap));
    expect(error).toMatchObject({ code: MALFORMED, message: expect.stringContaining(message) });
    expect(String(error)).not.toContain('s3cret');
  });

  test('without objects may have null in their place, as Go writes it', async () => {
    scripted.server.script(json({ kind: 'ConfigMapList', metadata: { resourceVersion: '5' }, items: null }));
    expect((await scripted.client.list(ConfigMap)).items).toEqual([]);
  });
});

describe('an object', () => {
  test.each([
    ['a Status', { kind: 'Status', status: 'Success', metadata: {} }, 'the answer is not a ConfigMap, but a "Status"'],
    ['an object without metadata', { kind: 'ConfigMap' }, 'the answer is not a ConfigMap, but a "ConfigMap"'],
    ['a list', [{ data: 's3cret' }], 'the answer is not an API object, but a list of 1'],
    ['null', null, 'the answer is not an API object, but null'],
  ])('is never read from %s', async (_, body, message) => {
    scripted.server.script(json(body));
    const error = await failure(scripted.client.get(ConfigMap, key));
    expect(error).toMatchObject({ code: MALFORMED, message: `GET /api/v1/namespaces/n/configmaps/a: ${message}` });
  });

  test('that is cut off, or comes as text, is not quoted: it may be a Secret', async () => {
    for (const type of ['application/json', 'text/plain']) {
      scripted.server.script((response) => response.writeHead(200, { 'content-type': type }).end('{"data":{"password":s3cret}'));
      const error = await failure(scripted.client.get(ConfigMap, key));
      expect(error).toMatchObject({ code: MALFORMED });
      expect((error as Error).cause).toBeUndefined();
      expect(String(error)).not.toContain('s3cret');
    }
  });
});

describe('a refusal', () => {
  test.each<[string, object]>([
    ['causes that are not list', { details: { causes: 5 } }],
    ['causes that are nothing', { details: { causes: [null, 5, 'x', [], { reason: 5, message: {}, field: [] }] } }],
    ['details that are a text', { details: 'x' }],
    ['a reason and a message that are not texts', { reason: { a: 1 }, message: ['x'] }],
    ['a code that is none', { code: 'x' }],
    ['waits that are none', { details: { retryAfterSeconds: 'soon' } }],
    ['a wait into the past', { details: { retryAfterSeconds: -5 } }],
  ])('with %s is an error as any other', async (_, status) => {
    scripted.server.script(json({ kind: 'Status', status: 'Failure', ...status }, { status: 422 }));
    const error = await failure(scripted.client.get(ConfigMap, key));
    if (!isApiError(error)) throw error;
    expect(error).toMatchObject({ code: 'KEELSON_API_INVALID', httpStatus: 422, retryAfterMs: undefined });
    expect(error.causes.every((cause) => Object.keys(cause).length === 0)).toBe(true);
  });

  test('of endless words is cut in its message', async () => {
    scripted.server.script(json({ kind: 'Status', reason: 'Invalid', message: 'x'.repeat(1_000_000) }, { status: 422 }));
    const error = await failure(scripted.client.get(ConfigMap, key));
    expect((error as Error).message.length).toBeLessThan(10_000);
  });

  test('that redirects says where to, without what a login may have written there', async () => {
    scripted.server.script((response) => response.writeHead(302, { location: 'https://login.example.com/auth?state=s3cret' }).end());
    expect(await failure(scripted.client.get(ConfigMap, key))).toMatchObject({
      code: 'KEELSON_API_UNEXPECTED_STATUS',
      message: 'GET /api/v1/namespaces/n/configmaps/a: 302 Unknown: a redirect to https://login.example.com/auth',
    });
  });

  test('in place of a watch is not read beyond a MiB', async () => {
    scripted.server.script((response) => void response.writeHead(403).write('x'.repeat(1024 * 1024 + 1)));
    expect(await failure(scripted.client.watch(ConfigMap))).toMatchObject({ code: 'KEELSON_API_FORBIDDEN' });
    await scripted.server.drained();
    expect(scripted.clock.pending).toBe(0);
  });

  test('keeps what is known and of its type, and nothing else', async () => {
    const status = { metadata: { continue: 't' }, apiVersion: 'v1', status: 'Failure', own: 5 };
    const details = { name: 'a', group: 'g', kind: 'k', uid: 'u', own: [5], retryAfterSeconds: 3 };
    const causes = [{ reason: 'r', message: 'm', field: 'f', own: 5 }];
    const sent = { kind: 'Status', code: 422, reason: 'Invalid', message: 'm', ...status, details: { ...details, causes } };
    scripted.server.script(json(sent, { status: 422 }));
    expect(await failure(scripted.client.get(ConfigMap, key))).toMatchObject({ status: sent, causes, retryAfterMs: 3_000 });
    const wrong = { kind: 'Status', code: -1, reason: 1, message: 1, metadata: [], apiVersion: 1, status: 1, details: [] };
    scripted.server.script(json(wrong, { status: 422 }));
    const error = await failure(scripted.client.get(ConfigMap, key));
    expect(isApiError(error) && [error.status, error.reason, error.causes]).toEqual([{ kind: 'Status' }, '', []]);
    const wrongDetails = { name: 1, group: 1, kind: 1, uid: 1, retryAfterSeconds: '3', causes: [{ reason: 1, message: 1, field: 1 }] };
    scripted.server.script(json({ kind: 'Status', details: wrongDetails }, { status: 422 }));
    const other = await failure(scripted.client.get(ConfigMap, key));
    expect(isApiError(other) && other.status).toEqual({ kind: 'Status', details: { causes: [{}] } });
  });

  test('in place of a watch, whose body never ends, is told all the same', async () => {
    scripted.server.script((response) => void response.writeHead(403).write('forbidden by the proxy'));
    const silentMs = 60_000;
    const failed = failure(scripted.client.watch(ConfigMap, { silentMs }));
    // Once for the beginning of the body, and again after what came of it.
    while (scripted.clock.timesSet(silentMs) < 2) await new Promise((resolve) => setImmediate(resolve));
    scripted.clock.advance(30_000);
    expect(await failed).toMatchObject({ code: 'KEELSON_API_FORBIDDEN', message: expect.stringContaining('forbidden by the proxy') });
    await scripted.server.drained();
  });
});

describe('a watch', () => {
  async function eventsOf(...lines: string[]): Promise<{ events: WatchEvent<unknown>[]; error: unknown }> {
    scripted.server.script((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(lines.map((line) => `${line}\n`).join('')),
    );
    const events: WatchEvent<unknown>[] = [];
    const read = async (): Promise<void> => {
      for await (const event of await scripted.client.watch(ConfigMap)) events.push(event);
    };
    const error = await read().catch((thrown: unknown) => thrown);
    return { events, error };
  }

  test.each([
    ['{"type":"NEWS","object":{"data":"s3cret"}}', 'an event of unknown type "NEWS"'],
    ['{"type":5,"object":{"data":"s3cret"}}', 'an event of unknown type number'],
    ['{"object":{"data":"s3cret"}}', 'an event of unknown type undefined'],
    ['{"type":"ADDED","object":"s3cret"}', 'a line of the watch is not an event'],
    ['{"type":"ADDED","object":{"data":s3cret}}', 'a line of the watch is not JSON'],
    ['"s3cret"', 'a line of the watch is not an event'],
    ['null', 'a line of the watch is not an event'],
    ['{"type":"ERROR","object":{"message":"s3cret"}}', 'an ERROR event without a Status'],
  ])('that sends %s ends with an error that names it, and quotes nothing', async (line, message) => {
    const { error } = await eventsOf(line);
    expect(error).toMatchObject({
      code: MALFORMED,
      message: expect.stringContaining(`watch of /api/v1/configmaps: ${message}`),
    });
    expect((error as Error).cause).toBeUndefined();
    expect(String(error)).not.toContain('s3cret');
  });

  test('that refuses in odd words is refused', async () => {
    const { error } = await eventsOf('{"type":"ERROR","object":{"kind":"Status","code":"x","details":{"causes":{}},"reason":5}}');
    expect(error).toMatchObject({ code: 'KEELSON_API_INTERNAL', httpStatus: 500 });
  });

  test.each(['{}', '{"metadata":null}', '{"metadata":{"resourceVersion":5,"annotations":null}}', '{"metadata":"x"}'])(
    'whose bookmark is %s has come to no resourceVersion',
    async (object) => {
      const { events, error } = await eventsOf(`{"type":"BOOKMARK","object":${object}}`);
      expect([error, events]).toEqual([undefined, [{ type: 'BOOKMARK', resourceVersion: '', initialEventsEnd: false }]]);
    },
  );

  test('that is a web page is told as that', async () => {
    scripted.server.script((response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>'));
    expect(await failure(scripted.client.watch(ConfigMap))).toMatchObject({
      code: MALFORMED,
      message: expect.stringContaining('a web page'),
    });
    await scripted.server.drained();
  });
});

test.each([{}, { resources: 5 }, { resources: [null] }, { resources: [{ name: 5, kind: 'X', namespaced: true }] }])(
  'discovery is not read from %j',
  async (body) => {
    scripted.server.script(json(body));
    expect(await failure(scripted.client.discover({ apiVersion: 'v1', kind: 'ConfigMap' }))).toMatchObject({
      code: MALFORMED,
      message: expect.stringContaining('GET /api/v1: the answer is not a list of resources'),
    });
  },
);
