import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type Page, startPage } from '../../../../src/cli/dev/page/index.js';
import { eventually } from '../../../eventually.js';
import { object } from './owned-object.js';

const run = (name: string, id = 'r1') =>
  ({
    id,
    controller: 'thing',
    kind: 'Thing',
    object: name,
    startedAt: '2026-05-01T12:00:00Z',
    triggers: [{ cause: 'object' }],
    queuedMs: 3,
    attempt: 1,
    reads: [],
    writes: [],
    left: 0,
  }) as never;

const done: string[] = [];
const state = { revision: 1, aheadMs: 0, isReady: true };
const THING = { group: '', version: 'v1', kind: 'Thing', plural: 'things', scope: 'Namespaced', subresources: [] } as const;
let page: Page;
beforeAll(async () => {
  const roots = [object('main', undefined, {}, { spec: { password: 'hidden' } })];
  page = await startPage({
    cluster: {
      get revision() {
        return state.revision;
      },
      disturbances: { isDisturbed: false, isStale: false, disturb: () => true, makeStale: () => true },
      time: {
        get offsetMs() {
          return state.aheadMs;
        },
        forward: () => undefined,
      },
      objectsOf: async (kinds) => (kinds.some(({ kind }) => kind === 'Thing') ? roots : [object('child', 'main'), object('stranger')]),
    },
    session: {
      phase: 'ready',
      operator: 'things',
      kinds: [THING],
      owned: [],
      reconciled: [THING],
      runAgain: (targets) => {
        if (state.isReady) done.push(`runs ${JSON.stringify(targets)}`);
        return state.isReady;
      },
      forward: (ms) => {
        state.aheadMs += ms;
        return true;
      },
    },
    restart: (how) => done.push(how),
    say: (line) => done.push(line),
  });
});
afterAll(() => page.close());
beforeEach(() => done.splice(0));

const token = (): string => new URL(page.url).pathname.split('/')[1] ?? '';

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** fetch lets nobody set Host. */
function ask(
  path: string,
  { method = 'GET', headers = {} }: Asked = {},
): Promise<{ readonly status: number; readonly headers: object; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, page.url), { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (more: string) => {
        text += more;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    asked.once('error', reject);
    asked.end();
  });
}

describe('the server of the page', () => {
  test('listens on this machine alone, at a path that begins with a random token', async () => {
    expect(page.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/);
    // All 127.x addresses are of this machine: one that nobody listens at shows that the port is not open to all.
    await expect(fetch(page.url.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow();
  });

  test('keeps a number of connections: whoever opens more loses the old ones, and the page still answers', async () => {
    const sockets: Socket[] = [];
    const closed = new Set<Socket>();
    try {
      const port = Number(new URL(page.url).port);
      for (let n = 0; n < 200; n += 1) {
        const socket = connect({ host: '127.0.0.1', port });
        sockets.push(socket);
        socket.on('error', () => undefined);
        // One half of them has begun to ask, and never ends.
        if (n % 2 === 0) socket.write('GET / HTTP/1.1\r\n');
        socket.once('close', () => closed.add(socket));
      }
      await eventually(
        () => closed.size >= 200 - 64,
        () => `${closed.size} of ${sockets.length} connections are closed`,
      );
      expect((await ask('state')).status).toBe(200);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  test.each(['/', '/page.js', '/state', '/wrong/', '/wrong/state', '/wrong/restart', '//state'])(
    '%s without the token is not found',
    async (path) => {
      const { port } = new URL(page.url);
      for (const method of ['GET', 'POST']) {
        const { status, text } = await ask(`http://127.0.0.1:${port}${path}`, { method, headers: { 'x-keelson-token': token() } });
        expect([status, text]).toEqual([404, 'not found']);
      }
      expect(done).toEqual([]);
    },
  );

  test('a name of another host that leads here is refused, with the token too', async () => {
    const { port } = new URL(page.url);
    for (const host of [`evil.example.com:${port}`, '127.0.0.1', `127.0.0.1.evil.example.com:${port}`, 'localhost:1'])
      expect((await ask('state', { headers: { host } })).status).toBe(403);
    expect((await ask('state', { headers: { host: `localhost:${port}` } })).status).toBe(200);
  });

  test.each([
    ['', 200],
    ['page.js', 200],
    ['state', 200],
    ['nothing', 404],
    ['toString', 404],
    ['state/deeper', 404],
  ])('%j answers %d, and each answer forbids all that the page does not need', async (path, status) => {
    const answer = await ask(path);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('an action is a POST with the token in a header, from the page itself', async () => {
    const { port } = new URL(page.url);
    const headers = { 'x-keelson-token': token() };
    expect(await ask('restart', { headers })).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    expect((await ask('restart', { method: 'POST' })).status).toBe(403);
    expect((await ask('restart', { method: 'POST', headers: { 'x-keelson-token': `${token()}x` } })).status).toBe(403);
    expect((await ask('restart', { method: 'POST', headers: { ...headers, origin: 'https://evil.example.com' } })).status).toBe(403);
    expect((await ask('state', { method: 'POST', headers })).status).toBe(405);
    expect(done).toEqual([]);
    for (const action of ['restart', 'kill', 'disturb', 'stale'])
      expect((await ask(action, { method: 'POST', headers: { ...headers, origin: `http://127.0.0.1:${port}` } })).status).toBe(204);
    expect(done).toEqual(['gently', 'kill', 'requests fail now and then', "the operator's watches are held back"]);
  });

  const press = (path: string): ReturnType<typeof ask> => ask(path, { method: 'POST', headers: { 'x-keelson-token': token() } });

  test('one object is run again; one that no controller is for, and any while the operator starts, is refused with the reason', async () => {
    expect((await press('run?group=&kind=Thing&object=shop%2Fmain')).status).toBe(204);
    expect(done).toEqual(['runs [{"group":"","kind":"Thing","object":"shop/main"}]', 'Thing shop/main is run again']);
    expect(await press('run?group=apps&kind=Thing&object=shop%2Fmain')).toMatchObject({ status: 400, text: 'no controller is for Thing' });
    expect(await press('run')).toMatchObject({ status: 400, text: 'no controller is for an object without a kind' });
    state.isReady = false;
    expect(await press('run?group=&kind=Thing&object=a')).toMatchObject({
      status: 400,
      text: 'the operator is not ready: nothing is run again',
    });
    state.isReady = true;
  });

  test('time moves forward by a span that is a whole number of milliseconds, at most a year', async () => {
    for (const ms of ['', '0', '-1', '1.5', 'a', '1e12', 'Infinity'])
      expect(await press(`forward?ms=${ms}`)).toMatchObject({ status: 400, text: 'ms is a whole number from 1 to 31622400000' });
    const { version } = JSON.parse((await ask('state')).text) as { readonly version: string };
    expect((await press('forward?ms=3600000')).status).toBe(204);
    expect(JSON.parse((await ask(`state?known=${version}`)).text)).toMatchObject({ aheadMs: 3_600_000 });
    expect(done).toEqual(['the time has moved on by 60m']);
    state.aheadMs = 0;
  });

  test('what the operator has heard and answered is kept by object, at the time of the session', async () => {
    const { version } = JSON.parse((await ask('state')).text) as { readonly version: string };
    const before = Date.now();
    state.aheadMs = 3_600_000;
    page.heard([{ type: 'modified', object: 'Thing shop/main', resourceVersion: '7', isInitial: false }]);
    state.aheadMs = 0;
    page.reviewed({
      webhook: 'validating.things',
      objects: ['Thing shop/main', 'Thing shop/other'],
      operation: 'UPDATE',
      user: 'ada',
      isDryRun: false,
      result: 'refused',
      message: 'no',
      warnings: [],
      tookMs: 2,
    });
    expect((await ask(`state?known=${version}`)).status).toBe(200);
    const [event] = JSON.parse((await ask('events?of=Thing%20shop/main')).text) as readonly { readonly at: string }[];
    expect(event).toMatchObject({ type: 'modified', resourceVersion: '7' });
    expect(Date.parse(event?.at ?? '')).toBeGreaterThanOrEqual(before + 3_600_000);
    for (const name of ['main', 'other'])
      expect(JSON.parse((await ask(`calls?of=Thing%20shop/${name}`)).text)).toMatchObject([
        { webhook: 'validating.things', result: 'refused' },
      ]);
    expect(JSON.parse((await ask('calls?of=Thing%20shop/none')).text)).toEqual([]);
  });

  test('a server that is not ours has no button that disturbs it or moves its time', async () => {
    const { kinds, reconciled, owned } = { kinds: [THING], reconciled: [], owned: [] };
    const theirs = await startPage({
      cluster: { revision: 1, disturbances: undefined, time: undefined, objectsOf: async () => [] },
      session: { phase: 'ready', operator: 'things', kinds, reconciled, owned, runAgain: () => true, forward: () => false },
      restart: () => undefined,
      say: () => undefined,
    });
    try {
      expect(JSON.parse((await ask(`${theirs.url}state`)).text)).toMatchObject({ disturbances: null, aheadMs: null });
      for (const action of ['disturb', 'stale', 'forward?ms=1'])
        expect((await ask(`${theirs.url}${action}`, { method: 'POST' })).status).toBe(404);
    } finally {
      await theirs.close();
    }
  });

  test('the state has the tree and no field of a spec; it is sent again when something has changed', async () => {
    const { text } = await ask('state');
    const { version, objects } = JSON.parse(text) as { readonly version: string; readonly objects: readonly { readonly name: string }[] };
    expect(objects.map(({ name }) => name)).toEqual(['Thing shop/main', 'Thing shop/child']);
    expect(text).not.toContain('hidden');
    expect(await ask(`state?known=${version}`)).toMatchObject({ status: 204, text: '' });
    page.ran(run('shop/gone'));
    expect(JSON.parse((await ask(`state?known=${version}`)).text)).toMatchObject({ gone: ['Thing shop/gone'] });
    expect(JSON.parse((await ask('runs?of=Thing%20shop/gone')).text)).toEqual([run('shop/gone')]);
    expect(JSON.parse((await ask('runs?of=Thing%20shop/none')).text)).toEqual([]);
  });
});
