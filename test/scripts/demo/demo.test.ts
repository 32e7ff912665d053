import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let work: string;
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'keelson-demo-'));
});
afterAll(() => rmSync(work, { recursive: true }));

const TSX = ['node_modules/tsx/dist/cli.mjs'];
const CDK8S = ['node_modules/cdk8s-cli/bin/cdk8s', 'synth', '--check-upgrade=false'];

/** Runs a command at the root, its manifests going to a folder of their own. */
function run(
  command: readonly string[],
  outdir: string,
  environment: NodeJS.ProcessEnv = {},
): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    encoding: 'utf8',
    env: { ...process.env, CDK8S_OUTDIR: outdir, ...environment },
  });
  return { status, stdout, stderr };
}

const bytesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]));

/** What the demo shows of the operator at work; other lines may stand between. */
const STORY = [
  'create the Memcached memcached-sample with 3 pods',
  'wants 3 of memcached:1.6; 3 available',
  'Ready=True PodsReady: 3 of 3 pods are available',
  'refuses: spec.size: Invalid value: 2: must be odd',
  'scale it to 5',
  'Ready=True PodsReady: 5 of 5 pods are available',
  'break its Deployment: 1 replica, of nginx',
  'wants 1 of nginx',
  'wants 5 of memcached:1.6',
  'delete its Deployment',
  'Deployment  is gone',
  'wants 5 of memcached:1.6; 5 available',
  'delete the Memcached',
  'Warning Deleting: Memcached memcached-sample is being deleted',
  'none was refused',
  'There is no etcd here that it can run',
  'npx tsx scripts/cluster/build-tools.ts etcd-3.5',
  'kubectl apply --server-side -f ',
];

function missingInOrder(text: string, parts: readonly string[]): string[] {
  let rest = text;
  return parts.filter((part) => {
    const at = rest.indexOf(part);
    if (at >= 0) rest = rest.slice(at + part.length);
    return at < 0;
  });
}

test('the demo ends well, tells what it wrote, shows the operator at work, says how to get etcd, and gives the same bytes as cdk8s synth', () => {
  const [demo, synth] = [join(work, 'demo'), join(work, 'synth')];
  const { status, stdout, stderr } = run([...TSX, 'scripts/demo.ts'], demo, { KEELSON_CACHE_DIR: work, KUBEBUILDER_ASSETS: '', PATH: '' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('CustomResourceDefinition        memcacheds.cache.example.com');
  expect(stdout).toMatch(/^list, watch, create, patch, delete +deployments\.apps +everywhere +controller memcached owns deployments/m);
  expect(stdout).toContain('/memcached-operator.k8s.yaml');
  expect(stdout).not.toContain('\u001b');
  expect(missingInOrder(stdout, STORY)).toEqual([]);

  expect(run([...CDK8S, '--output', synth], synth)).toMatchObject({ status: 0 });
  expect(bytesOf(demo)).toEqual(bytesOf(synth));
});

test('a demo that cannot write says so and fails', () => {
  const file = join(work, 'file');
  writeFileSync(file, '');
  const { status, stdout, stderr } = run([...TSX, 'scripts/demo.ts'], join(file, 'dist'));
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain('ENOTDIR');
});
