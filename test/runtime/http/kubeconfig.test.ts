import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { installationFor } from '../../../src/runtime/http/client-node-line.js';
import {
  type Access,
  type ClientNodeOptions,
  type Connection,
  clientNodeConnection,
  kubeconfigConnection,
  type LoadClientNode,
  loadConnection,
  readKubeconfig,
} from '../../../src/runtime/http/index.js';
import { FakeClock } from '../clock/fake-clock.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keelson-kubeconfig-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const write = (name: string, content: string): string => {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
};

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
  readonly context?: object;
}

/** A kubeconfig of one context `c`. JSON is YAML. */
function config({ cluster, user, context }: Parts = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    clusters: [{ name: 'k', cluster: { server: 'https://a:1', ...cluster } }],
    users: [{ name: 'u', user: user ?? {} }],
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u', ...context } }],
  };
}

const connect = async (parts: Parts, options: { load?: LoadClientNode; clock?: FakeClock } = {}): Promise<Connection> => {
  const path = write('config', JSON.stringify(config(parts)));
  return kubeconfigConnection(await readKubeconfig([path]), { loadClientNode: options.load, clock: options.clock });
};
const accessOf = async (parts: Parts): Promise<Access> => (await connect(parts)).access.current();

async function message(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    (value) => `not refused: ${JSON.stringify(value)}`,
    (error: unknown) => (error as Error).message.replaceAll(directory, '<dir>'),
  );
}

describe('a context', () => {
  test('gives server, namespace and origin', async () => {
    const connection = await connect({ context: { namespace: 'mine' } });
    expect(connection).toMatchObject({ server: 'https://a:1', namespace: 'mine', origin: `kubeconfig ${directory}/config, context c` });
    expect((await connect({})).namespace).toBe('default');
  });

  test('inline data wins over files; files are meant from the kubeconfig’s directory', async () => {
    mkdirSync(join(directory, 'pki'));
    write('pki/ca.pem', 'from the file');
    const fromFile = await accessOf({ cluster: { 'certificate-authority': 'pki/ca.pem' } });
    expect(String(fromFile.tls.ca)).toBe('from the file');
    const inline = Buffer.from('inline').toString('base64');
    const fromData = await accessOf({ cluster: { 'certificate-authority': 'pki/none.pem', 'certificate-authority-data': inline } });
    expect(String(fromData.tls.ca)).toBe('inline');
  });

  test('TLS settings and client certificates arrive', async () => {
    const data = (text: string): string => Buffer.from(text).toString('base64');
    const { tls } = await accessOf({
      cluster: { 'insecure-skip-tls-verify': true, 'tls-server-name': 'n' },
      user: { 'client-certificate-data': data('cert'), 'client-key-data': data('key') },
    });
    expect({ ...tls, cert: String(tls.cert), key: String(tls.key) }).toMatchObject({
      rejectUnauthorized: false,
      servername: 'n',
      cert: 'cert',
      key: 'key',
    });
  });

  test('tokens, token files, passwords and impersonation arrive', async () => {
    write('token', 'from-file\n');
    expect((await accessOf({ user: { token: 't' } })).headers).toEqual({ authorization: 'Bearer t' });
    expect((await accessOf({ user: { token: 't', tokenFile: 'token' } })).headers).toEqual({ authorization: 'Bearer from-file' });
    expect((await accessOf({ user: { username: 'a', password: 'b' } })).headers).toEqual({ authorization: 'Basic YTpi' });
    const { headers } = await accessOf({ user: { token: 't', as: 'x', 'as-groups': ['g'], 'as-user-extra': { k: ['v'] } } });
    expect(headers).toEqual({
      authorization: 'Bearer t',
      'impersonate-user': 'x',
      'impersonate-group': ['g'],
      'impersonate-extra-k': ['v'],
    });
  });

  test.each<[string, Parts, string]>([
    ['no server', { cluster: { server: undefined } }, 'kubeconfig <dir>/config, context c, cluster k: has no server'],
    ['unknown cluster', { context: { cluster: 'x' } }, 'kubeconfig <dir>/config, context c: there is no cluster "x"; there are: k'],
    ['unknown user', { context: { user: 'x' } }, 'kubeconfig <dir>/config, context c: there is no user "x"; there are: u'],
    ['no cluster', { context: { cluster: '' } }, 'kubeconfig <dir>/config, context c: names no cluster'],
    ['a proxy of another protocol', { cluster: { 'proxy-url': 'ftp://p' } }, 'the proxy "ftp://p" has the protocol ftp'],
    ['token that is a number', { user: { token: 7 } }, 'user u: token is a number, not a text; put it into quotes'],
    [
      'data that is not a base64',
      { cluster: { 'certificate-authority-data': '---' } },
      'cluster k: certificate-authority-data is not base64',
    ],
    ['certificate without key', { user: { 'client-certificate': 'c.pem' } }, 'no key for it (client-key or client-key-data)'],
    ['groups without a user', { user: { 'as-groups': ['g'] } }, 'need a user: as'],
    ['groups of another form', { user: { as: 'x', 'as-groups': 'g' } }, 'as-groups is not a list of texts'],
    ['terminal plugin', { user: { exec: { command: 'x', interactiveMode: 'Always' } } }, 'wants a terminal'],
    ['plugin without a command', { user: { exec: {} } }, 'user u: exec has no command'],
    ['two plugins', { user: { exec: { command: 'x' }, 'auth-provider': { name: 'oidc' } } }, 'exclude each other'],
  ])('that cannot be used is told with its place: %s', async (_, parts, expected) => {
    expect(await message(connect(parts))).toContain(expected);
  });

  test('that names a user that is not there is told with all users that are', async () => {
    const users = ['alice', 'bob'].map((name) => ({ name, user: {} }));
    const path = write('config', JSON.stringify({ ...config(), users }));
    const read = await readKubeconfig([path]);
    expect(() => kubeconfigConnection(read)).toThrow('there is no user "u"; there are: alice, bob');
  });

  test('that is not there is told with those that are', async () => {
    const read = await readKubeconfig([write('config', JSON.stringify(config()))]);
    expect(() => kubeconfigConnection(read, { context: 'x' })).toThrow('there is no context "x"; there are: c');
    const none = await readKubeconfig([write('empty', '')]);
    expect(() => kubeconfigConnection(none)).toThrow('there is no current-context; choose one of: none');
  });
});

describe('secrets', () => {
  test.each([
    ['a quote that is not closed', 'users:\n- name: u\n  user:\n    token: "s3cret\n', /no YAML: line 5, column 1: MISSING_CHAR$/],
    ['two mappings in a line', 'token: s3cret: x', /no YAML: line 1, column 8: BLOCK_AS_IMPLICIT_KEY$/],
    ['an alias without an anchor', 'token: *s3cret', /no YAML: an alias is wrong, or there are too many$/],
    [
      'a bomb of aliases',
      `a: &a [s3cret]\n${'bcdefgh'.replace(/./g, (name, at: number) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[at]}`).join(',')}]\n`)}`,
      /too many$/,
    ],
    ['a list', '[s3cret]', /holds a list where a mapping is wanted$/],
  ])('of a file that is wrong are not shown: %s', async (_, text, expected) => {
    const error = await readKubeconfig([write('config', text)]).catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ code: 'KEELSON_CONNECTION_SETTINGS', message: expect.stringMatching(expected) });
    expect(`${(error as Error).stack} ${String((error as Error).cause)}`).not.toContain('s3cret');
  });

  test('of an unknown tag do not reach the console', async () => {
    const warned: unknown[] = [];
    const warn = (warning: unknown): void => void warned.push(warning);
    process.on('warning', warn);
    await readKubeconfig([write('config', 'token: !odd s3cret')]);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', warn);
    expect(warned).toEqual([]);
  });

  test('of a proxy are not shown', async () => {
    expect(await message(connect({ cluster: { 'proxy-url': 'ftp://me:s3cret@proxy:1/?s3cret' } }))).toMatch(
      /the proxy "ftp:\/\/…@proxy:1\/\?…" has the protocol ftp/,
    );
  });

  test('that a plugin wrote are not shown', async () => {
    class KubeConfig {
      loadFromClusterAndUser(): void {}
      getCurrentCluster(): null {
        return null;
      }
      applyToHTTPSOptions(): Promise<void> {
        return Promise.reject(new SyntaxError('Unexpected token \'s\', "s3cret" is not valid JSON'));
      }
    }
    const { access } = await connect({ user: { exec: { command: 'login' } } }, { load: () => Promise.resolve({ KubeConfig }) });
    const error = await access.current().catch((thrown: unknown) => thrown as Error);
    expect((error as Error).message).toMatch(/user u: no credentials: what the login plugin wrote is not JSON$/);
    expect((error as Error).cause).toBeUndefined();
  });
});

test('insecure-skip-tls-verify as a text is a mistake, and not a silent no', async () => {
  expect(await message(connect({ cluster: { 'insecure-skip-tls-verify': 'true' } }))).toMatch(
    /insecure-skip-tls-verify is a string, not true or false/,
  );
});

describe('several files', () => {
  test('the first that has a name or a current context wins, and entries are not mixed', async () => {
    const first = write(
      'one',
      JSON.stringify({ users: [{ name: 'u', user: { token: 'first' } }], clusters: [{ name: 'k', cluster: { server: 'https://one' } }] }),
    );
    const second = write(
      'two',
      JSON.stringify({
        'current-context': 'c',
        users: [{ name: 'u', user: { token: 'second', as: 'x' } }],
        clusters: [{ name: 'k', cluster: { server: 'https://two' } }],
        contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
      }),
    );
    const third = write('three', JSON.stringify({ 'current-context': 'd' }));
    const connection = await loadConnection({
      environment: { KUBECONFIG: [first, '', join(directory, 'absent'), second, third].join(delimiter) },
    });
    expect(connection.server).toBe('https://one');
    expect((await connection.access.current()).headers).toEqual({ authorization: 'Bearer first' });
  });

  test('relative paths are meant from the file that has them', async () => {
    mkdirSync(join(directory, 'sub'));
    write('sub/token', 'right');
    write('token', 'wrong');
    const users = write('sub/users', JSON.stringify({ users: [{ name: 'u', user: { tokenFile: 'token' } }] }));
    const rest = write('rest', JSON.stringify({ ...config(), users: [] }));
    const connection = kubeconfigConnection(await readKubeconfig([rest, users]));
    expect((await connection.access.current()).headers).toEqual({ authorization: 'Bearer right' });
  });

  test.each([
    ['no YAML', 'a: [', 'kubeconfig <dir>/bad: no YAML'],
    ['a list', '[]', 'holds a list where a mapping is wanted'],
    ['another kind', 'kind: Pod', 'kind is "Pod", not "Config"'],
    ['users are not list', 'users: 1', 'users is a number, not a list'],
    ['an entry is not a mapping', 'users: [a]', 'users[0] is a string, not a mapping'],
    ['an entry has no name', 'contexts: [{context: {}}]', 'contexts[0].name is missing, not a name'],
    ['an entry has another form', 'clusters: [{name: a, cluster: 1}]', 'clusters[0].cluster is a number, not a mapping'],
  ])('a file that is none is told with its place: %s', async (_, text, expected) => {
    expect(await message(readKubeconfig([write('bad', text)]))).toContain(expected);
  });
});

describe('where the settings come from', () => {
  const standard = (): void => {
    mkdirSync(join(directory, '.kube'));
    write('.kube/config', JSON.stringify(config({ cluster: { server: 'https://home' } })));
  };

  test('a given file, the variable, the Pod, the home directory: in this order', async () => {
    standard();
    const given = write('given', JSON.stringify(config({ cluster: { server: 'https://given' } })));
    const variable = write('variable', JSON.stringify(config({ cluster: { server: 'https://variable' } })));
    const pod = { KUBERNETES_SERVICE_HOST: 'h', KUBERNETES_SERVICE_PORT: '1' };
    const load = async (options: Parameters<typeof loadConnection>[0]): Promise<string> =>
      (await loadConnection({ homeDirectory: directory, ...options })).server;
    expect(await load({ kubeconfig: given, environment: { KUBECONFIG: variable, ...pod } })).toBe('https://given');
    expect(await load({ environment: { KUBECONFIG: variable, ...pod } })).toBe('https://variable');
    // The service account's files are not here: that they are looked for shows the order.
    expect(await message(load({ environment: pod }))).toContain('in-cluster configuration');
    expect(await load({ context: 'c', environment: pod })).toBe('https://home');
    expect(await load({ environment: {} })).toBe('https://home');
  });

  test('when there is none, all places are named', async () => {
    expect(await message(loadConnection({ environment: {}, homeDirectory: directory }))).toContain(
      'KUBECONFIG is not set, this is not a Pod',
    );
    expect(await message(loadConnection({ environment: { KUBECONFIG: join(directory, 'x') } }))).toContain(
      'none of these files exists: <dir>/x',
    );
    expect(await message(loadConnection({ kubeconfig: join(directory, 'x') }))).toContain('kubeconfig <dir>/x: cannot be read: ENOENT');
  });
});

interface FakeUser {
  readonly name: string;
  readonly exec?: { readonly command: string; readonly env: readonly { name: string; value: string }[] };
}

/** Acts as client-node: runs the "plugin" once for each KubeConfig. */
function fakeClientNode(): { load: LoadClientNode; users: FakeUser[]; loads: () => number } {
  const users: FakeUser[] = [];
  let loads = 0;
  class KubeConfig {
    #user: FakeUser | undefined;
    loadFromClusterAndUser(_cluster: unknown, user: FakeUser): void {
      this.#user = user;
      users.push(user);
    }
    getCurrentContext(): string {
      return 'loaded-context';
    }
    getContextObject(): null {
      return null;
    }
    getCurrentCluster(): { server: string } {
      return { server: 'https://a:1' };
    }
    async applyToHTTPSOptions(options: ClientNodeOptions): Promise<void> {
      if (this.#user?.name === 'broken') throw new Error('the plugin said no');
      options.headers = { ...options.headers, Authorization: `Bearer run-${users.length}` };
      if (this.#user?.exec?.command.endsWith('greedy') === true)
        Object.assign(options, { cert: 'c', key: 'k', rejectUnauthorized: false, ca: 'x' });
    }
  }
  const load: LoadClientNode = () => {
    loads += 1;
    return Promise.resolve({ KubeConfig });
  };
  return { load, users, loads: () => loads };
}

describe('login plugins', () => {
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: './login',
    args: ['a'],
    env: [{ name: 'A', value: 'b' }],
    provideClusterInfo: true,
  };

  test('client-node is loaded with the first request only, and asked once a minute', async () => {
    const clock = new FakeClock();
    const fake = fakeClientNode();
    const { access } = await connect({ user: { exec } }, { load: fake.load, clock });
    expect(fake.loads()).toBe(0);
    const [one, two] = await Promise.all([access.current(), access.current()]);
    expect(one.headers).toEqual({ authorization: 'Bearer run-1' });
    expect(two).toBe(one);
    clock.advance(60_000);
    expect((await access.current()).tls).toBe(one.tls);
    expect(fake.loads()).toBe(1);
  });

  test('a refused credential is asked for anew once, however many requests were refused (N15)', async () => {
    const fake = fakeClientNode();
    const { access } = await connect({ user: { exec } }, { load: fake.load, clock: new FakeClock() });
    const first = await access.current();
    expect([access.refused(first), access.refused(first)]).toEqual([true, true]);
    const second = await access.current();
    expect(second.headers).toEqual({ authorization: 'Bearer run-2' });
    expect(access.refused(first)).toBe(true);
    expect((await access.current()).headers).toEqual({ authorization: 'Bearer run-2' });
  });

  test('the plugin is told what kubectl tells it, and found where kubectl finds it', async () => {
    const fake = fakeClientNode();
    await (await connect({ cluster: { 'tls-server-name': 'n' }, user: { exec } }, { load: fake.load })).access.current();
    const [user] = fake.users;
    expect(user?.exec?.command).toBe(join(directory, 'login'));
    expect(user?.exec?.env[0]).toEqual({ name: 'A', value: 'b' });
    expect(JSON.parse(user?.exec?.env[1]?.value ?? '')).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: { cluster: { server: 'https://a:1', 'tls-server-name': 'n' }, interactive: false },
    });
  });

  test.each([
    ['login', 'login'],
    ['/usr/bin/login', '/usr/bin/login'],
    ['bin/login', '<dir>/bin/login'],
  ])('the command %s is run as %s', async (command, run) => {
    const fake = fakeClientNode();
    await (await connect({ user: { exec: { command } } }, { load: fake.load })).access.current();
    const [{ exec: given } = { exec: undefined }] = fake.users;
    expect(given?.command.replace(directory, '<dir>')).toBe(run);
    // No more than what kubectl takes where the kubeconfig says nothing.
    expect(given?.env).toEqual([{ name: 'KUBERNETES_EXEC_INFO', value: expect.any(String) }]);
    expect(JSON.parse(given?.env[0]?.value ?? '')).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: { interactive: false },
    });
  });

  test('the plugin is given its own settings of the cluster, and no others', async () => {
    const fake = fakeClientNode();
    const extensions = [
      { name: 'other', extension: { a: 'b' } },
      { name: 'client.authentication.k8s.io/exec', extension: { audience: 'x' } },
    ];
    const own = { ...exec, apiVersion: 'client.authentication.k8s.io/v1beta1' };
    await (await connect({ cluster: { extensions }, user: { exec: own } }, { load: fake.load })).access.current();
    expect(JSON.parse(fake.users[0]?.exec?.env[1]?.value ?? '')).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      kind: 'ExecCredential',
      spec: { cluster: { server: 'https://a:1', config: { audience: 'x' } }, interactive: false },
    });
  });

  test('what the kubeconfig says itself stays', async () => {
    const { access } = await connect(
      { cluster: { 'tls-server-name': 'n' }, user: { as: 'x', 'auth-provider': { name: 'oidc' } } },
      { load: fakeClientNode().load },
    );
    expect(await access.current()).toMatchObject({
      headers: { 'impersonate-user': 'x', authorization: 'Bearer run-1' },
      tls: { servername: 'n' },
    });
  });

  test('a plugin gives a client certificate, but does not say whom to trust', async () => {
    const { access } = await connect({ user: { exec: { ...exec, command: 'greedy' } } }, { load: fakeClientNode().load });
    expect((await access.current()).tls).toEqual({ ca: undefined, cert: 'c', key: 'k' });
  });

  test('a client certificate that comes again is the same material, and its connections are kept; another one is not', async () => {
    const clock = new FakeClock();
    let [cert, key]: (Buffer | undefined)[] = [Buffer.from('one'), Buffer.from('key')];
    const config = {
      getCurrentContext: () => 'c',
      getContextObject: () => null,
      getCurrentCluster: () => ({ server: 'https://a:1' }),
      applyToHTTPSOptions: (options: ClientNodeOptions) => Promise.resolve(void Object.assign(options, { cert, key })),
    };
    const { access } = clientNodeConnection(config as never, { clock });
    const asked = async (): Promise<unknown> => {
      clock.advance(60_000);
      return (await access.current()).tls;
    };
    const first = await asked();
    [cert, key] = [Buffer.from('one'), Buffer.from('key')];
    expect(await asked()).toBe(first);
    cert = Buffer.from('two');
    const second = await asked();
    expect(second).not.toBe(first);
    expect(second).toMatchObject({ cert: Buffer.from('two') });
    key = 'key' as never;
    expect(await asked()).not.toBe(second);
    [cert, key] = [undefined, undefined];
    expect(await asked()).toEqual({});
    [cert, key] = [Buffer.from('two'), Buffer.from('key')];
    expect(await asked()).toEqual({ cert, key });
  });

  test('a renewed authority of the kubeconfig is trusted, although the plugin gives the same certificate', async () => {
    const clock = new FakeClock();
    const parts = { cluster: { 'certificate-authority': 'ca.pem' }, user: { exec: { ...exec, command: 'greedy' } } };
    write('ca.pem', 'one');
    const { access } = await connect(parts, { load: fakeClientNode().load, clock });
    const asked = async (): Promise<unknown> => {
      clock.advance(60_000);
      const { tls } = await access.current();
      return { ...tls, ca: String(tls.ca) };
    };
    expect(await asked()).toEqual({ ca: 'one', cert: 'c', key: 'k' });
    write('ca.pem', 'two');
    expect(await asked()).toEqual({ ca: 'two', cert: 'c', key: 'k' });
  });

  test('a token beside the plugin makes it unnecessary', async () => {
    const fake = fakeClientNode();
    expect((await (await connect({ user: { exec, token: 't' } }, { load: fake.load })).access.current()).headers).toEqual({
      authorization: 'Bearer t',
    });
    expect(fake.loads()).toBe(0);
  });

  test('without client-node the error names file, context, user and the package', async () => {
    const { access } = await connect({ user: { exec } }, { load: () => Promise.reject(new Error('Cannot find module')) });
    expect(await message(access.current())).toBe(
      'kubeconfig <dir>/config, context c, user u: logs in by exec, for which @kubernetes/client-node is needed and cannot be loaded: Cannot find module; ' +
        `install it beside keelson (${installationFor(process.versions.node)}), or use a token or a client certificate`,
    );
    const other = await connect({ user: { exec } }, { load: () => Promise.resolve({}) });
    expect(await message(other.access.current())).toContain('has no KubeConfig');
  });

  test('a plugin that fails says why', async () => {
    const path = write(
      'config',
      JSON.stringify({ ...config({ context: { user: 'broken' } }), users: [{ name: 'broken', user: { exec } }] }),
    );
    const { access } = kubeconfigConnection(await readKubeconfig([path]), { loadClientNode: fakeClientNode().load });
    const error = await access.current().catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({
      message: expect.stringContaining('user broken: no credentials: the plugin said no'),
      cause: new Error('the plugin said no'),
    });
  });
});

describe('a KubeConfig of client-node', () => {
  const given = {
    getCurrentContext: () => 'c',
    getContextObject: () => ({ namespace: 'mine' }),
    getCurrentCluster: () => ({ server: 'https://a:1', skipTLSVerify: true }),
    applyToHTTPSOptions: (options: ClientNodeOptions): Promise<void> => {
      Object.assign(options, { headers: { 'Impersonate-User': 'x' }, auth: 'a:b', cert: Buffer.from('cert'), agent: {} });
      return Promise.resolve();
    },
  };

  test('is a connection', async () => {
    const connection = clientNodeConnection(given, { clock: new FakeClock() });
    expect(connection).toMatchObject({ server: 'https://a:1', namespace: 'mine', origin: 'the given KubeConfig, context c' });
    const access = await connection.access.current();
    expect(access).toEqual({
      headers: { 'impersonate-user': 'x', authorization: 'Basic YTpi' },
      tls: { cert: Buffer.from('cert'), rejectUnauthorized: false },
    });
    connection.access.refused(access);
    expect((await connection.access.current()).tls).toBe(access.tls);
  });

  test.each<[string, ClientNodeOptions, object]>([
    ['a header beside a user name', { headers: { Authorization: 'Bearer x' }, auth: 'a:b' }, { authorization: 'Bearer x' }],
    ['a user name of no characters', { auth: '' }, {}],
    ['headers of several values and of none', { headers: { A: ['x', 1], B: null, C: undefined, D: 5 } }, { a: ['x', '1'], d: '5' }],
    ['no headers', { headers: undefined as never }, {}],
  ])('%s', async (_, options, headers) => {
    const config = { ...given, applyToHTTPSOptions: (into: ClientNodeOptions) => Promise.resolve(void Object.assign(into, options)) };
    expect((await clientNodeConnection(config, { clock: new FakeClock() }).access.current()).headers).toEqual(headers);
  });

  test('the name of the server and the check of its certificate are those of the options, then of the cluster', async () => {
    const tlsOf = async (cluster: object, options: ClientNodeOptions): Promise<unknown> => {
      const config = {
        ...given,
        getCurrentCluster: () => ({ server: 'https://a:1', ...cluster }),
        applyToHTTPSOptions: (into: ClientNodeOptions) => Promise.resolve(void Object.assign(into, options)),
      };
      return (await clientNodeConnection(config, { clock: new FakeClock() }).access.current()).tls;
    };
    expect(await tlsOf({}, {})).toEqual({});
    expect(await tlsOf({ tlsServerName: 'b', skipTLSVerify: false }, {})).toEqual({ servername: 'b' });
    expect(await tlsOf({ tlsServerName: 'b', skipTLSVerify: true }, { servername: 'c', rejectUnauthorized: true })).toEqual({
      servername: 'c',
      rejectUnauthorized: true,
    });
    const material = { ca: 'ca', cert: 'cert', key: 'key', pfx: 'pfx', passphrase: 'open' };
    expect(await tlsOf({}, material)).toEqual(material);
  });

  test('a context without a namespace is that of default', () => {
    expect(clientNodeConnection({ ...given, getContextObject: () => null }).namespace).toBe('default');
    expect(clientNodeConnection({ ...given, getContextObject: () => ({}) }).namespace).toBe('default');
  });

  test('without a cluster it is refused, and its proxy is used', () => {
    expect(() => clientNodeConnection({ ...given, getCurrentCluster: () => null })).toThrow('there is no such context');
    const through = (proxyUrl: string) => clientNodeConnection({ ...given, getCurrentCluster: () => ({ server: 'https://a', proxyUrl }) });
    expect([through('http://p').proxy, through('').proxy]).toEqual(['http://p', undefined]);
    expect(() => through('ftp://p')).toThrow('the proxy "ftp://p" has the protocol ftp');
  });
});
