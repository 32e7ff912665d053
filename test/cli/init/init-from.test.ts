import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keelson } from '../scaffolded.js';
import { gadgetCrd } from '../translate/gadget-crd.js';

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
      gadgetCrd({ spec: { size: { type: 'integer', format: 'int32', minimum: 1, maximum: 9 } } }),
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
  put('crd.yaml', gadgetCrd({ spec: { zones: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'map' } } }));
  const { status, error } = await keelson('init gadgets --from crd.yaml', directory);
  expect(status).toBe(1);
  expect(error).toContain('crd.yaml: cannot be defined; mend it first:');
  expect(() => read('gadgets/package.json')).toThrow('ENOENT');
});

test('a kind whose name the generated code needs is refused', async () => {
  put('crd.yaml', gadgetCrd({ kind: 'Operator' }));
  const { status, error } = await keelson('init gadgets --from crd.yaml', directory);
  expect([status, error]).toEqual([1, expect.stringContaining('Operator.shop.example.com: is a name that the generated code uses')]);
});
