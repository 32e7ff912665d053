import { expanded, localPath, localText, namedHost } from '../../../../src/api-server/workloads/processes/container/index.js';
import { findByImage } from '../../../../src/api-server/workloads/processes/images.js';
import { selected } from '../../../../src/api-server/workloads/processes/logs/index.js';
import { LineCutter } from '../../../../src/api-server/workloads/processes/logs/log-line.js';
import { afterProbe, nextPauseMs, pauseAfterRun, UNPROBED } from '../../../../src/api-server/workloads/processes/plan/index.js';

const mount = (mountPath: string, path: string) => ({ volume: 'v', mountPath, path, readOnly: false });
const mounts = [mount('/data', '/tmp/d'), mount('/data/sub', '/tmp/s'), mount('/etc/config/', '/tmp/c')];
const names: Readonly<Record<string, string>> = { 'etcd-0.etcd': '127.16.0.3', 'main.shop.svc': '127.16.254.2' };
const view = { mounts, address: '127.16.0.9', resolve: (name: string) => names[name] };

test.each([
  ['--data-dir=/data/etcd', '--data-dir=/tmp/d/etcd'],
  ['/data', '/tmp/d'],
  ['/data/sub/x', '/tmp/s/x'],
  ['/database', '/database'],
  ['a:/data/x,/etc/config/y', 'a:/tmp/d/x,/tmp/c/y'],
  ['cat "/data/x" && ls (/data)', 'cat "/tmp/d/x" && ls (/tmp/d)'],
  ['/srv/data/x', '/srv/data/x'],
  ['http://0.0.0.0:2379', 'http://127.16.0.9:2379'],
  ['localhost:80,127.0.0.1:81,[::]:82', '127.16.0.9:80,127.16.0.9:81,127.16.0.9:82'],
  ['10.0.0.0.0 mylocalhost localhost.localdomain', '10.0.0.0.0 mylocalhost localhost.localdomain'],
  ['e0=http://etcd-0.etcd:2380,x', 'e0=http://127.16.0.3:2380,x'],
  ['http://user@main.shop.svc/data', 'http://user@127.16.254.2/data'],
  ['/srv/etcd-0.etcd', '/srv/etcd-0.etcd'],
  ['my-etcd-0.etcd etcd-0.etcd.x', 'my-etcd-0.etcd etcd-0.etcd.x'],
])('%s reads %s on this machine', (text, local) => {
  expect(localText(text, view)).toBe(local);
});

test('a path is that of the deepest mount, and of none where no mount covers it', () => {
  expect(localPath(mounts, '/data/sub')).toBe('/tmp/s');
  expect(localPath(mounts, '/other')).toBeUndefined();
});

test.each([
  ['$(A)-$(B)', '1-$(B)'],
  ['$$(A)', '$(A)'],
  ['$$$(A)', '$1'],
  ['$A $( $(A', '$A $( $(A'],
])('%s is expanded to %s', (text, result) => {
  expect(expanded(text, { A: '1' })).toBe(result);
});

test.each([
  ['quay.io/coreos/etcd:v3.5', 'exact'],
  ['quay.io/coreos/etcd:v3.6', 'etcd'],
  ['quay.io/other', 'quay'],
  ['docker.io/etcd', undefined],
  ['a--b', undefined],
  ['a-x-b', 'twice'],
])('the image %s has the program of the longest pattern', (image, expected) => {
  const entries = new Map([
    ['quay.io/*', 'quay'],
    ['quay.io/coreos/etcd:*', 'etcd'],
    ['quay.io/coreos/etcd:v3.5', 'exact'],
    ['a-*x*-b', 'twice'],
  ]);
  expect(findByImage(entries, image)).toBe(expected);
});

test("a host name is a Service, or a Pod behind one, in its namespace or the Pod's own", () => {
  const find = (namespace: string, name: string) =>
    namespace === 'shop' && name === 'db' ? ({ metadata: { name, namespace } } as never) : undefined;
  const meaning = (name: string, from: string): string | undefined => {
    const found = namedHost(name, from, find);
    return found && `${found.hostname ?? ''}@${found.service.metadata.name}`;
  };
  expect(meaning('db-0.db', 'shop')).toBe('db-0@db');
  expect(meaning('db.shop', 'other')).toBe('@db');
  expect(meaning('db-0.db.shop.svc.cluster.local', 'other')).toBe('db-0@db');
  expect(meaning('db.shop.svc', 'other')).toBe('@db');
  expect(meaning('db-0.db', 'other')).toBeUndefined();
  expect(meaning('db', 'shop')).toBeUndefined();
});

test('pauses double up to five minutes, and begin anew after a run of ten', () => {
  const pauses = [0, 10, 20, 40, 80, 160, 300, 300].map((seconds) => seconds * 1000);
  expect(pauses.slice(0, -1).map(nextPauseMs)).toEqual(pauses.slice(1));
  expect([pauseAfterRun(160_000, 599_999), pauseAfterRun(160_000, 600_000)]).toEqual([160_000, 0]);
});

test('a probe changes its result when a threshold is reached in a row', () => {
  const settings = { successThreshold: 2, failureThreshold: 3 };
  let state = UNPROBED;
  const results = [true, true, false, false, true, false, false, false].map((answer) => {
    state = afterProbe(state, answer, settings);
    return state.result;
  });
  expect(results).toEqual([undefined, true, true, true, true, true, true, false]);
});

test('output is cut into lines wherever its pieces end; long lines come in parts', () => {
  const cutter = new LineCutter();
  expect(cutter.add(Buffer.from('on'))).toEqual([]);
  expect(cutter.add(Buffer.from('e\ntwo\n\nth'))).toEqual(['one', 'two', ''].map((text) => ({ text, isPartial: false })));
  expect(cutter.end()).toEqual([{ text: 'th', isPartial: true }]);
  const [first, second] = [...cutter.add(Buffer.from(`${'x'.repeat(20_000)}\n`))];
  expect([first?.text.length, first?.isPartial, second?.text.length, second?.isPartial]).toEqual([16_384, true, 3616, false]);
});

test('lines are selected by time and stream before the last ones are counted', () => {
  const line = (text: string, stream: 'stderr' | 'stdout', second: number) => ({
    text,
    stream,
    isPartial: false,
    time: new Date(second * 1000),
  });
  const lines = [line('a', 'stdout', 1), line('b', 'stderr', 2), line('c', 'stdout', 3)];
  expect(selected(lines, { stream: 'stdout', tailLines: 1 }).map(({ text }) => text)).toEqual(['c']);
  expect(selected(lines, { since: new Date(2000) }).map(({ text }) => text)).toEqual(['b', 'c']);
  expect(selected(lines, { tailLines: 0 })).toEqual([]);
});
