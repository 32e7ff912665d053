import { CertificateAuthority } from '../../../src/kubernetes/certificates/index.js';
import { connectionOf, Transport } from '../../../src/runtime/http/index.js';
import { proxyFromEnvironment, proxyUrlOf } from '../../../src/runtime/http/proxy.js';
import { FakeClock } from '../clock/fake-clock.js';
import { connectProxy, socksProxy, type TestProxy } from './proxies.js';
import { json, ScriptedServer } from './scripted-server.js';

const PROXY = 'http://10.9.8.7:3128';

describe('the proxy of the environment', () => {
  test.each([
    ['https://10.0.0.1:6443', { HTTPS_PROXY: PROXY }, PROXY],
    ['https://10.0.0.1:6443', { https_proxy: PROXY }, PROXY],
    ['https://10.0.0.1:6443', { HTTPS_PROXY: '10.9.8.7:3128' }, PROXY],
    ['https://10.0.0.1:6443', { HTTP_PROXY: PROXY }, undefined],
    ['http://10.0.0.1:8001', { HTTP_PROXY: PROXY, HTTPS_PROXY: 'http://other' }, PROXY],
    ['https://10.0.0.1', { HTTPS_PROXY: '' }, undefined],
    ['https://localhost:6443', { HTTPS_PROXY: PROXY }, undefined],
    ['https://127.1.2.3:6443', { HTTPS_PROXY: PROXY }, undefined],
    ['https://[::1]:6443', { HTTPS_PROXY: PROXY }, undefined],
  ])('for %s and %j is %s', (server, environment, proxy) => {
    expect(proxyFromEnvironment(server, environment)).toBe(proxy);
  });

  // As in the tests of Go's httpproxy.
  test.each([
    ['https://10.0.0.1:6443', '*', true],
    ['https://10.0.0.1:6443', 'example.com, 10.0.0.1', true],
    ['https://10.0.0.1:6443', '10.0.0.1:6443', true],
    ['https://10.0.0.1:6443', '10.0.0.1:443', false],
    ['https://10.96.0.1', '10.96.0.1:443', true],
    ['https://10.0.0.1:6443', '10.0.0.0/8', true],
    ['https://11.0.0.1:6443', '10.0.0.0/8', false],
    ['https://10.0.0.1:6443', '10.0.0.0/33', false],
    ['https://10.0.0.1:6443', '10.0.0.0/x', false],
    ['https://[fd00::1]:6443', 'fd00::/8', true],
    ['https://[fd00::1]:6443', '10.0.0.0/8', false],
    ['https://[fd00::1]:6443', 'fd00::1', true],
    ['https://[fd00::1]:6443', '[fd00::1]:6443', true],
    ['https://api.example.com', 'example.com', true],
    ['https://example.com', 'example.com', true],
    ['https://notexample.com', 'example.com', false],
    ['https://api.example.com', '.example.com', true],
    ['https://example.com', '.example.com', false],
    ['https://api.example.com', '*.example.com', true],
    ['https://API.Example.COM', 'example.com', true],
    ['https://api.example.com:6443', 'example.com:6443', true],
    ['https://api.example.com:6443', 'example.com:443', false],
    ['https://api.example.com', ' , ', false],
  ])('for %s with NO_PROXY=%s: excluded is %s', (server, rules, isExcluded) => {
    expect(proxyFromEnvironment(server, { HTTPS_PROXY: PROXY, NO_PROXY: rules })).toBe(isExcluded ? undefined : PROXY);
    expect(proxyFromEnvironment(server, { HTTPS_PROXY: PROXY, no_proxy: rules })).toBe(isExcluded ? undefined : PROXY);
  });

  test.each([
    ['ftp://proxy', 'variable HTTPS_PROXY: the proxy "ftp://proxy" has the protocol ftp; http, https and socks5 are supported'],
    ['http://me:s3cret@:1', 'is no URL'],
    ['http://me:s3cret@proxy:x', 'variable HTTPS_PROXY: the proxy "http://…@proxy:x" is no URL'],
  ])('%s is refused without its password', (given, message) => {
    const refused = (): unknown => proxyFromEnvironment('https://10.0.0.1', { HTTPS_PROXY: given });
    expect(refused).toThrow(message);
    expect(refused).not.toThrow('s3cret');
    expect(() => proxyUrlOf('socks5://proxy', 'x')).not.toThrow();
  });
});

describe('through a proxy', () => {
  const authority = CertificateAuthority.create({ commonName: 'test' });
  const served = authority.issueServing({ dnsNames: ['api.example.com'] });
  const ended: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const end of ended.splice(0)) await end();
  });

  async function apiServer(): Promise<ScriptedServer> {
    const server = await ScriptedServer.start({ cert: served.certificate, key: served.privateKey });
    ended.push(() => server.stop());
    return server;
  }
  function through(proxyUrl: string, server = 'https://api.example.com:6443', more: object = {}): Transport {
    const connection = connectionOf({ server, ca: authority.certificate, token: 'token', proxyUrl });
    const transport = new Transport({ connection, retry: { maxAttempts: 1 }, ...more });
    ended.push(() => transport.close());
    return transport;
  }
  function kept(proxy: TestProxy): TestProxy {
    ended.push(() => proxy.close());
    return proxy;
  }
  const get = (transport: Transport) => transport.request({ method: 'GET', path: '/version' });

  test('requests share a tunnel, and a stream has its own; the proxy sees the name and never the request', async () => {
    const server = await apiServer();
    const proxy = kept(await connectProxy(server.port));
    server.script(json({ major: '1' }));
    const transport = through(`http://me:p%40ss@127.0.0.1:${proxy.port}`);
    for (const _ of [1, 2]) expect((await get(transport)).status).toBe(200);
    const stream = await transport.stream({ method: 'GET', path: '/watch' });
    expect(stream.status).toBe(200);
    stream.close();
    expect(proxy.targets).toEqual(['api.example.com:6443', 'api.example.com:6443']);
    expect(proxy.headers[0]).toMatchObject({ 'proxy-authorization': `Basic ${Buffer.from('me:p@ss').toString('base64')}` });
    expect(JSON.stringify(proxy.headers)).not.toContain('token');
    expect(server.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/version', 'Bearer token'],
      ['/version', 'Bearer token'],
      ['/watch', 'Bearer token'],
    ]);
    expect(server.requests.some(({ headers }) => 'proxy-authorization' in headers)).toBe(false);
  });

  test.each([undefined, 's3cret'])(
    'a server is reached by SOCKS with the password %s, and the proxy looks up its name',
    async (password) => {
      const server = await apiServer();
      const proxy = kept(await socksProxy(server.port, password));
      server.script(json({}));
      const user = password === undefined ? '' : `me:${password}@`;
      expect((await get(through(`socks5://${user}127.0.0.1:${proxy.port}`))).status).toBe(200);
      expect(proxy.targets).toEqual(['api.example.com:6443']);
    },
  );

  test('a server without TLS is reached by a tunnel too', async () => {
    const server = await ScriptedServer.start();
    ended.push(() => server.stop());
    const proxy = kept(await connectProxy(server.port));
    server.script(json({}));
    expect((await get(through(`http://127.0.0.1:${proxy.port}`, 'http://api.example.com:8001'))).status).toBe(200);
    expect(proxy.targets).toEqual(['api.example.com:8001']);
  });

  test('the certificate must be that of the server, not that of the address behind the proxy', async () => {
    const server = await apiServer();
    const proxy = kept(await connectProxy(server.port));
    await expect(get(through(`http://127.0.0.1:${proxy.port}`, 'https://other.example.com'))).rejects.toThrow('other.example.com');
    expect(server.requests).toEqual([]);
  });

  test.each([407, 403, 502])('that answers %i is named, without its password', async (status) => {
    const server = await apiServer();
    const proxy = kept(await connectProxy(server.port, status));
    const failed = get(through(`http://me:s3cret@127.0.0.1:${proxy.port}`));
    await expect(failed).rejects.toThrow(`the proxy http://…@127.0.0.1:${proxy.port}: it answered ${status} Refused to CONNECT`);
    await expect(failed).rejects.not.toThrow('s3cret');
  });

  test('that is not there is named', async () => {
    const server = await apiServer();
    const proxy = await connectProxy(server.port);
    await proxy.close();
    await expect(get(through(`http://127.0.0.1:${proxy.port}`))).rejects.toThrow(
      /the proxy http:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED/,
    );
    await expect(get(through(`socks5://127.0.0.1:${proxy.port}`))).rejects.toThrow(/the proxy socks5:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/);
  });

  test('that says nothing costs the deadline of a connection and no longer', async () => {
    const server = await apiServer();
    const proxy = kept(await connectProxy(server.port, undefined));
    const clock = new FakeClock();
    const failed = expect(get(through(`http://127.0.0.1:${proxy.port}`, undefined, { clock }))).rejects.toThrow('connect');
    await clock.timer((delayMs) => delayMs === 10_000);
    clock.advance(10_000);
    await failed;
  });
});
