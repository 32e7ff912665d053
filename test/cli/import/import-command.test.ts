import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runIn } from '../commands.js';

const crds = join(__dirname, '../../../scripts/crds');
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-import-'));
});
afterEach(() => rm(directory, { recursive: true }));

const run = (args: readonly string[], input = '') => runIn(directory, args, { readInput: async () => input });

test('import writes what keelson itself ships', async () => {
  const { status, out, error } = await run(['import', join(crds, 'cert-manager.yaml'), join(crds, 'prometheus-operator.yaml')]);
  expect([status, error]).toEqual([0, '']);
  expect(out).toBe(
    'imports/cert-manager.io/v1.ts: Certificate, ClusterIssuer, Issuer\nimports/monitoring.coreos.com/v1.ts: PodMonitor, PrometheusRule, ServiceMonitor\n',
  );
  for (const group of ['cert-manager.io', 'monitoring.coreos.com']) {
    const shipped = await readFile(join(__dirname, `../../../imports/third-party/${group}/v1.ts`), 'utf8');
    const written = await readFile(join(directory, `imports/${group}/v1.ts`), 'utf8');
    expect(written).toBe(shipped.replace('../../../src/kubernetes/kinds/index.js', 'keelson/kinds'));
  }
});

test('import reads standard input, and writes again what it has written', async () => {
  const yaml = await readFile(join(crds, 'cert-manager.yaml'), 'utf8');
  expect(await run(['import', '-', '-o', 'kinds'], yaml)).toMatchObject({ status: 0, error: '' });
  expect(await run(['import', '-', '--out=kinds'], yaml)).toMatchObject({ status: 0, error: '' });
});

test('import names what it left out', async () => {
  const yaml = await readFile(join(crds, 'cert-manager.yaml'), 'utf8');
  const { status, error } = await run(['import', '-'], `${yaml}\n---\napiVersion: v1\nkind: Namespace\n`);
  expect([status, error]).toEqual([0, 'Left out, as they are no CRDs: Namespace\n']);
});

test('a file that was written by hand is not touched', async () => {
  const yaml = await readFile(join(crds, 'cert-manager.yaml'), 'utf8');
  await run(['import', '-'], yaml);
  const file = join(directory, 'imports/cert-manager.io/v1.ts');
  await writeFile(file, 'export {};\n');
  const { status, error } = await run(['import', '-'], yaml);
  expect(status).toBe(1);
  expect(error).toBe(
    'imports/cert-manager.io/v1.ts: exists and was not written by keelson import; move it away, or choose another folder with --out\n',
  );
  expect(await readFile(file, 'utf8')).toBe('export {};\n');
});

test('kinds of an earlier run are not lost', async () => {
  const yaml = await readFile(join(crds, 'cert-manager.yaml'), 'utf8');
  await run(['import', '-'], yaml);
  const { status, error } = await run(['import', '-'], yaml.split('---\n')[0]);
  expect(status).toBe(1);
  expect(error).toContain('also holds ClusterIssuer, Issuer, which these files do not; pass all CRDs of the group in one run');
});

test('when one document is wrong, nothing is written', async () => {
  const yaml = await readFile(join(crds, 'cert-manager.yaml'), 'utf8');
  const { status, error } = await run(['import', '-'], `${yaml}---\n[]\n`);
  expect([status, error]).toEqual([1, expect.stringContaining('standard input, document 4: is not a Kubernetes object')]);
  await expect(readFile(join(directory, 'imports/cert-manager.io/v1.ts'))).rejects.toThrow('ENOENT');
});

test.each([
  ['missing.yaml', 'missing.yaml: cannot be read: no such file'],
  ['.', '.: cannot be read: it is a folder; name its files'],
  ['https://example.com/crd.yaml', 'fetch it first: curl -fsSL https://example.com/crd.yaml | keelson import -'],
])('%s cannot be read', async (file, message) => {
  const { status, error } = await run(['import', file]);
  expect(status).toBe(1);
  expect(error).toContain(message);
});
