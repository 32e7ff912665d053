import { getEventListeners } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '../../../src/kubernetes/certificates/index.js';
import type { CertificateManagerOptions } from '../../../src/runtime/certificate-manager/index.js';
import { Replica } from './managed.js';

/** A server whose answers the test ends one by one. */
function scriptedClient() {
  const asked: { readonly signal: AbortSignal; readonly fail: (error: Error) => void }[] = [];
  const client = {
    get: (_kind: unknown, _key: unknown, { signal }: { readonly signal: AbortSignal }) =>
      new Promise((_, reject) => {
        asked.push({ signal, fail: reject });
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  } as unknown as NonNullable<CertificateManagerOptions['client']>;
  return { asked, client };
}

function flush(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keelson-waiting-'));
  const { certificate, privateKey } = CertificateAuthority.create({ commonName: 'issuer' }).issueServing({ dnsNames: ['a.b.svc'] });
  writeFileSync(join(directory, 'tls.crt'), certificate);
  writeFileSync(join(directory, 'tls.key'), privateKey);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('a wait for a certificate that is ended says why, and leaves no listener', async () => {
  const { client } = scriptedClient();
  const { manager } = new Replica({ client });
  manager.start();
  const waiting = new AbortController();
  const ready = manager.ready(waiting.signal);
  expect(getEventListeners(waiting.signal, 'abort')).toHaveLength(1);
  waiting.abort(new Error('enough'));
  await expect(ready).rejects.toThrow('enough');
  expect(getEventListeners(waiting.signal, 'abort')).toEqual([]);
  await manager.stop();
});

test('who has waited for a certificate leaves no listener, and need not wait again', async () => {
  const { manager } = new Replica({ settings: { mode: 'mounted', directory } });
  const { signal } = new AbortController();
  const ready = manager.ready(signal);
  manager.start();
  await ready;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  await manager.ready(AbortSignal.abort(new Error('too late')));
  await manager.stop();
});

test('who waits when the manager is stopped leaves no listener', async () => {
  const { manager } = new Replica({ client: scriptedClient().client });
  const { signal } = new AbortController();
  const ready = manager.ready(signal);
  await manager.stop();
  await expect(ready).rejects.toThrow('the certificate manager was stopped before it had a certificate');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a look that the stop breaks off has not failed', async () => {
  const { client, asked } = scriptedClient();
  const { manager, log, told, clock } = new Replica({ client });
  manager.start();
  await flush();
  expect(asked).toHaveLength(1);
  await manager.stop();
  expect(asked[0]?.signal.aborted).toBe(true);
  expect([log.lines, told, clock.pending]).toEqual([[], [], 0]);
});

test('a second start is the same one', async () => {
  const { client, asked } = scriptedClient();
  const { manager } = new Replica({ client });
  manager.start();
  manager.start();
  await flush();
  expect(asked).toHaveLength(1);
  await manager.stop();
});

test('without a certificate the problem says why, as soon as it is known; it is a warning once, until it is another', async () => {
  const { client, asked } = scriptedClient();
  const { manager, log, told, clock } = new Replica({ client });
  expect(manager.problem).toBe('there is no serving certificate yet');
  manager.start();
  for (const problem of ['no route', 'no route', 'no name']) {
    await flush();
    asked.at(-1)?.fail(new Error(problem));
    await clock.timer(() => true);
    expect(manager.problem).toBe(`there is no serving certificate yet: ${problem}`);
    clock.advance(10_000);
  }
  expect(log.lines.map(({ level, fields }) => `${level} ${String(fields['problem'])}`)).toEqual([
    'warn no route',
    'debug no route',
    'warn no name',
  ]);
  expect(told).toEqual(['failed', 'failed', 'failed']);
  await manager.stop();
});

test('looks are up to a fifth further apart, so that replicas do not look together', async () => {
  const mounted = new Replica({ settings: { mode: 'mounted', directory }, random: () => 0.5 });
  mounted.manager.start();
  await mounted.pause((ms) => ms === 11_000);
  await mounted.manager.stop();
  const { client, asked } = scriptedClient();
  const failing = new Replica({ client, random: () => 1, checkMs: 900 });
  failing.manager.start();
  for (const ms of [600, 1_080, 1_080]) {
    await flush();
    asked.at(-1)?.fail(new Error('no route'));
    await failing.pause((delayMs) => delayMs === ms);
    failing.clock.advance(ms);
  }
  await failing.manager.stop();
});

test('a listener that has been taken away is not called, and the same certificate is told once', async () => {
  const replica = new Replica({ settings: { mode: 'mounted', directory } });
  const [stays, goes] = [jest.fn(), jest.fn()];
  replica.manager.onChange(stays);
  replica.manager.onChange(goes)();
  replica.manager.start();
  await replica.look();
  await replica.look();
  expect(stays.mock.calls).toEqual([[replica.manager.current]]);
  expect(goes).not.toHaveBeenCalled();
  await replica.manager.stop();
});
