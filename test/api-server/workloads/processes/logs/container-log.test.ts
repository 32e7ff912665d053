import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { ContainerLog, shownText } from '../../../../../src/api-server/workloads/processes/logs/index.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keelson-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const TIME = '2030-01-01T00:00:00.000Z';
const logOf = (maxBytes = 10_000): ContainerLog =>
  new ContainerLog({ file: join(folder, 'below/0.log'), maxBytes, now: () => new Date(TIME) });
const textsOf = (log: ContainerLog): readonly string[] => log.lines().map(({ text }) => text);
const ended = (stream: PassThrough): Promise<void> => new Promise((resolve) => void stream.once('close', () => resolve()));

test('both streams are kept line by line, in the form of a kubelet', async () => {
  const log = logOf();
  const [out, err] = [new PassThrough(), new PassThrough()];
  log.take(out, 'stdout');
  log.take(err, 'stderr');
  out.write('one\ntw');
  err.end('wrong\n');
  await ended(err);
  expect(log.isOpen).toBe(true);
  out.end('o');
  await ended(out);
  expect(log.isOpen).toBe(false);
  const stamp = '2030-01-01T00:00:00.000000000Z';
  expect(readFileSync(join(folder, 'below/0.log'), 'utf8')).toBe(`${stamp} stdout F one\n${stamp} stderr F wrong\n${stamp} stdout P two\n`);
  expect(log.lines().map((line) => shownText(line, { hasTimestamps: true }))).toEqual([
    `${stamp} one\n`,
    `${stamp} wrong\n`,
    `${stamp} two`,
  ]);
});

test('when the log is full its oldest lines go, and never the newest half', async () => {
  const log = logOf(2000);
  const out = new PassThrough();
  log.take(out, 'stdout');
  // 50 bytes each, as they are stored.
  for (let line = 100; line < 200; line += 1) out.write(`line ${line}\n`);
  out.end();
  await ended(out);
  const texts = textsOf(log);
  expect(texts.at(-1)).toBe('line 199');
  expect(texts.length).toBeGreaterThanOrEqual(20);
  expect(texts.length).toBeLessThanOrEqual(40);
  expect(texts).toEqual(Array.from({ length: texts.length }, (_, index) => `line ${200 - texts.length + index}`));
});

test('a follower sees each line that comes, and the end; one that has left sees nothing more', async () => {
  const log = logOf();
  const out = new PassThrough();
  log.take(out, 'stdout');
  const [seen, left]: [(string | undefined)[], (string | undefined)[]] = [[], []];
  log.follow((line) => seen.push(line?.text));
  log.follow((line) => left.push(line?.text))();
  out.end('one\ntwo\n');
  await ended(out);
  expect([seen, left]).toEqual([['one', 'two', undefined], []]);
});

test('a log that is removed leaves no file, and takes nothing any more', async () => {
  const log = logOf();
  const out = new PassThrough();
  log.take(out, 'stdout');
  log.remove();
  out.end('late\n');
  await ended(out);
  expect(textsOf(log)).toEqual([]);
});
