import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect } from 'node:net';
import { CertificateAuthority } from '../../../src/kubernetes/certificates/index.js';
import { InternalError } from '../../../src/runtime/client/index.js';
import { Journal } from '../../../src/runtime/journal/index.js';
import { Metrics, MetricsServer, type MetricsServerOptions, TelemetryServerError } from '../../../src/runtime/telemetry/index.js';
import { eventually } from '../../eventually.js';
import { FakeClock } from '../clock/fake-clock.js';
import { type Fetched, fetched, keptLog } from './fetching.js';

interface Review {
  readonly spec: {
    readonly token?: string;
    readonly user?: string;
    readonly nonResourceAttributes?: { readonly path: string; readonly verb: string };
  };
}

/** Reviews as an API server answers them: `good` is alice, who may read `allowed`. */
class Reviewer {
  readonly asked: string[] = [];
  readonly allowed = new Set(['/metrics']);
  isDown = false;
  hold: Promise<void> = Promise.resolve();

  readonly client = {
    create: async (kind: { readonly kind: string }, { spec }: Review) => {
      this.asked.push(
        `${kind.kind} ${spec.token ?? `${spec.user ?? ''} ${spec.nonResourceAttributes?.verb ?? ''} ${spec.nonResourceAttributes?.path ?? ''}`}`,
      );
      await this.hold;
      if (this.isDown) {
        const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'etcd is down', code: 500 } as const;
        throw new InternalError({ request: 'POST', status, httpStatus: 500 });
      }
      if (kind.kind === 'SubjectAccessReview') {
        const { verb, path } = spec.nonResourceAttributes ?? { verb: '', path: '' };
        return { status: { allowed: verb === 'get' && this.allowed.has(path) } };
      }
      const authenticated = spec.token === 'good';
      return {
        status: { authenticated, ...(authenticated ? { user: { username: 'alice', uid: '1', groups: ['readers'] } } : { error: 'no' }) },
      };
    },
  } as unknown as NonNullable<MetricsServerOptions['secure']>['client'];
}

const running: MetricsServer[] = [];

interface Scene {
  readonly server: MetricsServer;
  readonly reviewer: Reviewer;
  readonly clock: FakeClock;
  readonly lines: string[];
  readonly port: number;
  get(path: string, token?: string, more?: object): Promise<Fetched>;
}

async function scene(options: Partial<MetricsServerOptions> = {}, isSecure = true): Promise<Scene> {
  const reviewer = new Reviewer();
  const clock = new FakeClock();
  const { log, lines } = keptLog();
  const metrics = await Metrics.create({ processMetrics: false });
  const secure = isSecure ? { secure: { client: reviewer.client, ...options.secure } } : {};
  const server = new MetricsServer({ port: 0, host: '127.0.0.1', metrics, clock, log, ...options, ...secure });
  running.push(server);
  const { port } = await server.start();
  const get: Scene['get'] = (path, token, more = {}) =>
    fetched(`${isSecure ? 'https' : 'http'}://127.0.0.1:${port}${path}`, {
      rejectUnauthorized: false,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...more,
    } as object);
  return { server, reviewer, clock, lines, port, get };
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

test('plain: everybody reads metrics, and there is nothing else', async () => {
  const { get } = await scene({}, false);
  const { status, text, headers } = await get('/metrics');
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(text).toContain('# TYPE controller_runtime_reconcile_total counter');
  for (const path of ['/', '/debug/pprof/heap', '/debug/pprof/profile']) expect((await get(path)).status).toBe(404);
});

test('scrapes at once are one reading', async () => {
  let readings = 0;
  let begun = 0;
  const onBegin = (): void => {
    begun += 1;
  };
  subscribe('http.server.request.start', onBegin);
  const text = async (): Promise<{ contentType: string; body: string }> => {
    readings += 1;
    const reading = readings;
    await eventually(() => begun === 5);
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return { contentType: 'text/plain', body: `reading ${reading}` };
  };
  const { port } = await scene({ metrics: { text } }, false);
  const scrapes = Array.from({ length: 5 }, async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  });
  const answers = (await Promise.all(scrapes)).map(async (socket) => {
    socket.write('GET /metrics HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    return answer.match(/reading \d/)?.[0];
  });
  expect(await Promise.all(answers)).toEqual(Array(5).fill('reading 1'));
  unsubscribe('http.server.request.start', onBegin);
});

/** Reviews that wait for the test, and readers at other addresses of the loopback interface. */
function lateReviews(get: Scene['get'], reviewer: Reviewer) {
  let release = (): void => {};
  reviewer.hold = new Promise((resolve) => {
    release = resolve;
  });
  const statuses: number[] = [];
  const from = async (localAddress: string, token: string): Promise<number> => {
    const { status } = await get('/metrics', token, { localAddress });
    statuses.push(status);
    return status;
  };
  return { from, statuses, release };
}

describe('secure', () => {
  test('whom the API server knows and allows reads; all others get what they deserve', async () => {
    const { get, reviewer } = await scene();
    expect(await get('/metrics')).toMatchObject({ status: 401, text: 'Unauthorized\n' });
    expect((await get('/metrics', undefined, { headers: { authorization: 'Basic Z29vZDpnb29k' } })).status).toBe(401);
    expect(reviewer.asked).toEqual([]);
    expect((await get('/metrics', 'bad')).status).toBe(401);
    expect((await get('/metrics', 'good')).status).toBe(200);
    expect(await get('/other', 'good')).toMatchObject({ status: 403, text: 'Authorization denied for user alice\n' });
    expect((await get('/other', 'bad')).status).toBe(401);
    expect(reviewer.asked).toEqual([
      'TokenReview bad',
      'TokenReview good',
      'SubjectAccessReview alice get /metrics',
      'SubjectAccessReview alice get /other',
    ]);
  });

  test('a token is asked about once a minute, a permission every five minutes, a refusal every half', async () => {
    const { get, reviewer, clock } = await scene();
    const askedBy = async (path: string, times: number, everyMs: number): Promise<string[]> => {
      reviewer.asked.length = 0;
      for (let time = 0; time < times; time += 1) {
        await get(path, 'good');
        clock.advance(everyMs);
      }
      return reviewer.asked.map((asked) => asked.split(' ')[0] ?? '');
    };
    const count = (asked: string[], kind: string): number => asked.filter((one) => one === kind).length;
    const read = await askedBy('/metrics', 40, 15_000);
    expect([count(read, 'TokenReview'), count(read, 'SubjectAccessReview')]).toEqual([10, 2]);
    const refused = await askedBy('/other', 8, 15_000);
    expect([count(refused, 'TokenReview'), count(refused, 'SubjectAccessReview')]).toEqual([2, 4]);
  });

  test('an API server that does not answer lets nobody in, and its failure is not remembered', async () => {
    const { get, reviewer, lines } = await scene();
    reviewer.isDown = true;
    expect((await get('/metrics', 'good')).status).toBe(500);
    reviewer.isDown = false;
    expect((await get('/metrics', 'good')).status).toBe(200);
    expect(lines).toHaveLength(1);
    expect(lines.join()).not.toContain('good');
  });

  test('made-up tokens of one address are looked up three at a time, and keep no reader of another address out', async () => {
    const { get, reviewer } = await scene();
    const { from, statuses, release } = lateReviews(get, reviewer);
    const strangers = Array.from({ length: 20 }, (_, index) => from('127.0.0.1', `made-up-${index}`));
    await eventually(() => statuses.length === 17);
    expect([reviewer.asked.length, new Set(statuses)]).toEqual([3, new Set([503])]);
    const reader = from('127.0.0.2', 'good');
    await eventually(() => statuses.length > 17 || reviewer.asked.includes('TokenReview good'));
    release();
    expect(await reader).toBe(200);
    await Promise.all(strangers);
  });

  test('made-up tokens of all addresses are looked up ten at a time: the API server is not flooded', async () => {
    const { get, reviewer } = await scene();
    const { from, statuses, release } = lateReviews(get, reviewer);
    const strangers = Array.from({ length: 30 }, (_, index) => from(`127.0.1.${index + 1}`, `made-up-${index}`));
    await eventually(() => statuses.length === 20);
    release();
    await Promise.all(strangers);
    expect(reviewer.asked).toHaveLength(10);
    expect(statuses).toEqual([...Array<number>(20).fill(503), ...Array<number>(10).fill(401)]);
  });

  test('a metric that cannot be read is an error in the log, and the next reading is tried anew', async () => {
    let isBroken = true;
    const metrics = {
      text: () => (isBroken ? Promise.reject(new Error('collect failed')) : Promise.resolve({ contentType: 'text/plain', body: 'ok' })),
    };
    const { get, lines } = await scene({ metrics });
    expect(await get('/metrics', 'good')).toMatchObject({ status: 500, text: 'internal error; the log says which\n' });
    isBroken = false;
    expect((await get('/metrics', 'good')).status).toBe(200);
    expect(lines).toHaveLength(1);
  });

  test('the given certificate serves, and another one as soon as it is there', async () => {
    const first = CertificateAuthority.create({ commonName: 'first' });
    const second = CertificateAuthority.create({ commonName: 'second' });
    const names = { ipAddresses: ['127.0.0.1'] };
    const reviewer = new Reviewer();
    const { get, server } = await scene({ secure: { client: reviewer.client, certificate: first.issueServing(names) } });
    const by = (ca: CertificateAuthority): object => ({
      rejectUnauthorized: true,
      ca: ca.certificate,
      headers: { authorization: 'Bearer good' },
    });
    expect((await get('/metrics', 'good', by(first))).status).toBe(200);
    server.setCertificate(second.issueServing(names));
    expect((await get('/metrics', 'good', by(second))).status).toBe(200);
    await expect(get('/metrics', 'good', by(first))).rejects.toThrow();
  });
});

describe('the journal', () => {
  const journal = new Journal();
  const start = { id: 'x', kind: 'Website', startedAt: new Date(0), triggers: [{ cause: 'object' as const }], queuedMs: 3, attempt: 1 };
  for (const object of ['shop/a', 'shop/b'])
    journal.begin({ ...start, controller: 'website', object }).end({ result: 'success', tookMs: 2 });

  test('is read by whom the API server lets, as text or JSON', async () => {
    const { get, reviewer } = await scene({ journal });
    expect((await get('/journal')).status).toBe(401);
    expect((await get('/journal', 'good')).status).toBe(403);
    expect(reviewer.asked).toHaveLength(2);
    const { get: allowed, reviewer: other } = await scene({ journal });
    other.allowed.add('/journal');
    const both = (await allowed('/journal', 'good')).text;
    expect(both).toContain('Website shop/a (x)');
    expect(both).toContain('Website shop/b (x)');
    const runs = async (query: string): Promise<unknown> => JSON.parse((await allowed(`/journal?format=json&${query}`, 'good')).text);
    expect(await runs('controller=website')).toHaveLength(2);
    expect(await runs('controller=other')).toEqual([]);
  });

  test('of one object has a path of its own, and a right', async () => {
    const { get, reviewer } = await scene({ journal });
    reviewer.allowed.add('/journal/Website/shop/b').add('/journal/Website/%73hop/b').add('/journal/Website/shop').add('/journal/Website/');
    expect((await get('/journal/Website/shop/b', 'good')).text).toBe(
      '1970-01-01T00:00:00.000Z website: Website shop/b (x)\n  because of object; queued 3 ms\n  success after 2 ms\n',
    );
    expect((await get('/journal/Website/shop/a', 'good')).status).toBe(403);
    expect((await get('/journal/Website/shop/b?format=json', 'good')).headers['content-type']).toBe('application/json');
    // The right was asked for the path as it came.
    for (const other of ['/journal/Website/%73hop/b', '/journal/Website/shop', '/journal/Website/'])
      expect((await get(`${other}?format=json`, 'good')).text).toBe('[]');
  });

  test('is not there without one, nor without authorization', async () => {
    const { get, reviewer } = await scene();
    reviewer.allowed.add('/journal');
    expect(await get('/journal', 'good')).toMatchObject({
      status: 404,
      text: 'no journal is kept; start the process with KEELSON_JOURNAL=true\n',
    });
    expect((await (await scene({ journal }, false)).get('/journal')).status).toBe(404);
  });
});

describe('profiles', () => {
  test('are off by default, and never served without authorization', async () => {
    const { get, reviewer } = await scene();
    reviewer.allowed.add('/debug/pprof/heap');
    expect((await get('/debug/pprof/heap', 'good')).status).toBe(404);
    await expect(scene({ profiles: true }, false)).rejects.toThrow(TelemetryServerError);
  });

  test('need a right of their own', async () => {
    const { get } = await scene({ profiles: true });
    expect((await get('/debug/pprof/heap')).status).toBe(401);
    expect((await get('/debug/pprof/heap', 'good')).status).toBe(403);
    expect((await get('/debug/pprof/profile?seconds=1', 'good')).status).toBe(403);
  });

  test('of the processor are taken for as long as asked, one at a time', async () => {
    const { get, reviewer, clock } = await scene({ profiles: true });
    reviewer.allowed.add('/debug/pprof/profile');
    for (const seconds of ['0', '-1', '301', 'x']) expect((await get(`/debug/pprof/profile?seconds=${seconds}`, 'good')).status).toBe(400);
    const taking = get('/debug/pprof/profile?seconds=7', 'good');
    await clock.timer((delayMs) => delayMs === 7_000);
    expect((await get('/debug/pprof/profile', 'good')).status).toBe(503);
    clock.advance(7_000);
    const { status, text, headers } = await taking;
    expect(status).toBe(200);
    expect(headers['content-disposition']).toContain('.cpuprofile');
    expect(JSON.parse(text)).toMatchObject({ nodes: expect.any(Array) as unknown[], samples: expect.any(Array) as unknown[] });
    expect(clock.pending).toBe(0);
  });

  test('that nobody waits for any more end', async () => {
    const { get, server, reviewer, clock } = await scene({ profiles: true });
    reviewer.allowed.add('/debug/pprof/profile');
    const taking = get('/debug/pprof/profile?seconds=60', 'good').catch(() => 'cut off');
    await clock.timer((delayMs) => delayMs === 60_000);
    const stopped = server.stop();
    await clock.timer((delayMs) => delayMs === 1_000);
    clock.advance(1_000);
    expect(await taking).toBe('cut off');
    await stopped;
    expect(clock.pending).toBe(0);
  });

  test('of the heap come as a snapshot', async () => {
    const { get, reviewer } = await scene({ profiles: true });
    reviewer.allowed.add('/debug/pprof/heap');
    const { status, text, headers } = await get('/debug/pprof/heap', 'good');
    expect(status).toBe(200);
    expect(headers['content-length']).toBeUndefined();
    expect(text.slice(0, 13)).toBe('{"snapshot":{');
    expect(text.trimEnd().endsWith('}')).toBe(true);
  });
});
