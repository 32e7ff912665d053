import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { configMap, Machine, main, pod, secret } from './machine.js';

let machine: Machine;
afterEach(() => machine.close());

const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'default' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

test('files of ConfigMaps, Secrets, fields and tokens are there, and change with their objects', async () => {
  machine = await Machine.start();
  await machine.create(configMap({ 'a.txt': 'one' }), secret({ password: 'word' }));
  const sources = [
    { serviceAccountToken: { path: 'token', expirationSeconds: 600 } },
    { secret: { name: 'keys', items: [{ key: 'password', path: 'sub/password' }] } },
    { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
  ];
  const volumes = [
    { name: 'config', configMap: { name: 'settings' } },
    { name: 'all', projected: { sources } },
  ];
  const volumeMounts = [
    { name: 'config', mountPath: '/etc/config' },
    { name: 'all', mountPath: '/etc/all' },
  ];
  const args = ['serve', '0.0.0.0'];
  await machine.create(pod({ volumes, containers: [main(args, { volumeMounts })] }, { labels: { team: 'blue' } }));
  await machine.until(() => machine.state() === 'running');
  const mounts = machine.mountsOf('a');
  const file = (path: string): Promise<string> =>
    machine.answered(`/file?path=${mounts[`/etc/${path.split('/')[0]}`]}/${path.slice(path.indexOf('/') + 1)}`);
  expect(await file('config/a.txt')).toBe('one');
  expect(await file('all/sub/password')).toBe('word');
  expect(await file('all/labels')).toBe('team="blue"');
  const token = await file('all/token');
  expect(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub).toBe('system:serviceaccount:default:default');
  await machine.world.patch('configmaps', 'default/settings', { data: { 'a.txt': 'two' } });
  await machine.until(async () => (await file('config/a.txt')) === 'two');
  await machine.world.patch('pods', 'default/a', { metadata: { labels: { team: 'green' } } });
  await machine.until(async () => (await file('all/labels')) === 'team="green"');
  await machine.world.pass(481);
  await machine.until(async () => (await file('all/token')) !== token);
});

test('files stay when the Secret of a volume that is not optional is deleted, or lacks a key; those of an optional one go', async () => {
  machine = await Machine.start();
  const maybe = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'maybe', namespace: 'default' }, stringData: { x: 'there' } };
  await machine.create(configMap({ 'a.txt': 'one', 'b.txt': 'two' }), secret({ password: 'word' }), maybe);
  const names = ['needed', 'projected', 'optional', 'config'];
  const volumes = [
    { name: 'needed', secret: { secretName: 'keys' } },
    { name: 'projected', projected: { sources: [{ secret: { name: 'keys' } }, { configMap: { name: 'settings' } }] } },
    { name: 'optional', secret: { secretName: 'maybe', optional: true } },
    { name: 'config', configMap: { name: 'settings', items: [{ key: 'b.txt', path: 'b' }] } },
  ];
  const volumeMounts = names.map((name) => ({ name, mountPath: `/etc/${name}` }));
  await machine.create(pod({ volumes, containers: [main(['serve', '0.0.0.0'], { volumeMounts })] }));
  await machine.until(() => machine.state() === 'running');
  const mounts = machine.mountsOf('a');
  const isThere = (name: string, file: string): boolean => existsSync(join(mounts[`/etc/${name}`] ?? '', file));
  expect([isThere('needed', 'password'), isThere('optional', 'x'), isThere('config', 'b')]).toEqual([true, true, true]);
  await machine.world.patch('configmaps', 'default/settings', { data: { 'b.txt': null } });
  await machine.world.delete('secrets', 'default/keys');
  await machine.world.delete('secrets', 'default/maybe');
  await machine.until(() => !isThere('optional', 'x'));
  expect([isThere('needed', 'password'), isThere('projected', 'password'), isThere('config', 'b')]).toEqual([true, true, true]);
});

test('of a volume a container may see a part alone: a folder, one that its variables name, or a file as it was when the container started', async () => {
  machine = await Machine.start();
  await machine.create(claim, configMap({ 'a.txt': 'one', 'b.txt': 'other' }));
  const volumes = [
    { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
    { name: 'config', configMap: { name: 'settings' } },
  ];
  const volumeMounts = [
    { name: 'data', mountPath: '/whole' },
    { name: 'data', mountPath: '/part', subPath: 'parts/one' },
    { name: 'data', mountPath: '/own', subPathExpr: 'of-$(NAME)' },
    { name: 'config', mountPath: '/etc/config' },
    { name: 'config', mountPath: '/etc/a.txt', subPath: 'a.txt' },
  ];
  const env = [{ name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }];
  const container = main(['serve', '0.0.0.0'], { env, volumeMounts });
  await machine.create(pod({ volumes, containers: [container] }));
  await machine.until(() => machine.state() === 'running');
  const at = (path: string): string => machine.mountsOf('a')[path] ?? '';
  expect([relative(at('/whole'), at('/part')), relative(at('/whole'), at('/own'))]).toEqual(['parts/one', 'of-a']);
  expect(readFileSync(at('/etc/a.txt'), 'utf8')).toBe('one');
  await machine.world.patch('configmaps', 'default/settings', { data: { 'a.txt': 'two' } });
  await machine.until(() => readFileSync(join(at('/etc/config'), 'a.txt'), 'utf8') === 'two');
  // As on a node: only the next start sees the change.
  expect(readFileSync(at('/etc/a.txt'), 'utf8')).toBe('one');
  await machine.pods.signal('a', 'SIGKILL');
  await machine.until(() => machine.pod().status?.containerStatuses?.[0]?.restartCount === 1 && machine.state() === 'running');
  expect(readFileSync(at('/etc/a.txt'), 'utf8')).toBe('two');
});

test('data of a claim outlives its Pod, and an emptyDir does not', async () => {
  machine = await Machine.start({
    'sh:*': ({ args, local }) => ({ program: '/bin/sh', args: ['-c', ...args.map(local)] }),
  });
  await machine.create(claim);
  const volumes = [
    { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
    { name: 'scratch', emptyDir: {} },
  ];
  const volumeMounts = [
    { name: 'data', mountPath: '/data' },
    { name: 'scratch', mountPath: '/scratch' },
  ];
  const script = 'cat /data/x /scratch/x 2>/dev/null; echo kept > /data/x; echo lost > /scratch/x';
  const written = pod({ restartPolicy: 'Never', volumes, containers: [{ name: 'main', image: 'sh:1', args: [script], volumeMounts }] });
  await machine.create(written);
  await machine.until(() => machine.pod().status?.phase === 'Failed' || machine.pod().status?.phase === 'Succeeded');
  expect(await machine.pods.logsOf('a')).toBe('');
  await machine.world.delete('pods', 'default/a');
  await machine.until(() => machine.world.get('pods', 'default/a') === undefined);
  await machine.create(written);
  await machine.until(() => machine.pod().status?.phase === 'Succeeded');
  expect(await machine.pods.logsOf('a')).toBe('kept\n');
});
