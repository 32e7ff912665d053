import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls, { type PeerCertificate, type TLSSocket } from 'node:tls';
import { CertificateAuthority } from '../../../src/kubernetes/certificates/index.js';
import {
  type ConnectionOptions,
  ConnectionSettingsError,
  connectionOf,
  impersonationHeaders,
  inClusterConnection,
  isInCluster,
  Transport,
} from '../../../src/runtime/http/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { type Answer, json, ScriptedServer } from './scripted-server.js';

const authority = CertificateAuthority.create({ commonName: 'authority of the test' });
const stranger = CertificateAuthority.create({ commonName: 'somebody else' });
const serving = authority.issueServing({ dnsNames: ['api.example'], ipAddresses: ['127.0.0.1'] });
const clientPair = (name: string): { certificate: string; key: string } => {
  const { certificate, privateKey } = authority.issueClient({ subject: [['CN', name]] });
  return { certificate, key: privateKey };
};

let server: ScriptedServer;
let clock: FakeClock;
let directory: string;
const transports: Transport[] = [];

beforeAll(async () => {
  server = await ScriptedServer.start({
    cert: serving.certificate,
    key: serving.privateKey,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: false,
  });
});
beforeEach(() => {
  clock = new FakeClock();
  directory = mkdtempSync(join(tmpdir(), 'keelson-connection-'));
  server.script(whoAsks);
});
afterEach(() => {
  for (const transport of transports.splice(0)) transport.close();
  rmSync(directory, { recursive: true });
});
afterAll(() => server.stop());

const whoAsks: Answer = (response, request) => {
  const socket = request.socket as TLSSocket;
  const { subject } = socket.getPeerCertificate() as Partial<PeerCertificate>;
  const name = socket.authorized ? subject?.CN : undefined;
  json({ name, authorization: request.headers.authorization })(response, request);
};

function open(options: Partial<ConnectionOptions> = {}): Transport {
  const transport = new Transport({
    connection: connectionOf({
      server: `https://127.0.0.1:${server.port}`,
      ca: authority.certificate,
      origin: 'the test',
      clock,
      ...options,
    }),
    clock,
    random: () => 0,
  });
  transports.push(transport);
  return transport;
}

async function ask(transport: Transport): Promise<{ name?: string; authorization?: string }> {
  const { body } = await transport.request({ method: 'GET', path: '/' });
  return JSON.parse(body.toString());
}

const file = (name: string, content: string): { file: string } => {
  writeFileSync(join(directory, name), content);
  return { file: join(directory, name) };
};

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`it did not fail: ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}

describe('the server’s certificate', () => {
  test('is checked against the given authority', async () => {
    expect(await ask(open())).toEqual({});
    const error = await failure(ask(open({ ca: stranger.certificate })));
    expect(error).toMatchObject({ code: 'KEELSON_CERTIFICATE_REFUSED', actor: 'admin', message: expect.stringContaining('the test') });
  });

  test('is checked with certificates that are read once, however many connections there are', async () => {
    const transport = open();
    const read = jest.spyOn(tls, 'createSecureContext');
    const connections = server.connections;
    await Promise.all(Array.from({ length: 5 }, () => ask(transport)));
    expect(server.connections - connections).toBe(5);
    // Node copies what it is given; ours is the one call with no context to take over.
    expect(read.mock.calls.filter(([options]) => (options as { secureContext?: unknown }).secureContext === undefined)).toHaveLength(1);
    read.mockRestore();
  });

  test('is not trusted without an authority, and not retried', async () => {
    expect(await failure(ask(open({ ca: undefined })))).toMatchObject({ code: 'KEELSON_CERTIFICATE_REFUSED' });
  });

  test('must carry the server’s name, or the one that is given', async () => {
    expect(await ask(open({ tlsServerName: 'api.example' }))).toEqual({});
    const error = await failure(ask(open({ tlsServerName: 'other.example' })));
    expect(String(error)).toContain("other.example. is not in the cert's altnames");
  });

  test('is not looked at when that is wanted', async () => {
    expect(await ask(open({ ca: undefined, insecureSkipTlsVerify: true }))).toEqual({});
  });

  test('plain HTTP behind an https address is told as what it is', async () => {
    const plain = await ScriptedServer.start();
    expect(await failure(ask(open({ server: `https://127.0.0.1:${plain.port}` })))).toMatchObject({ code: 'KEELSON_CERTIFICATE_REFUSED' });
    await plain.stop();
  });
});

describe('who asks', () => {
  test('a client certificate, inline or from files', async () => {
    const { certificate, key } = clientPair('alice');
    expect(await ask(open({ certificate, key }))).toEqual({ name: 'alice' });
    expect(await ask(open({ certificate: file('c.pem', certificate), key: file('k.pem', key) }))).toEqual({ name: 'alice' });
  });

  test('a renewed certificate file is used for new connections, without a restart', async () => {
    const first = clientPair('first');
    const transport = open({ certificate: file('c.pem', first.certificate), key: file('k.pem', first.key) });
    expect(await ask(transport)).toEqual({ name: 'first' });
    const second = clientPair('second');
    file('c.pem', second.certificate);
    file('k.pem', second.key);
    expect(await ask(transport)).toEqual({ name: 'first' });
    clock.advance(60_000);
    expect(await ask(transport)).toEqual({ name: 'second' });
    // The connection under the old certificate was idle: it is closed, not left to its end.
    while (server.openSockets > 1) await new Promise((resolve) => setImmediate(resolve));
    expect(server.openSockets).toBe(1);
  });

  test('a connection under the old certificate is closed when its answer has come, and not before', async () => {
    const first = clientPair('first');
    const transport = open({ certificate: file('c.pem', first.certificate), key: file('k.pem', first.key) });
    await server.drained();
    const before = server.requests.length;
    let release = (): void => {};
    server.script((response, request) => (release = () => whoAsks(response, request)), whoAsks);
    const slow = ask(transport);
    while (server.requests.length === before) await new Promise((resolve) => setImmediate(resolve));
    const second = clientPair('second');
    file('c.pem', second.certificate);
    file('k.pem', second.key);
    clock.advance(60_000);
    expect(await ask(transport)).toEqual({ name: 'second' });
    release();
    expect(await slow).toEqual({ name: 'first' });
    while (server.openSockets > 1) await new Promise((resolve) => setImmediate(resolve));
  });

  test('unchanged files keep their connections when they are read again', async () => {
    const { certificate, key } = clientPair('same');
    const transport = open({ certificate: file('c.pem', certificate), key: file('k.pem', key), token: file('token', 't') });
    await ask(transport);
    const before = server.connections;
    clock.advance(60_000);
    await ask(transport);
    expect(server.connections).toBe(before);
  });

  test('a token, inline or from a file with its newline', async () => {
    expect(await ask(open({ token: 'abc' }))).toEqual({ authorization: 'Bearer abc' });
    expect(await ask(open({ token: file('token', 'from-file\n') }))).toEqual({ authorization: 'Bearer from-file' });
    expect(await ask(open({ basic: { username: 'a', password: 'b' } }))).toEqual({ authorization: 'Basic YTpi' });
  });

  test('a token file is read again after a minute, and kept while it cannot be read', async () => {
    const transport = open({ token: file('token', 'old') });
    expect(await ask(transport)).toEqual({ authorization: 'Bearer old' });
    file('token', 'new');
    expect(await ask(transport)).toEqual({ authorization: 'Bearer old' });
    clock.advance(60_000);
    expect(await ask(transport)).toEqual({ authorization: 'Bearer new' });
    rmSync(join(directory, 'token'));
    clock.advance(60_000);
    expect(await ask(transport)).toEqual({ authorization: 'Bearer new' });
  });

  test('a 401 makes the token be read at once, one time for many requests', async () => {
    const transport = open({ token: file('token', 'old') });
    await ask(transport);
    file('token', 'new');
    const before = server.requests.length;
    server.script((response, request) =>
      request.headers.authorization === 'Bearer new' ? whoAsks(response, request) : json({}, { status: 401 })(response, request),
    );
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(transport)));
    expect(answers).toEqual(Array.from({ length: 5 }, () => ({ authorization: 'Bearer new' })));
    expect(server.requests.length - before).toBeLessThanOrEqual(10);
  });

  test('a late 401 of credentials that are replaced already does not make them be read again', async () => {
    const { access } = connectionOf({ server: 'https://a', token: file('token', 'one'), clock });
    const first = await access.current();
    access.refused(first);
    file('token', 'two');
    expect((await access.current()).headers).toEqual({ authorization: 'Bearer two' });
    file('token', 'three');
    expect(access.refused(first)).toBe(true);
    expect((await access.current()).headers).toEqual({ authorization: 'Bearer two' });
  });

  test('a 401 that fresh credentials do not mend is the answer; a fixed token is not tried twice', async () => {
    server.script(json({}, { status: 401 }));
    const before = server.requests.length;
    expect((await open({ token: 'abc' }).request({ method: 'GET', path: '/' })).status).toBe(401);
    expect(server.requests.length - before).toBe(1);
    expect((await open({ token: file('token', 'abc') }).request({ method: 'GET', path: '/' })).status).toBe(401);
    expect(server.requests.length - before).toBe(3);
  });

  test('a file that is not there, or empty, is named', async () => {
    const absent = await failure(ask(open({ token: { file: join(directory, 'nowhere') } })));
    expect(absent).toMatchObject({
      code: 'KEELSON_CREDENTIALS_UNAVAILABLE',
      message: expect.stringMatching(/^the test: cannot read .*nowhere: ENOENT/),
    });
    expect(await failure(ask(open({ token: file('empty', '') })))).toMatchObject({ message: expect.stringContaining('the file is empty') });
  });

  test('impersonation', async () => {
    const transport = open({ impersonate: { user: 'u', uid: '1', groups: ['g', 'h'], extra: { 'Example.org/A': ['x', 'y'] } } });
    await ask(transport);
    const { headers } = server.requests.at(-1) ?? { headers: {} };
    expect(headers).toMatchObject({
      'impersonate-user': 'u',
      'impersonate-uid': '1',
      'impersonate-group': 'g, h',
      'impersonate-extra-example.org%2fa': 'x, y',
    });
    expect(impersonationHeaders({ user: 'u' })).toEqual({ 'impersonate-user': 'u' });
  });
});

describe('settings that contradict each other', () => {
  test.each<[Partial<ConnectionOptions>, string]>([
    [{ server: 'nonsense' }, 'server "nonsense" is no URL'],
    [{ server: 'ftp://a' }, 'ftp: is neither https: nor http:'],
    [{ certificate: 'c' }, 'no key for it'],
    [{ key: 'k' }, 'no certificate'],
    [{ insecureSkipTlsVerify: true }, 'exclude each other'],
  ])('%j', (options, message) => {
    const make = (): unknown => connectionOf({ server: 'https://a', ca: 'c', origin: 'the test', ...options });
    expect(make).toThrow(ConnectionSettingsError);
    expect(make).toThrow(`the test: `);
    expect(make).toThrow(message);
  });
});

describe('in a cluster', () => {
  const environment = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: '' };

  beforeEach(() => {
    environment.KUBERNETES_SERVICE_PORT = String(server.port);
    file('namespace', 'mine\n');
    file('ca.crt', authority.certificate);
    file('token', 'of-the-pod');
  });

  test('the service account’s files are the connection', async () => {
    const connection = inClusterConnection({ environment, directory, clock });
    expect(connection.namespace).toBe('mine');
    const transport = new Transport({ connection, clock });
    transports.push(transport);
    expect(await ask(transport)).toEqual({ authorization: 'Bearer of-the-pod' });
  });

  test('an IPv6 host gets its brackets', () => {
    expect(
      inClusterConnection({ environment: { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' }, directory }).server,
    ).toBe('https://[fd00::1]:443');
  });

  test('elsewhere, and without the files, the reason is told', () => {
    expect(isInCluster({})).toBe(false);
    expect(() => inClusterConnection({ environment: {}, directory })).toThrow('this is not a Pod');
    rmSync(join(directory, 'namespace'));
    expect(() => inClusterConnection({ environment, directory })).toThrow(/cannot read .*namespace: .*automountServiceAccountToken/);
  });
});

test('H58 what is ended while a handshake is under way does not leave after it', async () => {
  const term = new AbortController();
  const connection = connectionOf({ server: `https://127.0.0.1:${server.port}`, ca: authority.certificate, origin: 'the test', clock });
  const transport = new Transport({ connection, clock, beforeSend: () => term.abort(new Error('the term is over')) });
  transports.push(transport);
  const before = server.requests.length;
  await expect(transport.request({ method: 'POST', path: '/a', body: '{}', signal: term.signal })).rejects.toThrow('the term is over');
  await server.drained();
  expect(server.requests.length).toBe(before);
});
