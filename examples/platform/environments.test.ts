import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'cdk8s';
import { addEnvironments, type Images } from './environments.js';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** The lines of each file that cdk8s writes. */
function synthesized(images: Images): ReadonlyMap<string, readonly string[]> {
  const outdir = mkdtempSync(join(tmpdir(), 'keelson-environments-'));
  folders.push(outdir);
  const app = new App({ outdir });
  addEnvironments(app, images);
  app.synth();
  return new Map(readdirSync(outdir).map((file) => [file, readFileSync(join(outdir, file), 'utf8').split('\n')]));
}

const image = (version: string): string => `registry.example.com/memcached-operator:${version}`;
const before = synthesized({ staging: image('0.1.0'), production: image('0.1.0') });

test('each environment is a file, with objects of the same kinds and names', () => {
  expect([...before.keys()].sort()).toEqual(['production.k8s.yaml', 'staging.k8s.yaml']);
  // cdk8s-plus makes the name of the RoleBinding from its path in the app.
  const identities = (file: string) =>
    before.get(file)?.filter((line) => /^(kind| {2}name| {2}namespace):/.test(line) && !line.startsWith('  name: rolebinding'));
  expect(identities('production.k8s.yaml')).toEqual(identities('staging.k8s.yaml'));
  expect(identities('production.k8s.yaml')?.length).toBeGreaterThan(40);
});

test('another image changes one line in the file of its environment, and none in the other', () => {
  const after = synthesized({ staging: image('0.2.0'), production: image('0.1.0') });
  expect(after.get('production.k8s.yaml')).toEqual(before.get('production.k8s.yaml'));
  const lines = before.get('staging.k8s.yaml') ?? [];
  const changed = after.get('staging.k8s.yaml')?.filter((line, index) => line !== lines[index]);
  expect(changed).toEqual([`          image: ${image('0.2.0')}`]);
  expect(after.get('staging.k8s.yaml')).toHaveLength(lines.length);
});
