import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { CronJob } from '../../examples/cronjob/cron-job.js';
import { EtcdBackup } from '../../examples/etcd/backup/etcd-backup.js';
import { EtcdCluster } from '../../examples/etcd/cluster/etcd-cluster.js';
import { EtcdRestore } from '../../examples/etcd/restore/etcd-restore.js';
import { Memcached } from '../../examples/memcached/memcached.js';
import { PodMonitor, Prometheus, PrometheusRule, ServiceMonitor } from '../../examples/prometheus/kinds.js';
import { SidecarSet } from '../../examples/sidecarset/sidecar-set.js';
import { customResourceDefinitionManifest } from '../../src/index.js';
import { compiled, emptyWork, keelson, node } from './scaffolded.js';

const root = process.cwd();
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keelson-from-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const put = (path: string, text: string): void => {
  mkdirSync(join(directory, path, '..'), { recursive: true });
  writeFileSync(join(directory, path), text);
};
const read = (path: string): string => readFileSync(join(directory, path), 'utf8');

interface CrdParts {
  readonly kind?: string;
  readonly spec?: object;
  readonly version?: object;
  readonly beside?: object;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A CRD as controller-gen writes it, with what a test is about. */
function crd({ kind = 'Gadget', spec = {}, version = {}, beside = {}, annotations }: CrdParts): string {
  const plural = `${kind.toLowerCase()}s`;
  return stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.shop.example.com`, ...(annotations && { annotations }) },
    spec: {
      group: 'shop.example.com',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              required: ['spec'],
              properties: {
                apiVersion: { type: 'string' },
                kind: { type: 'string' },
                metadata: { type: 'object' },
                spec: { type: 'object', properties: spec },
              },
            },
          },
          ...version,
        },
      ],
      ...beside,
    },
  });
}

describe('the definitions of the examples, from their CRDs', () => {
  const kinds = {
    CronJob,
    EtcdBackup,
    EtcdCluster,
    EtcdRestore,
    Memcached,
    Prometheus,
    ServiceMonitor,
    PodMonitor,
    PrometheusRule,
    SidecarSet,
  };
  const manifests = Object.entries(kinds).map(([kind, { customResource }]) => ({
    kind,
    manifest: customResourceDefinitionManifest(customResource, { conversionWebhook: false }) as unknown as Readonly<
      Record<string, unknown>
    >,
  }));
  const work = emptyWork('init-from');
  let said = '';

  beforeAll(async () => {
    writeFileSync(
      join(work, 'crds.yaml'),
      manifests.map(({ manifest }) => stringify(manifest, { aliasDuplicateObjects: false })).join('---\n'),
    );
    const { status, out, error } = await keelson('init all --from crds.yaml', work);
    expect([status, error]).toEqual([0, '']);
    said = out;
  }, 60_000);

  test('make the very CRDs again', () => {
    writeFileSync(
      join(work, 'emit.ts'),
      `import { customResourceDefinitionManifest } from 'keelson';
import { operator } from './all/src/operator.js';
const all = operator.controllers.map(({ for: { customResource } }: any) => [customResource.kind, customResourceDefinitionManifest(customResource, { conversionWebhook: false })]);
console.log(JSON.stringify(Object.fromEntries(all)));
`,
    );
    const made = JSON.parse(
      node([join(root, 'node_modules/tsx/dist/cli.mjs'), '--tsconfig', join(root, 'tsconfig.json'), 'emit.ts'], work),
    ) as object;
    expect(Object.keys(made).sort()).toEqual(Object.keys(kinds).sort());
    // A version whose objects are converted is left out, and listed.
    const kept = manifests.map(({ kind, manifest }) => [kind, { ...manifest, spec: keptOf(manifest['spec']) }]);
    expect(made).toEqual(JSON.parse(JSON.stringify(Object.fromEntries(kept))));
  }, 60_000);

  const keptOf = (value: unknown): object => {
    const spec = value as { readonly versions: readonly { readonly storage: boolean }[] };
    return { ...spec, versions: spec.versions.filter(({ storage }) => storage || spec.versions.length === 1) };
  };

  test('compile', () => {
    rmSync(join(work, 'emit.ts'), { force: true });
    expect(compiled(work)).toBe('');
  }, 60_000);

  test('list what is not in them', () => {
    expect(said).toContain('Beside the CRDs');
    expect(readFileSync(join(work, 'all/README.md'), 'utf8')).toContain('## Beside the CRDs');
    expect(said).not.toContain('the definition says it otherwise');
  });
});

test('Go types without bounds are read as such, and it is said', async () => {
  put(
    'crd.yaml',
    crd({
      spec: {
        replicas: { type: 'integer', format: 'int32' },
        bytes: { type: 'integer' },
        port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      },
    }),
  );
  const { status, out } = await keelson('init gadgets --from crd.yaml', directory);
  expect(status).toBe(0);
  const text = read('gadgets/src/gadget.ts');
  for (const line of ['replicas: k.int32().optional(),', 'bytes: k.int64().optional(),', 'port: k.intOrString().optional(),'])
    expect(text).toContain(line);
  expect(out).toContain(
    'bounded as the Go type is: values beyond were lost before, and are refused now: `v1.spec.replicas`, `v1.spec.bytes`, `v1.spec.port`',
  );
});

test('what no form of zod says stays word for word, and is listed', async () => {
  const source = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  };
  put('crd.yaml', crd({ spec: { source, pattern: { type: 'string', pattern: '^(?i)abc.$' } } }));
  const { out } = await keelson('init gadgets --from crd.yaml', directory);
  expect(read('gadgets/src/gadget.ts')).toContain("oneOf: [{ required: ['a'] }, { required: ['b'] }]");
  expect(out).toContain('  - `v1.spec.source`: oneOf\n');
  expect(out).toContain('  - `v1.spec.pattern`: pattern\n');
});

test('a condition on the whole spec is left out, not the types below it', async () => {
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }] } },
  };
  put('crd.yaml', crd({ version: { schema: { openAPIV3Schema: schema } } }));
  const { out } = await keelson('init gadgets --from crd.yaml', directory);
  expect(read('gadgets/src/gadget.ts')).toContain('a: z.string().optional(),');
  expect(out).toContain('  - `v1.spec`: anyOf\n');
});

test('conditions and types of Kubernetes are known by their fields', async () => {
  const selector = {
    type: 'object',
    properties: {
      name: { type: 'string', default: '', description: 'of the Secret' },
      key: { type: 'string' },
      optional: { type: 'boolean' },
    },
    required: ['key'],
    'x-kubernetes-map-type': 'atomic',
  };
  put('crd.yaml', crd({ spec: { password: selector } }));
  const { out } = await keelson('init gadgets --from crd.yaml', directory);
  expect(read('gadgets/src/gadget.ts')).toMatch(/password: k\.builtin\('(SecretKeySelector|ConfigMapKeySelector)'\)\.optional\(\),/);
  expect(out).toContain('without its description: kubectl explain shows less: `v1.spec.password`');
});

test('columns, names, deprecation and subresources are kept', async () => {
  const version = {
    additionalPrinterColumns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', priority: 0 }],
    deprecated: true,
    deprecationWarning: 'use v2',
  };
  put('crd.yaml', crd({ version, annotations: { 'controller-gen.kubebuilder.io/version': 'v0.19.0', owner: 'shop' } }));
  const { out } = await keelson('init gadgets --from crd.yaml', directory);
  const text = read('gadgets/src/gadget.ts');
  for (const part of [
    "{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }",
    "deprecated: 'use v2',",
    "annotations: { owner: 'shop' },",
  ])
    expect(text).toContain(part);
  expect(out).toContain('  - `metadata.annotations`: controller-gen.kubebuilder.io/version\n');
  expect(out).not.toContain('the definition says it otherwise');
});

describe('a kubebuilder project', () => {
  const project = `domain: example.com
layout:
- go.kubebuilder.io/v4
projectName: shop
repo: example.com/shop
resources:
- { api: { crdVersion: v1 }, controller: true, domain: example.com, group: shop, kind: Gadget, version: v1, webhooks: { defaulting: true, validation: true, webhookVersion: v1 } }
- { controller: true, external: true, domain: io, group: cert-manager, kind: Certificate, version: v1 }
version: "3"
`;

  test.each(['shop', 'shop/PROJECT'])('%s gives its CRDs, and a list of its code', async (from) => {
    put('shop/PROJECT', project);
    put(
      'shop/config/crd/bases/shop.example.com_gadgets.yaml',
      crd({ spec: { size: { type: 'integer', format: 'int32', minimum: 1, maximum: 9 } } }),
    );
    put('shop/config/crd/bases/README.yaml', 'resources: []\n');
    const { status, out, error } = await keelson(`init gadgets --from ${from} --jest`, directory);
    expect([status, error]).toEqual([0, '']);
    expect(read('gadgets/src/gadget.ts')).toContain('size: k.int32().min(1).max(9).optional(),');
    expect(out).toContain('- Gadget: its defaulting and validating webhook is code: start with keelson create webhook Gadget\n');
    expect(out).toContain('- Certificate of cert-manager.io: PROJECT names it, and config/crd/bases has no CRD of it');
    expect(read('gadgets/src/operator.test.ts')).toContain("from '@jest/globals'");
    expect(await keelson('create webhook Gadget', join(directory, 'gadgets'))).toMatchObject({ status: 0 });
  });

  test('without its CRDs is refused, with the command that makes them', async () => {
    put('shop/PROJECT', project);
    const { status, error } = await keelson('init gadgets --from shop', directory);
    expect(status).toBe(1);
    expect(error).toContain('a kubebuilder project makes its CRDs with make manifests');
  });
});

test.each([
  ['init gadgets --from missing.yaml', 1, 'missing.yaml: cannot be read: no such file or folder'],
  ['init gadgets --from .', 1, '.: no file in it holds a CustomResourceDefinition'],
  ['init gadgets --from crd.yaml --kind Gadget', 2, '--kind: the CRDs of --from say it; leave it out'],
  ['init --from crd.yaml', 2, 'FOLDER: not given'],
  ['init My_Gadgets --from crd.yaml', 2, "the folder's name, My_Gadgets: must be lower case letters"],
])('%s is refused', async (args, status, message) => {
  const ran = await keelson(args, directory);
  expect(ran.status).toBe(status);
  expect(ran.error).toContain(message);
});

test('a CRD that the API server would refuse is named with its problems, and nothing is written', async () => {
  put('crd.yaml', crd({ spec: { zones: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'map' } } }));
  const { status, error } = await keelson('init gadgets --from crd.yaml', directory);
  expect(status).toBe(1);
  expect(error).toContain('crd.yaml: cannot be defined; mend it first:');
  expect(() => read('gadgets/package.json')).toThrow('ENOENT');
});

test('a kind whose name the generated code needs is refused', async () => {
  put('crd.yaml', crd({ kind: 'Operator' }));
  const { status, error } = await keelson('init gadgets --from crd.yaml', directory);
  expect([status, error]).toEqual([1, expect.stringContaining('Operator.shop.example.com: is a name that the generated code uses')]);
});
