import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '../../../src/kubernetes/certificates/index.js';
import { ClientAuthority } from '../../../src/runtime/host/client-authority.js';
import { FakeClock } from '../clock/fake-clock.js';
import { MemoryLog } from '../harness/running-controller.js';

const [FIRST, SECOND] = ['first', 'second'].map((commonName) => CertificateAuthority.create({ commonName }).certificate) as [
  string,
  string,
];
const clock = new FakeClock();
const log = new MemoryLog();
let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keelson-clients-'));
  file = join(directory, 'ca.crt');
});
afterEach(() => rmSync(directory, { recursive: true }));

test.each([
  ['is missing', undefined, /cannot be read: ENOENT.*give a file with certificates in PEM/],
  ['is empty', '', /ca\.crt: holds no certificate/],
  ['holds no PEM', 'ca', /holds no certificate/],
  ['is damaged', FIRST.replace(/\n[A-Za-z]{4}/, '\nAAAA'), /a certificate cannot be read/],
])('without it everybody would be answered: a file that %s ends the start', async (_, text, message) => {
  if (text !== undefined) writeFileSync(file, text);
  await expect(new ClientAuthority({ file, clock, log }).read()).rejects.toThrow(message);
});

test('a file that changes is followed; one that cannot be used leaves the last in use', async () => {
  writeFileSync(file, `# ours\n${FIRST}`);
  const clients = new ClientAuthority({ file, clock, log });
  expect((await clients.read()).trim()).toBe(FIRST.trim());
  const seen: string[] = [];
  let next: () => void = () => undefined;
  clients.follow((authority) => {
    seen.push(authority.trim());
    next();
  });
  writeFileSync(file, 'damaged');
  clock.advance(60_000);
  await clock.timer((delayMs) => delayMs === 60_000);
  while (!log.texts.some((text) => text.includes('the last one stays in use'))) await new Promise((resolve) => setImmediate(resolve));
  const changed = new Promise<void>((resolve) => {
    next = resolve;
  });
  writeFileSync(file, SECOND);
  while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
  clock.advance(60_000);
  await changed;
  expect(seen).toEqual([SECOND.trim()]);
  while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
  clients.stop();
  expect(clock.pending).toBe(0);
});
