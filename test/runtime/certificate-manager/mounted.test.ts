import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority, type KeyPair } from '../../../src/kubernetes/certificates/index.js';
import { DatedClock, Replica } from './managed.js';

const AUTHORITY = CertificateAuthority.create({ commonName: 'issuer' });
const pair = (validity: { notBefore?: Date; notAfter?: Date } = {}): KeyPair =>
  AUTHORITY.issueServing({ dnsNames: ['a.b.svc'], ...validity });

let directory: string;
let replica: Replica;
let version = 0;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keelson-mounted-'));
});
afterEach(async () => {
  await replica.manager.stop();
  rmSync(directory, { recursive: true, force: true });
});

function write({ certificate, privateKey }: Partial<KeyPair>, folder = directory): void {
  if (certificate !== undefined) writeFileSync(join(folder, 'tls.crt'), certificate);
  if (privateKey !== undefined) writeFileSync(join(folder, 'tls.key'), privateKey);
}

/** As the kubelet does: a new folder, then one link that leads to it. */
function swap(content: KeyPair): void {
  const folder = `..${version++}`;
  mkdirSync(join(directory, folder));
  write(content, join(directory, folder));
  symlinkSync(folder, join(directory, '..data_tmp'));
  renameSync(join(directory, '..data_tmp'), join(directory, '..data'));
  if (version > 1) return;
  for (const file of ['tls.crt', 'tls.key']) symlinkSync(join('..data', file), join(directory, file));
}

async function start(clock = new DatedClock()): Promise<Replica> {
  replica = new Replica({ settings: { mode: 'mounted', directory }, clock });
  replica.manager.start();
  await replica.pause();
  return replica;
}

const shown = (): Promise<KeyPair> =>
  new Promise((resolve) => {
    const end = replica.manager.onChange((changed) => {
      end();
      resolve(changed);
    });
  });

test('W2 a Secret that the kubelet swaps is taken into use by the word of the file system', async () => {
  const [first, second] = [pair(), pair()];
  swap(first);
  await start();
  expect([replica.manager.current, replica.manager.problem]).toEqual([first, undefined]);
  const changed = shown();
  swap(second);
  expect(await changed).toEqual(second);
  expect(replica.told.filter((word) => word === 'read')).toHaveLength(2);
  expect(JSON.stringify(replica.log.lines)).not.toContain('PRIVATE KEY');
});

test('W2 where the file system says nothing, looking now and then finds it', async () => {
  // What is watched is a folder that is moved away: its successor is found by the look alone.
  const first = pair();
  write(first);
  await start();
  const moved = `${directory}-old`;
  renameSync(directory, moved);
  mkdirSync(directory);
  const second = pair();
  write(second);
  const changed = replica.manager.current?.certificate === second.certificate ? second : shown();
  replica.clock.advance(12_000);
  expect(await changed).toEqual(second);
  rmSync(moved, { recursive: true, force: true });
});

test('W2 a certificate without its key, in the middle of being replaced, is not shown', async () => {
  const [first, second] = [pair(), pair()];
  write(first);
  await start();
  write({ certificate: second.certificate });
  while (!replica.told.includes('failed')) {
    replica.clock.advance(12_000);
    await replica.pause();
  }
  expect([replica.manager.current, replica.manager.problem]).toEqual([first, undefined]);
  const changed = shown();
  write({ privateKey: second.privateKey });
  replica.clock.advance(12_000);
  expect(await changed).toEqual(second);
});

test.each<[string, () => void, RegExp]>([
  ['missing', () => unlinkSync(join(directory, 'tls.key')), /cannot be read: ENOENT/],
  ['damaged', () => write({ certificate: 'garbage' }), /the certificate is not PEM/],
  ['with a damaged key', () => write({ privateKey: 'garbage' }), /the key is not PEM/],
  ['past its end', () => write(pair({ notBefore: new Date(0), notAfter: new Date(1) })), /has ended at 1970/],
])('files that are %s leave the last certificate in use, and are told once', async (_, damage, why) => {
  const good = pair();
  write(good);
  await start();
  damage();
  for (let looks = 0; looks < 4 || !replica.log.texts.some((line) => line.startsWith('warn')); looks++) {
    replica.clock.advance(12_000);
    await replica.pause();
  }
  expect([replica.manager.current, replica.manager.problem]).toEqual([good, undefined]);
  const warnings = replica.log.lines.filter(({ level, fields }) => level === 'warn' && why.test(String(fields['problem'])));
  expect(warnings).toHaveLength(1);
});

test('a folder that is not there yet is waited for, and says so', async () => {
  rmSync(directory, { recursive: true });
  await start();
  expect(replica.manager.problem).toMatch(/no serving certificate yet: the certificate cannot be read: ENOENT/);
  mkdirSync(directory);
  const good = pair();
  write(good);
  replica.clock.advance(12_000);
  await replica.manager.ready();
  expect(replica.manager.current).toEqual(good);
});

test('a certificate that nobody renews is told when it has ended', async () => {
  const clock = new DatedClock();
  write(pair());
  await start(clock);
  clock.offsetMs = 400 * 24 * 3_600_000;
  expect(replica.manager.problem).toMatch(/has ended/);
  replica.clock.advance(12_000);
  while (!replica.told.includes('failed')) await replica.pause();
  expect(replica.log.lines.find(({ level }) => level === 'warn')?.fields['problem']).toContain('has not renewed it');
});

test('stop leaves nothing behind', async () => {
  write(pair());
  await start();
  await replica.manager.stop();
  expect(replica.clock.pending).toBe(0);
});
