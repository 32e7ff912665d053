import { createServer } from 'node:net';
import { parse } from 'yaml';
import { ApiServer, type ApiServerOptions } from '../../../src/api-server/server/index.js';
import { keptPort } from '../../kept-port.js';

test.each<[ApiServerOptions, string]>([
  [{ port: 65_536 }, 'port: 65536 is not possible: give a number from 0 (any that is free) to 65535'],
  [{ protocol: 'h2' as 'http' }, 'protocol: "h2" is not possible: give http or https'],
  [
    { workloads: { containers: { 'memcached:*': 'memcached' } as never } },
    `workloads.containers: {"memcached:*":"memcached"} is not possible: give what processes returns: processes({ 'memcached:*': 'memcached' })`,
  ],
  [{ mode: 'full' as 'cluster' }, 'mode: "full" is not possible: give cluster or envtest'],
  [{ serviceRange: '10.0.0.0' }, 'serviceRange: "10.0.0.0" is not possible: give an IPv4 network'],
  [{ serviceRange: '10.0.0.1/24' }, 'serviceRange: "10.0.0.1/24" is not possible'],
  [{ serviceRange: 'fd00::/108' }, 'serviceRange: "fd00::/108" is not possible'],
  [{ serviceRange: '10.0.0.0/31' }, 'serviceRange: "10.0.0.0/31" is not possible'],
  [{ services: { hooks: 9443 } }, 'services: "hooks" is not possible: give Services as namespace/name'],
  [{ services: { 'a/hooks': 0 } }, 'services["a/hooks"]: 0 is not possible: give a port of this machine, 1 to 65535'],
  [{ maxEvents: 0 }, 'maxEvents: 0 is not possible: give a whole number above 0'],
])('%j is refused', async (options, message) => {
  await expect(ApiServer.start(options)).rejects.toThrow(message);
});

test('a port that is taken is told, with what to do', async () => {
  const other = createServer();
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => resolve((other.address() as { readonly port: number }).port));
  });
  await expect(ApiServer.start({ port })).rejects.toMatchObject({
    code: 'KEELSON_TESTING_SERVER',
    message: `port ${port} is taken by another process; choose another, or none: then any is taken that is free`,
  });
  await new Promise((resolve) => other.close(resolve));
});

test('a port can be had again when the server is closed', async () => {
  const port = await keptPort();
  const first = await ApiServer.start({ protocol: 'http', port });
  await first.close();
  const second = await ApiServer.start({ protocol: 'http', port });
  expect(new URL(second.url).port).toBe(String(port));
  await second.close();
  await second.close();
});

/** fabric8 reads a key as RSA in PKCS #1 unless it is told otherwise; all other clients read that too. */
test('a kubeconfig has its key in the form that all clients read', async () => {
  const server = await ApiServer.start({ mode: 'envtest' });
  const { users } = parse(server.kubeconfig()) as { readonly users: readonly { readonly user: Readonly<Record<string, string>> }[] };
  const key = Buffer.from(users[0]?.user['client-key-data'] ?? '', 'base64').toString();
  expect(key).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\n/);
  await server.close();
});

test('a user has one certificate, and users that differ in a group have two', async () => {
  const server = await ApiServer.start({ mode: 'envtest' });
  const ada = { username: 'ada', groups: ['a'] };
  expect(server.kubeconfig({ ...ada })).toBe(server.kubeconfig(ada));
  expect(server.kubeconfig({ ...ada, groups: ['b'] })).not.toBe(server.kubeconfig(ada));
  expect(server.kubeconfig({ ...ada, uid: '1' })).not.toBe(server.kubeconfig(ada));
  await server.close();
});
