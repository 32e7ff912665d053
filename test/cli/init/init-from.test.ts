import { join } from 'node:path';
import { keelson } from '../scaffolded.js';
import { TestFolder } from '../test-folder.js';
import { gadgetCrd } from '../translate/gadget-crd.js';

const folder = new TestFolder('from');

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
    folder.put('shop/PROJECT', project);
    folder.put(
      'shop/config/crd/bases/shop.example.com_gadgets.yaml',
      gadgetCrd({ spec: { size: { type: 'integer', format: 'int32', minimum: 1, maximum: 9 } } }),
    );
    folder.put('shop/config/crd/bases/README.yaml', 'resources: []\n');
    const { status, out, error } = await keelson(`init gadgets --from ${from} --jest`, folder.path);
    expect([status, error]).toEqual([0, '']);
    expect(folder.read('gadgets/src/gadget.ts')).toContain('size: k.int32().min(1).max(9).optional(),');
    expect(out).toContain('- Gadget: its defaulting and validating webhook is code: start with keelson create webhook Gadget\n');
    expect(out).toContain('- Certificate of cert-manager.io: PROJECT names it, and config/crd/bases has no CRD of it');
    expect(folder.read('gadgets/src/operator.test.ts')).toContain("from '@jest/globals'");
    expect(await keelson('create webhook Gadget', join(folder.path, 'gadgets'))).toMatchObject({ status: 0 });
  });

  test('without its CRDs is refused, with the command that makes them', async () => {
    folder.put('shop/PROJECT', project);
    const { status, error } = await keelson('init gadgets --from shop', folder.path);
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
  const ran = await keelson(args, folder.path);
  expect(ran.status).toBe(status);
  expect(ran.error).toContain(message);
});

test('a CRD that the API server would refuse is named with its problems, and nothing is written', async () => {
  folder.put('crd.yaml', gadgetCrd({ spec: { zones: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'map' } } }));
  const { status, error } = await keelson('init gadgets --from crd.yaml', folder.path);
  expect(status).toBe(1);
  expect(error).toContain('crd.yaml: cannot be defined; mend it first:');
  expect(() => folder.read('gadgets/package.json')).toThrow('ENOENT');
});

test('a CRD without a schema is refused as such, not as a fault of keelson', async () => {
  folder.put('crd.yaml', gadgetCrd({ version: { schema: undefined } }));
  const { status, error } = await keelson('init gadgets --from crd.yaml', folder.path);
  expect([status, error]).toEqual([1, expect.stringContaining('spec.versions[0].schema.openAPIV3Schema: is missing, expected the schema')]);
  expect(error).not.toContain('fault of keelson');
});

test('one bad CRD does not hide another, and does not block the rest', async () => {
  const wrong = { zones: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'map' } };
  folder.put('crds/a.yaml', gadgetCrd({ kind: 'Widget', spec: wrong }));
  folder.put('crds/b.yaml', gadgetCrd({ kind: 'Gizmo', spec: wrong }));
  folder.put('crds/c.yaml', gadgetCrd({}));
  folder.put('crds/d.yaml', `kind: CustomResourceDefinition\na: [`);
  const { status, error } = await keelson('init gadgets --from crds', folder.path);
  expect(status).toBe(1);
  for (const part of [
    '3 problems:',
    'a.yaml: cannot be defined',
    'b.yaml: cannot be defined',
    'd.yaml: not valid YAML',
    '--skip Widget --skip Gizmo',
  ])
    expect(error).toContain(part);
  folder.put('crds/d.yaml', '# CustomResourceDefinition\n');
  expect(await keelson('init gadgets --from crds --skip Widget --skip Gizmo.shop.example.com', folder.path)).toMatchObject({ status: 0 });
  expect(folder.read('gadgets/src/operator.ts')).toContain('controllers: [gadgetController]');
});

test('a CRD that stands in two files is taken once, and two that differ are refused', async () => {
  folder.put('twice/bases/crd.yaml', gadgetCrd({}));
  folder.put('twice/chart/crd.yaml', `# a copy\n${gadgetCrd({})}`);
  expect(await keelson('init gadgets --from twice', folder.path)).toMatchObject({ status: 0 });
  expect(folder.read('gadgets/src/operator.ts')).toContain('controllers: [gadgetController]');
  folder.put('twice/chart/crd.yaml', gadgetCrd({ spec: { size: { type: 'integer' } } }));
  const { status, error } = await keelson('init others --from twice', folder.path);
  expect(status).toBe(1);
  expect(error).toContain('chart/crd.yaml: Gadget.shop.example.com is another one in twice/bases/crd.yaml; leave one of the two out');
  expect(error).not.toContain('--skip');
});

test('--skip without --from is refused', async () => {
  const { status, error } = await keelson('init gadgets --group a.example.com --kind A --skip B --yes', folder.path);
  expect([status, error]).toEqual([2, expect.stringContaining('belong to --from')]);
});

test('a CRD that keeps unknown fields of stored objects is refused, unless pruning is allowed', async () => {
  folder.put('crd.yaml', gadgetCrd({ beside: { preserveUnknownFields: true } }));
  const { status, error } = await keelson('init gadgets --from crd.yaml', folder.path);
  expect([status, error]).toEqual([1, expect.stringContaining('would prune data of stored objects')]);
  expect(error).toContain('spec.preserveUnknownFields: ');
  const { out } = await keelson('init gadgets --from crd.yaml --allow-pruning', folder.path);
  expect(out).toContain('- pruned from stored objects, as --allow-pruning allows:\n  - `spec.preserveUnknownFields`');
});
