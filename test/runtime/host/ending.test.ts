import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InProcessCluster, TestCluster } from '@keelson/testing';
import { type Done, defineController, defineOperator, type Operator, validating } from 'keelson';
import { ConfigMap, Lease } from 'keelson/kinds';
import { RUNTIME_CONTRACT, RUNTIME_DEFAULTS, type RuntimeSettings } from '../../../src/keelson/definition/index.js';
import { CertificateAuthority } from '../../../src/kubernetes/certificates/index.js';
import { type RunOptions, run } from '../../../src/runtime/host/index.js';
import { ProcessEnding } from '../../../src/runtime/host/process-ending.js';
import { type Connection, connectionOf } from '../../../src/runtime/http/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { MemoryLog } from '../harness/running-controller.js';
import { Website, websiteOperator } from '../reconcile/website.js';
import { FakeProcess } from './fake-process.js';
import { TcpGate } from './tcp-gate.js';

const NAMESPACE = 'website-operator-system';
const SETTINGS: RuntimeSettings = { ...RUNTIME_DEFAULTS, leaseName: 'website-operator', metrics: undefined, healthPort: 0 };

let cluster: InProcessCluster;
let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'keelson-ending-'));
  cluster = await TestCluster.start({ operator: websiteOperator, webhooks: false, namespace: 'shop' });
});
afterAll(async () => {
  await cluster.close();
  rmSync(directory, { recursive: true });
});

function connection(url = cluster.server.url): Connection {
  const token = cluster.server.tokenFor({ username: 'operator', groups: ['system:masters', 'system:authenticated'] });
  return connectionOf({ server: url, ca: cluster.server.certificateAuthority, token });
}

interface Begun {
  readonly host: FakeProcess;
  readonly log: MemoryLog;
  readonly ended: Promise<void>;
}

function begin(options: RunOptions, operator: Operator = websiteOperator): Begun {
  const host = new FakeProcess({ POD_NAME: 'a', POD_NAMESPACE: NAMESPACE });
  const log = new MemoryLog();
  const ended = run(operator, { process: host, log, settings: SETTINGS, connection: connection(), processMetrics: false, ...options });
  return { host, log, ended };
}

describe('an API server that accepts connections and never answers', () => {
  let gate: TcpGate;
  afterEach(() => gate.close());

  test('at the start: it is waited for, and a signal ends that', async () => {
    gate = await TcpGate.start();
    const { host, log, ended } = begin({ connection: connection(gate.url) });
    await cluster.until(() => expect(gate.hung).toBeGreaterThan(1));
    host.emit('SIGTERM');
    await ended;
    expect([host.exitCode, host.exits, host.eventNames()]).toEqual([undefined, [], []]);
    expect(log.texts.filter((text) => /^error/.test(text))).toEqual([]);
  });

  test('while it works: leadership ends in time, said once, and a signal ends the process', async () => {
    gate = await TcpGate.start(Number(new URL(cluster.server.url).port));
    const clock = new FakeClock();
    const { host, log, ended } = begin({ connection: connection(gate.url), clock });
    await cluster.until(() => expect(log.texts).toContain('info reconciling'));
    gate.hang();
    clock.advance(10_000);
    await cluster.until(() => expect(log.texts).toContain('error leadership lost'));
    host.emit('SIGTERM');
    await ended;
    expect([host.exitCode, host.exits]).toEqual([undefined, []]);
    expect(log.texts.filter((text) => text === 'error leadership lost')).toHaveLength(1);
    await cluster.delete(Lease, { namespace: NAMESPACE, name: 'website-operator' });
  });

  test('at the end: the Lease is given up within its own time, and others are told to wait', async () => {
    gate = await TcpGate.start(Number(new URL(cluster.server.url).port));
    const clock = new FakeClock();
    const { host, log, ended } = begin({ connection: connection(gate.url), clock });
    await cluster.until(() => expect(log.texts).toContain('info reconciling'));
    gate.hang();
    host.emit('SIGTERM');
    // No time goes by on the operator's clock: none of its deadlines has any part in this.
    await ended;
    expect([host.exitCode, host.exits]).toEqual([undefined, []]);
    expect(log.texts.at(-1)).toBe('warn leadership could not be released; others wait until the lease has expired');
    await cluster.delete(Lease, { namespace: NAMESPACE, name: 'website-operator' });
  });
});

test.each(['SIGTERM', 'SIGINT'])('%s while it starts ends it as soon as it has started, with exit code 0', async (signal) => {
  const { host, log, ended } = begin({});
  host.emit(signal);
  await ended;
  expect([host.exitCode, host.exits, host.eventNames()]).toEqual([undefined, [], []]);
  expect(log.texts).toContain('info stopping');
  expect(log.texts).not.toContain('info reconciling');
});

test('an error that nobody caught while it starts ends it with exit code 1', async () => {
  const { host, log, ended } = begin({});
  host.emit('uncaughtException', new Error('no'));
  await ended;
  expect([host.exitCode, host.eventNames()]).toEqual([1, []]);
  expect(log.texts).toContain('error an uncaught error: the process ends');
});

test('a reconciler that hangs holds the end up for the time to drain, and no longer; a second signal does not wait for it', async () => {
  const hanging = defineOperator({
    name: 'website-operator',
    controllers: [defineController({ name: 'website', for: Website, reconcile: () => new Promise<Done>(() => undefined) })],
  });
  await cluster.create(Website({ metadata: { name: 'hangs' }, spec: {} }));
  for (const isImpatient of [false, true]) {
    const clock = new FakeClock();
    const { host, log, ended } = begin({ clock, settings: { ...SETTINGS, leaseName: undefined } }, hanging);
    await cluster.until(() => expect(log.texts).toContain('info reconciling'));
    await clock.timer((delayMs) => delayMs === 300_000);
    host.emit('SIGTERM');
    if (isImpatient) {
      host.emit('SIGTERM');
      expect(host.exits).toEqual([1]);
    }
    clock.advance(25_000);
    await ended;
    expect([host.exitCode, host.exits]).toEqual([undefined, isImpatient ? [1] : []]);
    expect(log.texts).toContain('warn what is under way is given up: the time to drain is over');
  }
  await cluster.delete(Website, 'hangs');
});

describe('the end of a process', () => {
  const ending = (operator: { stop(): Promise<void> }) => {
    const host = new FakeProcess();
    const clock = new FakeClock();
    const said: string[] = [];
    const end = new ProcessEnding({ host, clock, say: (message) => said.push(message) });
    end.listen();
    end.limit(25);
    end.of(operator);
    return { host, clock, said, end };
  };

  test('comes a second before the kubelet’s, whatever hangs, with a last word and exit code 1', () => {
    const { host, clock, said, end } = ending({ stop: () => new Promise(() => undefined) });
    host.emit('SIGTERM');
    clock.advance(28_999);
    expect(host.exits).toEqual([]);
    clock.advance(1);
    expect([host.exits, said]).toEqual([[1], ['the process does not come to its end and is ended: something hangs']]);
    jest.useFakeTimers();
    end.close();
    jest.useRealTimers();
  });

  test('has a limit before the settings are read', () => {
    const host = new FakeProcess();
    const clock = new FakeClock();
    const end = new ProcessEnding({ host, clock, say: () => undefined });
    end.listen();
    host.emit('SIGINT');
    const { drainSeconds, marginSeconds } = RUNTIME_CONTRACT.shutdown;
    clock.advance((drainSeconds + marginSeconds - 1) * 1_000 - 1);
    expect(host.exits).toEqual([]);
    clock.advance(1);
    expect(host.exits).toEqual([1]);
  });

  test('is begun once, whatever comes meanwhile, and reaches an operator that starts late', () => {
    let stops = 0;
    const operator = {
      stop: () => {
        stops += 1;
        return Promise.reject(new Error('it fails in its own way'));
      },
    };
    const { host, clock, said, end } = ending(operator);
    host.emit('unhandledRejection', new Error('a'));
    host.emit('uncaughtException', new Error('b'));
    host.emit('SIGTERM');
    expect([stops, host.exitCode, host.exits, clock.pending]).toEqual([1, 1, [], 1]);
    expect(said).toEqual(Array(2).fill('an uncaught error: the process ends'));
    end.of(operator);
    expect(stops).toBe(2);
  });

  test('leaves what goes on after the operator no more time than the kubelet does', () => {
    jest.useFakeTimers();
    const { host, clock, end } = ending({ stop: () => Promise.resolve() });
    host.emit('SIGTERM');
    clock.advance(28_000);
    end.close();
    jest.advanceTimersByTime(999);
    expect(host.exits).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(host.exits).toEqual([0]);
    jest.useRealTimers();
  });

  test.each([
    [0, undefined, 0],
    [1, 1, 1],
  ])('follows that of the operator, though a timer is left behind (exit code %i)', (_, exitCode, code) => {
    jest.useFakeTimers();
    const { host, clock, said, end } = ending({ stop: () => Promise.resolve() });
    host.emit('SIGTERM');
    host.exitCode = exitCode;
    end.close();
    expect([host.eventNames(), clock.pending]).toEqual([[], 0]);
    jest.advanceTimersByTime(4_999);
    expect(host.exits).toEqual([]);
    jest.advanceTimersByTime(1);
    expect([host.exits, said]).toEqual([[code], ['the operator has ended, but something keeps the process alive: it is ended']]);
    jest.useRealTimers();
  });
});

test.each<[string, Partial<RuntimeSettings>, string]>([
  ['plain', { metrics: { port: 0, secure: false } }, 'serve metrics securely, or leave profiles off'],
  ['off', { metrics: undefined }, 'serve metrics securely, or leave profiles off'],
])('profiles end the start with exit code 1 where metrics are %s', async (_, settings, text) => {
  const { host, log, ended } = begin({ settings: { ...SETTINGS, ...settings, profiles: true } });
  await ended;
  expect([host.exitCode, host.eventNames()]).toEqual([1, []]);
  expect(String(log.lines.at(-1)?.fields['error'])).toContain(text);
});

describe('a port that is taken ends it with exit code 1, and says which', () => {
  const server = createServer();
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));

  test.each<[string, (taken: number) => Partial<RuntimeSettings>, string]>([
    ['probes', (taken) => ({ healthPort: taken }), 'probes: port'],
    ['metrics', (taken) => ({ metrics: { port: taken, secure: false } }), 'metrics: port'],
  ])('%s', async (_, settings, text) => {
    const { host, log, ended } = begin({ settings: { ...SETTINGS, ...settings(port) } });
    await ended;
    expect([host.exitCode, host.eventNames()]).toEqual([1, []]);
    const [last] = log.lines.slice(-1);
    expect(last).toMatchObject({ level: 'error', message: 'the operator cannot start', fields: { operator: 'website-operator' } });
    expect(String(last?.fields['error'])).toContain(`${text} ${port} cannot be listened on`);
  });

  test('webhooks: and the work that goes on is drained', async () => {
    const pair = CertificateAuthority.create({ commonName: 'test' }).issueServing({ dnsNames: ['hook.test.svc'] });
    writeFileSync(join(directory, 'tls.crt'), pair.certificate);
    writeFileSync(join(directory, 'tls.key'), pair.privateKey);
    const settings: RuntimeSettings = { ...SETTINGS, webhookPort: port, certificates: { mode: 'mounted', directory } };
    const { host, log, ended } = begin({ settings }, withWebhook);
    await ended;
    expect([host.exitCode, host.eventNames()]).toEqual([1, []]);
    const [last] = log.lines.slice(-1);
    expect(last).toMatchObject({ level: 'error', message: 'the operator cannot go on' });
    expect(String(last?.fields['error'])).toContain(`webhooks cannot be served at port ${port}`);
  });
});

const withWebhook = defineOperator({
  name: 'website-operator',
  controllers: [defineController({ name: 'website', for: Website, owns: { configs: ConfigMap }, reconcile: ({ done }) => done() })],
  webhooks: [validating(Website, () => [])],
});

describe('a certificate that cannot be read', () => {
  test('for webhooks is waited for, and says which; a signal ends that', async () => {
    const settings: RuntimeSettings = {
      ...SETTINGS,
      webhookPort: 0,
      certificates: { mode: 'mounted', directory: join(directory, 'nowhere') },
    };
    const { host, log, ended } = begin({ settings }, withWebhook);
    await cluster.until(() => expect(log.texts).toContain('warn there is no serving certificate yet'));
    const [told] = log.lines.filter(({ level }) => level === 'warn');
    expect(String(told?.fields['problem'])).toContain(join(directory, 'nowhere'));
    host.emit('SIGTERM');
    await ended;
    expect([host.exitCode, host.exits]).toEqual([undefined, []]);
  });
});
