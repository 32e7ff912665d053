import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANSI, countsByKind, manifestTree, readManifests } from '../../../scripts/demo/index.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keelson-demo-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: things.example.com }
spec:
  scope: Namespaced
  versions:
    - { name: v1, served: true, storage: true, subresources: { status: {} }, additionalPrinterColumns: [{ name: Size }] }
    - { name: v1alpha1, served: false, storage: false, deprecated: true }
`;

const WEBHOOKS = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: things }
webhooks:
  - failurePolicy: Ignore
    clientConfig: { service: { name: s, namespace: n, path: /check } }
    rules: [{ operations: [CREATE, UPDATE], resources: [things] }]
`;

const OBJECT = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings, namespace: shop }\n';

test('a tree shows files, objects in order, and what a reviewer asks first', () => {
  writeFileSync(join(folder, 'a.k8s.yaml'), [CRD, WEBHOOKS].join('---\n'));
  mkdirSync(join(folder, 'sub'));
  writeFileSync(join(folder, 'sub/b.k8s.yaml'), OBJECT);
  const files = readManifests(folder);
  expect(manifestTree('dist', files)).toMatchInlineSnapshot(`
"dist/
|-- a.k8s.yaml  2 objects, 0.6 kB
|   |-- CustomResourceDefinition        things.example.com
|   |                                   scope Namespaced
|   |                                   version v1: served, stored; subresources status; columns Size
|   |                                   version v1alpha1: not served, deprecated
|   \`-- ValidatingWebhookConfiguration  things
|                                       /check on CREATE, UPDATE of things; failurePolicy Ignore
\`-- sub/b.k8s.yaml  1 object, 0.1 kB
    \`-- ConfigMap  settings (namespace shop)"
`);
  expect(countsByKind(files)).toBe('3 objects: 1 CustomResourceDefinition, 1 ValidatingWebhookConfiguration, 1 ConfigMap');
});

test('a text for a file or a pipe has no control characters; one for a terminal has', () => {
  writeFileSync(join(folder, 'a.yaml'), OBJECT);
  expect(manifestTree('dist', readManifests(folder))).not.toContain('\u001b');
  expect(manifestTree('dist', readManifests(folder), ANSI)).toContain('\u001b[1mdist/');
});

test('a file that is not what it claims is an error that names it', () => {
  writeFileSync(join(folder, 'a.yaml'), 'kind: [');
  expect(() => readManifests(folder)).toThrow(/^a\.yaml: /);
  writeFileSync(join(folder, 'a.yaml'), 'kind: Thing\n');
  expect(() => readManifests(folder)).toThrow('a.yaml: a document is not a Kubernetes object: it lacks apiVersion, kind or metadata');
});
