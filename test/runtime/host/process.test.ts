import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type InProcessCluster, TestCluster } from '@keelson/testing';
import { Website, websiteOperator } from '../reconcile/website.js';

let cluster: InProcessCluster;
let directory: string;
let kubeconfig: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'keelson-process-'));
  kubeconfig = join(directory, 'kubeconfig');
  cluster = await TestCluster.start({ operator: websiteOperator, webhooks: false, namespace: 'shop' });
  writeFileSync(kubeconfig, await cluster.kubeconfig(cluster.operator), { mode: 0o600 });
});
const children = new Set<ChildProcessByStdio<null, Readable, Readable>>();
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await cluster.close();
  rmSync(directory, { recursive: true });
});

/** A process of an operator of its own. */
class OperatorProcess {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<number | null>;
  text = '';

  constructor(env: Readonly<Record<string, string>>) {
    this.#child = spawn(process.execPath, ['--import', 'tsx', join(__dirname, 'fixtures', 'operator-process.ts')], {
      env: {
        PATH: process.env['PATH'],
        KUBECONFIG: kubeconfig,
        POD_NAME: 'a',
        POD_NAMESPACE: 'website-operator-system',
        KEELSON_HEALTH_PORT: '0',
        KEELSON_METRICS_PORT: '0',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(this.#child);
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (this.text += text));
    this.ended = once(this.#child, 'close').then(([code]) => {
      children.delete(this.#child);
      return code as number | null;
    });
  }

  async says(text: string): Promise<void> {
    while (!this.text.includes(text)) {
      const [end] = await Promise.race([once(this.#child.stdout, 'data'), this.ended.then((code) => [{ code }] as const)]);
      if (typeof end === 'object') throw new Error(`it has ended, and did not say ${text}:\n${this.text}`);
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

test('a signal ends the process with exit code 0, though a reconciler has left a timer behind, and it says so', async () => {
  await cluster.create(Website({ metadata: { name: 'leaks' }, spec: {} }));
  const operator = new OperatorProcess({ TEST_LEAKS: 'yes' });
  await operator.says('"msg":"reconciling"');
  await cluster.until(Website, 'leaks', { status: { observedGeneration: 1 } });
  operator.signal('SIGTERM');
  expect(await operator.ended).toBe(0);
  expect(operator.text).toContain('the operator has ended, but something keeps the process alive');
});

test('without such a thing the process ends by itself', async () => {
  const operator = new OperatorProcess({});
  await operator.says('"msg":"reconciling"');
  operator.signal('SIGTERM');
  expect(await operator.ended).toBe(0);
  expect(operator.text).not.toContain('something keeps the process alive');
});

test('a port that is taken ends the process with exit code 1', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  const operator = new OperatorProcess({ KEELSON_HEALTH_PORT: String(port) });
  expect(await operator.ended).toBe(1);
  expect(operator.text).toContain(`probes: port ${port} cannot be listened on`);
  server.close();
});

test.each([
  ['an authority that cannot be read', 'certificate-authority'],
  ['a client certificate that cannot be read', 'client-certificate'],
])('%s is waited for and named, once for each kind; a signal ends that', async (_, field) => {
  const path = join(directory, `kubeconfig-${field}`);
  const missing = join(directory, 'missing.crt');
  const isAuthority = field === 'certificate-authority';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    clusters: [{ name: 'a', cluster: { server: cluster.server.url, ...(isAuthority ? { [field]: missing } : {}) } }],
    users: [{ name: 'a', user: isAuthority ? {} : { 'client-certificate': missing, 'client-key': missing } }],
  };
  writeFileSync(path, JSON.stringify(config));
  const operator = new OperatorProcess({ KUBECONFIG: path });
  await operator.says(missing);
  operator.signal('SIGTERM');
  expect(await operator.ended).toBe(0);
  const told = operator.text.split('\n').filter((line) => line.includes('"kind":"Website"'));
  expect(told).toHaveLength(1);
});
