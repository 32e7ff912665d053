import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createSecureServer, type Server } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { ValidatingWebhookConfiguration } from 'keelson/kinds/admissionregistration/v1';
import { ConfigMap, Namespace } from 'keelson/kinds/core/v1';
import { runCommandLine } from '../../../src/cli/index.js';
import { CertificateAuthority } from '../../../src/kubernetes/certificates/index.js';
import { createClient } from '../../../src/runtime/client/index.js';
import { loadConnection } from '../../../src/runtime/http/index.js';
import { keptPort } from '../../kept-port.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keelson-cli-apiserver-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A command that runs in this process until it is interrupted. */
class Run {
  readonly written = { out: '', error: '' };
  readonly status: Promise<number>;
  interrupt: (signal: string) => void = () => undefined;
  readonly #lines: (() => void)[] = [];

  constructor(...args: readonly string[]) {
    const interrupted = new Promise<string>((resolve) => {
      this.interrupt = resolve;
    });
    this.status = runCommandLine(['apiserver', ...args], {
      program: '',
      directory,
      out: (text) => {
        this.written.out += text;
        for (const told of this.#lines.splice(0)) told();
      },
      error: (text) => {
        this.written.error += text;
      },
      readInput: async () => '',
      interrupted: () => interrupted,
    });
  }

  /** Until it has said that it is ready; fails with what it says instead. */
  async ready(): Promise<void> {
    const told = new Promise<void>((resolve) => this.#lines.push(resolve));
    const ended = this.status.then((status) => {
      throw new Error(`ended with ${status}: ${this.written.error}`);
    });
    await Promise.race([told, ended]);
  }

  async stop(): Promise<number> {
    this.interrupt('SIGINT');
    return this.status;
  }
}

async function namesAt(kubeconfig: string): Promise<readonly string[]> {
  const client = createClient({ connection: await loadConnection({ kubeconfig }) });
  try {
    return (await client.listAll(Namespace)).items.map(({ metadata }) => metadata.name);
  } finally {
    client.close();
  }
}

test('it serves until it is interrupted, says how to reach it, and leaves nothing behind', async () => {
  const run = new Run('--kubeconfig', 'dev.kubeconfig');
  await run.ready();
  const file = join(directory, 'dev.kubeconfig');
  expect(run.written.out).toMatch(/^The API server listens at https:\/\/127\.0\.0\.1:\d+\n/);
  expect(run.written.out).toContain(`export KUBECONFIG=${file}\n  kubectl get namespaces\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await namesAt(file)).toContain('kube-system');
  expect(await run.stop()).toBe(0);
  expect(run.written).toEqual({ out: expect.stringMatching(/\nEnded by SIGINT\.\n$/), error: '' });
  expect(existsSync(file)).toBe(false);
});

test('without a file for the kubeconfig it makes one that nobody else reads, and removes it', async () => {
  const run = new Run();
  await run.ready();
  const [, file = ''] = /export KUBECONFIG=(\S+)/.exec(run.written.out) ?? [];
  expect(await namesAt(file)).toContain('default');
  await run.stop();
  expect(existsSync(dirname(file))).toBe(false);
});

test('it says that programs of Pods do not resolve names, and why', async () => {
  writeFileSync(
    join(directory, 'containers.cjs'),
    "exports.containers = { programs: new Map([['memcached:*', 'memcached']]), options: { names: 'never' } };\n",
  );
  const run = new Run('--containers', 'containers.cjs');
  await run.ready();
  expect(run.written.out).toContain(
    'Programs of Pods do not resolve names of the cluster, and have to use addresses: the module of --containers says names: never.\n',
  );
  expect(await run.stop()).toBe(0);
});

test('manifests are there when it is ready', async () => {
  writeFileSync(join(directory, 'objects.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { x: "1" }\n');
  const run = new Run('--kubeconfig=k', '-f', 'objects.yaml', '--mode', 'envtest');
  await run.ready();
  const client = createClient({ connection: await loadConnection({ kubeconfig: join(directory, 'k') }) });
  expect((await client.get(ConfigMap, { namespace: 'default', name: 'a' })).data).toEqual({ x: '1' });
  client.close();
  expect(await run.stop()).toBe(0);
});

test('a file of an earlier run is replaced, that of another server left alone', async () => {
  const first = new Run('--kubeconfig', 'k');
  await first.ready();
  const second = new Run('--kubeconfig', 'k');
  await second.ready();
  const text = readFileSync(join(directory, 'k'), 'utf8');
  expect(await first.stop()).toBe(0);
  expect(readFileSync(join(directory, 'k'), 'utf8')).toBe(text);
  await second.stop();
  expect(existsSync(join(directory, 'k'))).toBe(false);
});

test("a user's own kubeconfig is not replaced", async () => {
  writeFileSync(join(directory, 'config'), 'apiVersion: v1\nkind: Config\n');
  const run = new Run('--kubeconfig', 'config');
  expect(await run.status).toBe(1);
  expect(run.written).toEqual({
    out: '',
    error: 'config: exists and was not written by keelson, so it is not replaced; choose another file with --kubeconfig\n',
  });
  expect(readFileSync(join(directory, 'config'), 'utf8')).toBe('apiVersion: v1\nkind: Config\n');
});

test.each([
  ['absent/k', /^absent\/k: cannot be written: there is no folder .*absent; make it first\n$/],
  ['.', /^\.: cannot be written: it is a folder; name a file in it\n$/],
])('the file %s cannot be written', async (file, message) => {
  const run = new Run('--kubeconfig', file);
  expect(await run.status).toBe(1);
  expect(run.written.error).toMatch(message);
});

test('a port that is taken is told', async () => {
  const other = createServer();
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => resolve((other.address() as { readonly port: number }).port));
  });
  const run = new Run('--port', String(port));
  expect(await run.status).toBe(1);
  expect(run.written.error).toBe(`port ${port} is taken by another process; choose another, or none: then any is taken that is free\n`);
  await new Promise((resolve) => other.close(resolve));
});

test('manifests that are not there are told, and nothing goes on', async () => {
  const run = new Run('--kubeconfig', 'k', '-f', 'absent.yaml');
  expect(await run.status).toBe(1);
  expect(run.written.error).toMatch(/^manifests: .*absent\.yaml: there is no such file or folder\n$/);
  expect(existsSync(join(directory, 'k'))).toBe(false);
});

test('a manifest that is refused is reported, the others are created, and the server stays', async () => {
  const objects = [
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: Bad_name }\n',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: good }\n',
    'apiVersion: example.com/v1\nkind: Unknown\nmetadata: { name: x }\n',
  ];
  writeFileSync(join(directory, 'objects.yaml'), objects.join('---\n'));
  const run = new Run('--kubeconfig=k', '-f', 'objects.yaml', '--mode', 'envtest');
  await run.ready();
  expect(run.written.error).toMatch(/objects\.yaml, document 1 \(line 1\): ConfigMap Bad_name cannot be created: .*RFC 1123/);
  expect(run.written.error).toMatch(/document 3 .*: Unknown x cannot be created/);
  const client = createClient({ connection: await loadConnection({ kubeconfig: join(directory, 'k') }) });
  expect((await client.get(ConfigMap, { namespace: 'default', name: 'good' })).metadata.name).toBe('good');
  client.close();
  expect(await run.stop()).toBe(0);
});

test('with a folder for data a client keeps its kubeconfig over a restart, and manifests are left as they are', async () => {
  writeFileSync(join(directory, 'objects.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n');
  const options = ['--kubeconfig=k', '--data', 'kept', '-f', 'objects.yaml', '--port', String(await keptPort())];
  const first = new Run(...options);
  await first.ready();
  expect(first.written.out).toContain('Objects and keys are kept in kept. Ctrl-C ends it.\n');
  const own = join(directory, 'own');
  copyFileSync(join(directory, 'k'), own);
  await first.stop();
  const second = new Run(...options);
  await second.ready();
  expect(second.written.error).toBe('');
  const client = createClient({ connection: await loadConnection({ kubeconfig: own }) });
  expect((await client.get(ConfigMap, { namespace: 'default', name: 'a' })).metadata.name).toBe('a');
  client.close();
  expect(await second.stop()).toBe(0);
});

/** @returns its port */
async function startHook(
  review: (request: { readonly uid: string }) => object,
): Promise<{ server: Server; caBundle: string; port: number }> {
  const authority = CertificateAuthority.create({ commonName: 'hooks' });
  const { certificate: cert, privateKey: key } = authority.issueServing({ dnsNames: ['hooks.shop.svc'] });
  const server = createSecureServer({ cert, key }, (request, response) => {
    void json(request).then((body) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...(body as object), response: review((body as { request: { uid: string } }).request) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { server, caBundle: Buffer.from(authority.certificate).toString('base64'), port };
}

test('a webhook of a Service is asked at the port that --service names', async () => {
  const { server, caBundle, port } = await startHook(({ uid }) => ({ uid, allowed: false, status: { message: 'asked' } }));
  const run = new Run('--kubeconfig=k', '--mode', 'envtest', '--service', 'shop/other=1', '--service', `shop/hooks=${port}`);
  await run.ready();
  const client = createClient({ connection: await loadConnection({ kubeconfig: join(directory, 'k') }) });
  try {
    await client.create(ValidatingWebhookConfiguration, {
      metadata: { name: 'hooks' },
      webhooks: [
        {
          name: 'hooks.shop.example.com',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
          clientConfig: { service: { namespace: 'shop', name: 'hooks' }, caBundle },
        },
      ],
    });
    const created = client.create(ConfigMap, { metadata: { namespace: 'default', name: 'a' } });
    await expect(created).rejects.toThrow('admission webhook "hooks.shop.example.com" denied the request: asked');
  } finally {
    client.close();
    server.close();
    server.closeAllConnections();
    await run.stop();
  }
});

test('with a folder for certificates alone a client keeps its kubeconfig over a restart, but no object stays', async () => {
  const options = ['--kubeconfig=k', '--mode', 'envtest', '--cert-dir', 'keys', '--port', String(await keptPort())];
  const first = new Run(...options);
  await first.ready();
  expect(first.written.out).toContain('It keeps everything in memory.');
  const own = join(directory, 'own');
  copyFileSync(join(directory, 'k'), own);
  let client = createClient({ connection: await loadConnection({ kubeconfig: own }) });
  await client.create(ConfigMap, { metadata: { namespace: 'default', name: 'a' } });
  client.close();
  await first.stop();
  expect(readdirSync(join(directory, 'keys'))).toEqual(expect.arrayContaining(['ca.crt', 'ca.key']));
  const second = new Run(...options);
  await second.ready();
  client = createClient({ connection: await loadConnection({ kubeconfig: own }) });
  await expect(client.get(ConfigMap, { namespace: 'default', name: 'a' })).rejects.toThrow('not found');
  client.close();
  expect(await second.stop()).toBe(0);
});

test.each([
  [[], []],
  [['--feature', 'MutatingAdmissionPolicy'], ['MutatingAdmissionPolicy']],
])('the features %j are switched on', async (options, kinds) => {
  const run = new Run('--kubeconfig=k', '--mode', 'envtest', ...options);
  await run.ready();
  const client = createClient({ connection: await loadConnection({ kubeconfig: join(directory, 'k') }) });
  const path = '/apis/admissionregistration.k8s.io/v1beta1';
  const found = (await client.request({ method: 'GET', path }).catch(() => ({ resources: [] }))) as { resources: { kind: string }[] };
  client.close();
  expect(await run.stop()).toBe(0);
  expect(found.resources.map(({ kind }) => kind).filter((kind) => kind === 'MutatingAdmissionPolicy')).toEqual(kinds);
});

test('workloads without controllers are told', async () => {
  const run = new Run('--mode', 'envtest', '--workloads');
  expect(await run.status).toBe(1);
  expect(run.written.error).toContain("there are no controllers in mode 'envtest'");
});

test.each([
  [['--port', 'http'], 'keelson apiserver: --port http: is not a port; give a number up to 65535, or 0 for any port that is free\n'],
  [['--port', '65536'], 'keelson apiserver: --port 65536: is not a port'],
  [['--mode', 'full'], 'keelson apiserver: --mode full: is not known; choose cluster or envtest\n'],
  [['--feature', 'Everything'], 'keelson apiserver: --feature Everything: is not known; choose MutatingAdmissionPolicy\n'],
  [['objects.yaml'], 'keelson apiserver: objects.yaml is not expected; manifests are given with --filename\n'],
  [['--service', 'hooks=9443'], 'keelson apiserver: --service hooks=9443: give namespace/name=port, for example shop/hooks=9443\n'],
  [['--service', 'a/hooks=0'], 'keelson apiserver: --service a/hooks=0: give namespace/name=port'],
  [['--frob'], 'keelson apiserver: unknown option --frob'],
])('wrong use %j ends with status 2', async (args, message) => {
  const run = new Run(...args);
  expect(await run.status).toBe(2);
  expect(run.written.out).toBe('');
  expect(run.written.error).toContain(message);
  expect(run.written.error).toContain('See keelson apiserver --help.\n');
});

test('--help tells the options', async () => {
  const run = new Run('--help');
  expect(await run.status).toBe(0);
  expect(run.written.out).toMatch(
    /--port N.*--kubeconfig FILE.*--filename PATH.*--data FOLDER.*--cert-dir FOLDER.*--service .*--mode MODE.*--workloads/s,
  );
});

const MAIN = join(__dirname, '../../../src/cli/main.ts');

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('as a process it ends cleanly on %s, with a watch open', async (signal) => {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, 'apiserver', '--kubeconfig', join(directory, 'k')], {
    cwd: join(__dirname, '../../..'),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    expect(await firstOutput(child)).toContain('The API server listens at');
    const client = createClient({ connection: await loadConnection({ kubeconfig: join(directory, 'k') }) });
    await client.watch(Namespace);
    const ended = new Promise((resolve) => child.once('exit', (code, by) => resolve({ code, by })));
    child.kill(signal);
    expect(await ended).toEqual({ code: 0, by: null });
    client.close();
    expect(existsSync(join(directory, 'k'))).toBe(false);
  } finally {
    child.kill('SIGKILL');
  }
});

function firstOutput(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let error = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      error += text;
    });
    child.stdout?.setEncoding('utf8').once('data', resolve);
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${error}`)));
  });
}
