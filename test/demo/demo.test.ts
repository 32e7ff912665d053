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
function run(command: readonly string[], outdir: string): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    encoding: 'utf8',
    env: { ...process.env, CDK8S_OUTDIR: outdir },
  });
  return { status, stdout, stderr };
}

const bytesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]));

test('the demo ends well, tells what it wrote, and gives the same bytes as cdk8s synth', () => {
  const [demo, synth] = [join(work, 'demo'), join(work, 'synth')];
  const { status, stdout, stderr } = run([...TSX, 'scripts/demo.ts'], demo);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('CustomResourceDefinition        memcacheds.cache.example.com');
  expect(stdout).toMatch(/get, list, watch, create, patch, delete +deployments\.apps +everywhere +controller memcached owns deployments/);
  expect(stdout).toContain('/memcached-operator.k8s.yaml');
  expect(stdout).not.toContain('\u001b');

  expect(run([...CDK8S, '--output', synth], synth)).toMatchObject({ status: 0 });
  expect(bytesOf(demo)).toEqual(bytesOf(synth));
}, 60_000);

test('a demo that cannot write says so and fails', () => {
  const file = join(work, 'file');
  writeFileSync(file, '');
  const { status, stdout, stderr } = run([...TSX, 'scripts/demo.ts'], join(file, 'dist'));
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain('ENOTDIR');
}, 60_000);
