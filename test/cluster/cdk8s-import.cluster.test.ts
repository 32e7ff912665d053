import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments, stringify } from 'yaml';
import { z } from 'zod';
import { customResourceDefinitionManifest, defineCustomResource } from '../../src/keelson/definition/index.js';
import { k } from '../../src/keelson/schema/index.js';
import { applyAll } from './checks/index.js';
import { describeCluster, type TestObject } from './harness/index.js';
import { featureDefinitions } from './schema/zod-cases/index.js';

const run = promisify(execFile);
const BINARIES = join(__dirname, '../../node_modules/.bin');

/** What a platform team meets that consumes an operator's CRD with cdk8s: names of several words, lists of objects, maps, unions of types, enums. */
const Shop = defineCustomResource({
  group: 'import.example.com',
  kind: 'Shop',
  versions: {
    v1: {
      spec: z.object({
        replicaCount: k.int32().min(1).default(1),
        tier: z.enum(['gold', 'silver']),
        storage: k.quantity(),
        listener: k.intOrString().optional(),
        labels: z.record(z.string(), z.string()).optional(),
        shelves: k.listMap(z.object({ name: z.string().max(20), size: k.int32().optional() }), 'name').max(5),
        tolerations: z.array(k.builtin('Toleration')).optional(),
        window: z.object({ from: k.duration(), enabled: z.boolean().default(true) }).optional(),
      }),
      status: z.object({ conditions: k.conditions() }),
      columns: [{ name: 'Tier', type: 'string', jsonPath: '.spec.tier' }],
    },
  },
});

const SAMPLE_APP = `
import { App, Chart } from 'cdk8s';
import { Shop, ShopSpecListener, ShopSpecStorage, ShopSpecTier, ShopSpecTolerationsOperator } from './imports/import.example.com';

const app = new App();
const chart = new Chart(app, 'sample', { namespace: process.argv[2] });
new Shop(chart, 'shop', {
  metadata: { name: 'corner' },
  spec: {
    tier: ShopSpecTier.GOLD,
    storage: ShopSpecStorage.fromString('10Gi'),
    listener: ShopSpecListener.fromNumber(8080),
    labels: { street: 'main' },
    shelves: [{ name: 'fruit', size: 3 }, { name: 'tools' }],
    tolerations: [{ key: 'shops', operator: ShopSpecTolerationsOperator.EXISTS }],
    window: { from: '30m' },
  },
});
app.synth();
`;

/** Users of other languages meet an operator through `cdk8s import` of its CRD: the round trip must hold. */
describeCluster('cdk8s import of our definitions', (cluster) => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'keelson-import-'));
    symlinkSync(join(__dirname, '../../node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const importInto = async (name: string, manifest: unknown): Promise<void> => {
    writeFileSync(join(folder, `${name}.yaml`), stringify(manifest));
    mkdirSync(join(folder, 'imports'), { recursive: true });
    const parameters = ['import', `${name}.yaml`, '--language=typescript', '--output=imports', '--check-upgrade=false'];
    await run(join(BINARIES, 'cdk8s'), parameters, { cwd: folder });
  };
  const compile = (files: readonly string[]): Promise<unknown> => {
    const options = ['--outDir', 'out', '--target', 'es2022', '--module', 'node20', '--types', 'node', '--strict', '--skipLibCheck'];
    return run(join(BINARIES, 'tsc'), [...options, ...files], { cwd: folder }).catch((error: unknown) => {
      throw new Error(`tsc refuses the imported classes:\n${(error as { stdout?: string }).stdout}`, { cause: error });
    });
  };

  test('a sample written with the imported classes is accepted', async () => {
    const namespace = await cluster.namespace('import');
    const manifest = customResourceDefinitionManifest(Shop) as TestObject;
    await importInto('shop', manifest);
    writeFileSync(join(folder, 'main.ts'), SAMPLE_APP);
    await compile(['main.ts']);
    await run(process.execPath, ['out/main.js', namespace], { cwd: folder });
    const documents = parseAllDocuments(readFileSync(join(folder, 'dist', 'sample.k8s.yaml'), 'utf8'));
    const [sample] = documents.map((document) => document.toJS() as TestObject);
    const applied = await applyAll(cluster, [manifest, sample as TestObject]);
    await cluster.must('DELETE', await cluster.paths.pathOf(manifest));
    expect(applied.at(-1)?.object['spec']).toEqual({
      replicaCount: 1,
      tier: 'gold',
      storage: '10Gi',
      listener: 8080,
      labels: { street: 'main' },
      shelves: [{ name: 'fruit', size: 3 }, { name: 'tools' }],
      tolerations: [{ key: 'shops', operator: 'Exists' }],
      window: { from: '30m', enabled: true },
    });
  });

  test('every schema feature imports and compiles', async () => {
    for (const definition of featureDefinitions()) {
      // Each of its own group: cdk8s writes one file per group, and the next import would replace it.
      await importInto(definition.plural, customResourceDefinitionManifest({ ...definition, group: `${definition.plural}.example.com` }));
    }
    const files = readdirSync(join(folder, 'imports')).map((name) => join('imports', name));
    expect(files.length).toBeGreaterThanOrEqual(featureDefinitions().length);
    await compile(files);
  });
});
