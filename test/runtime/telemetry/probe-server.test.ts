import { connect } from 'node:net';
import { type HealthCheck, ProbeServer, TelemetryServerError } from '../../../src/runtime/telemetry/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { fetched, keptLog } from './fetching.js';

const problems: Record<string, string | undefined> = {};
const check = (name: string): HealthCheck => ({ name, problem: () => problems[name] });

let clock: FakeClock;
let server: ProbeServer;
let url: string;
let kept: ReturnType<typeof keptLog>;

beforeEach(async () => {
  for (const name of Object.keys(problems)) delete problems[name];
  clock = new FakeClock();
  kept = keptLog();
  const readiness: HealthCheck[] = [
    check('caches'),
    check('certificate'),
    { name: 'slow', problem: () => (problems['slow'] === undefined ? undefined : new Promise<never>(() => {})) },
    {
      name: 'broken',
      problem: () => {
        if (problems['broken'] !== undefined) throw new Error(problems['broken']);
        return undefined;
      },
    },
  ];
  server = new ProbeServer({ port: 0, host: '127.0.0.1', clock, log: kept.log, readiness });
  url = `http://127.0.0.1:${(await server.start()).port}`;
});

afterEach(() => server.stop());

test('a start is over when all that readiness asks for passes, and stays so', async () => {
  problems['caches'] = 'not synced';
  expect(await fetched(`${url}/startupz`)).toMatchObject({ status: 500, text: 'it is starting: /readyz does not pass yet\n' });
  problems['caches'] = undefined;
  expect(await fetched(`${url}/startupz`)).toMatchObject({ status: 200, text: 'ok' });
  problems['caches'] = 'not synced';
  expect(await fetched(`${url}/startupz`)).toMatchObject({ status: 200 });
  expect(kept.lines).toEqual([]);
});

test('a start does not last longer than 30 seconds: what is not ready then is not restarted for it', async () => {
  problems['caches'] = 'not synced';
  clock.advance(29_999);
  expect(await fetched(`${url}/startupz`)).toMatchObject({ status: 500 });
  clock.advance(1);
  expect(await fetched(`${url}/startupz`)).toMatchObject({ status: 200 });
});

test('the 30 seconds begin with the server, not with the clock', async () => {
  clock.advance(60_000);
  problems['caches'] = 'not synced';
  const late = new ProbeServer({ port: 0, host: '127.0.0.1', clock, log: kept.log, readiness: [check('caches')] });
  const { port } = await late.start();
  try {
    expect(await fetched(`http://127.0.0.1:${port}/startupz`)).toMatchObject({ status: 500 });
  } finally {
    await late.stop();
  }
});

test('a check that is only shown takes nothing out of service: it fails, is logged, and decides alone where it is asked for', async () => {
  const readiness = [check('webhooks'), { ...check('caches'), isOnlyShown: true }];
  const shown = new ProbeServer({ port: 0, host: '127.0.0.1', clock, log: kept.log, readiness });
  const at = `http://127.0.0.1:${(await shown.start()).port}`;
  try {
    problems['caches'] = 'not synced';
    expect((await fetched(`${at}/startupz`)).status).toBe(200);
    expect(await fetched(`${at}/readyz`)).toMatchObject({ status: 200, text: 'ok' });
    expect(await fetched(`${at}/readyz?verbose`)).toMatchObject({
      status: 200,
      text: '[+]webhooks ok\n[-]caches failed: reason withheld; it does not decide\nreadyz check passed\n',
    });
    expect(await fetched(`${at}/readyz/caches`)).toMatchObject({
      status: 500,
      text: '[-]caches failed: reason withheld\ncaches check failed\n',
    });
    expect(kept.lines).toEqual(['warn readyz: a check fails {"check":"caches","problem":"not synced"}']);
    problems['webhooks'] = 'no certificate';
    expect((await fetched(`${at}/readyz`)).status).toBe(500);
  } finally {
    await shown.stop();
  }
});

test('all is well', async () => {
  expect(await fetched(`${url}/healthz`)).toMatchObject({ status: 200, text: 'ok' });
  expect(await fetched(`${url}/readyz`)).toMatchObject({ status: 200, text: 'ok' });
  expect((await fetched(`${url}/readyz?verbose`)).text).toBe(
    '[+]caches ok\n[+]certificate ok\n[+]slow ok\n[+]broken ok\nreadyz check passed\n',
  );
  expect(kept.lines).toEqual([]);
});

test('a check that fails shows by name, its reason is for the log, once, and its end too', async () => {
  problems['caches'] = 'pods: Forbidden for me';
  for (let time = 0; time < 3; time += 1) {
    const { status, text } = await fetched(`${url}/readyz`);
    expect(status).toBe(500);
    expect(text).toBe('[-]caches failed: reason withheld\n[+]certificate ok\n[+]slow ok\n[+]broken ok\nreadyz check failed\n');
  }
  problems['caches'] = undefined;
  expect((await fetched(`${url}/readyz`)).status).toBe(200);
  expect(kept.lines).toEqual([
    'warn readyz: a check fails {"check":"caches","problem":"pods: Forbidden for me"}',
    'info readyz: a check is well again {"check":"caches"}',
  ]);
});

test('checks can be asked one at a time and left out, as of the API server', async () => {
  problems['caches'] = 'not synced';
  expect((await fetched(`${url}/readyz/caches`)).status).toBe(500);
  expect(await fetched(`${url}/readyz/certificate?verbose`)).toMatchObject({
    status: 200,
    text: '[+]certificate ok\ncertificate check passed\n',
  });
  const { status, text } = await fetched(`${url}/readyz?verbose&exclude=caches&exclude=nothing`);
  expect(status).toBe(200);
  expect(text).toBe(
    '[+]caches excluded: ok\n[+]certificate ok\n[+]slow ok\n[+]broken ok\nwarn: some health checks cannot be excluded: no matches for "nothing"\nreadyz check passed\n',
  );
});

test('a check that throws or hangs fails alone, within its time', async () => {
  problems['broken'] = 'it broke';
  problems['slow'] = 'hangs';
  const waiting = fetched(`${url}/readyz`);
  await clock.timer((delayMs) => delayMs === 3_000);
  clock.advance(3_000);
  expect((await waiting).text).toBe(
    '[+]caches ok\n[+]certificate ok\n[-]slow failed: reason withheld\n[-]broken failed: reason withheld\nreadyz check failed\n',
  );
  expect(kept.lines.join()).toContain('no answer within 3000 ms');
});

test('H27 liveness does not depend on what the API server does: readiness alone does', async () => {
  for (let second = 0; second < 60; second += 1) {
    problems['caches'] = second % 2 === 0 ? 'the watch is interrupted' : undefined;
    clock.advance(1_000);
    expect((await fetched(`${url}/healthz`)).status).toBe(200);
    expect((await fetched(`${url}/readyz`)).status).toBe(second % 2 === 0 ? 500 : 200);
  }
});

describe('H58 an event loop that is blocked', () => {
  test('beyond the bound fails liveness, at once and for half a minute', async () => {
    clock.advance(5_000);
    clock.block(10_600);
    expect(await fetched(`${url}/healthz`)).toMatchObject({
      status: 500,
      text: '[-]event-loop failed: reason withheld\nhealthz check failed\n',
    });
    clock.advance(29_000);
    expect((await fetched(`${url}/healthz`)).status).toBe(500);
    clock.advance(1_500);
    expect((await fetched(`${url}/healthz`)).status).toBe(200);
    expect(kept.lines.join('\n')).toContain('the event loop was blocked');
  });

  test('again and again fails every probe, also when each probe comes between two delays', async () => {
    for (let time = 0; time < 5; time += 1) {
      clock.block(12_000);
      clock.advance(8_000);
      expect((await fetched(`${url}/healthz`)).status).toBe(500);
    }
  });

  test('for less is told once a minute and fails nothing', async () => {
    for (let time = 0; time < 5; time += 1) {
      clock.block(5_000);
      clock.advance(500);
    }
    expect((await fetched(`${url}/healthz`)).status).toBe(200);
    expect(kept.lines.filter((line) => line.includes('was blocked'))).toHaveLength(1);
  });
});

describe('the port', () => {
  test('knows nothing else', async () => {
    expect((await fetched(`${url}/`)).status).toBe(404);
    expect((await fetched(`${url}/readyz/unknown`)).status).toBe(404);
    expect((await fetched(`${url}/readyz/caches/more`)).status).toBe(404);
    expect((await fetched(`${url}/metrics`)).status).toBe(404);
    expect(await fetched(`${url}/readyz`, { method: 'POST', body: 'x'.repeat(100_000) })).toMatchObject({ status: 405 });
    expect((await fetched(`${url}/readyz`, { method: 'HEAD' })).status).toBe(200);
  });

  test('takes no headers beyond 16 KiB', async () => {
    expect((await fetched(`${url}/readyz`, { headers: { long: 'x'.repeat(20_000) } })).status).toBe(431);
  });

  test('that is taken is an error which names it', async () => {
    const port = Number(new URL(url).port);
    const second = new ProbeServer({ port, host: '127.0.0.1', clock, log: kept.log });
    await expect(second.start()).rejects.toThrow(TelemetryServerError);
    await expect(second.start()).rejects.toThrow(`port ${port}`);
    await second.stop();
  });

  test('H64 is closed by stop, with its timers and its idle connections, and stop may come twice', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('GET /readyz HTTP/1.1\r\nhost: a\r\n'); // a request that never ends
    await fetched(`${url}/readyz`);
    const stopped = server.stop();
    await clock.timer((delayMs) => delayMs === 1_000);
    clock.advance(1_000);
    await Promise.all([stopped, closed]);
    await server.stop();
    expect(clock.pending).toBe(0);
    await expect(fetched(`${url}/readyz`)).rejects.toThrow('ECONNREFUSED');
  });
});
