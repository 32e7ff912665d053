import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeCluster } from './harness/index.js';

const ROOT = join(__dirname, '../..');
const MAIN = join(ROOT, 'src/cli/main.ts');

const MANIFESTS = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget, listKind: WidgetList }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { size: { type: integer, default: 3 } } } } } }
      additionalPrinterColumns: [{ name: Size, type: integer, jsonPath: .spec.size }]
---
apiVersion: example.com/v1
kind: Widget
metadata: { name: given }
spec: {}
`;

/** `keelson apiserver`, as a user of kubectl meets it. */
describeCluster('keelson apiserver serves the real kubectl', (cluster) => {
  let directory: string;
  let server: ChildProcess;
  let printed: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'keelson-command-'));
    writeFileSync(join(directory, 'manifests.yaml'), MANIFESTS);
    server = start('--kubeconfig', join(directory, 'kubeconfig'), '--workloads', '-f', join(directory, 'manifests.yaml'));
    printed = await firstOutput(server);
  });
  afterAll(() => {
    server?.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });

  /** A shell in which kubectl is found, and nothing that would lead it to another cluster. */
  function shell(script: string): ChildProcess {
    const PATH = `${dirname(cluster.connection.kubectl)}:${process.env['PATH']}`;
    return spawn('/bin/sh', ['-e', '-c', script], { cwd: directory, env: { PATH, HOME: directory }, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  const kubectl = (script: string): Promise<Ended> => ended(shell(`export KUBECONFIG=kubeconfig\n${script}`));

  test('what it prints can be pasted into a shell', async () => {
    const commands = printed.split('\n').filter((line) => line.startsWith('  '));
    const { code, stdout, stderr } = await ended(shell(commands.join('\n')));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^NAME +STATUS +AGE\ndefault +Active/);
  });

  test('manifests are there, and more can be applied', async () => {
    const { stdout } = await kubectl(
      'kubectl get widgets; kubectl create configmap a --from-literal=x=1; kubectl explain widget.spec.size',
    );
    expect(stdout).toMatch(/^NAME +SIZE\ngiven +3\nconfigmap\/a created\n.*FIELD: size <integer>/s);
  });

  test('workloads roll out', async () => {
    const { code, stdout } = await kubectl(
      'kubectl create deployment web --image=web:1 --replicas=2; kubectl rollout status deployment/web --timeout=30s',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('deployment "web" successfully rolled out');
  });

  test('its port is told to be taken by a second one', async () => {
    const port = /https:\/\/127\.0\.0\.1:(\d+)/.exec(printed)?.[1] ?? '';
    const second = await ended(start('--port', port));
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toBe(`port ${port} is taken by another process; choose another, or none: then any is taken that is free\n`);
  });

  test('an interrupt ends it, and the watches of its clients', async () => {
    const watching = shell('kubectl --kubeconfig=kubeconfig get configmaps --watch --output=name');
    const watched = ended(watching);
    await firstOutput(watching);
    const over = ended(server);
    server.kill('SIGINT');
    expect(await over).toMatchObject({ code: 0, stderr: '' });
    expect((await watched).code).not.toBeNull();
    expect(existsSync(join(directory, 'kubeconfig'))).toBe(false);
  });
});

function start(...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', MAIN, 'apiserver', ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function ended(child: ChildProcess): Promise<Ended> {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...written }));
  });
}

function firstOutput(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').once('data', resolve);
    void ended(child).then(({ code, stderr }) => reject(new Error(`ended with ${code}: ${stderr}`)));
  });
}
