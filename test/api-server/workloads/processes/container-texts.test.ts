import { expanded, localPath, localText, namedHost } from '../../../../src/api-server/workloads/processes/container/index.js';

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
