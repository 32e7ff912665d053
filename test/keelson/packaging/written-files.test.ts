import { parse } from 'yaml';
import { customKindsOf } from '../../../src/keelson/packaging/custom-kinds.js';
import { objectFileName } from '../../../src/keelson/packaging/object-file-name.js';
import { yamlText } from '../../../src/keelson/packaging/yaml-text.js';

test('YAML is written so that readers of 1.1 take no text for a boolean or a number, and without anchors', () => {
  const labels = { switch: 'on', answer: 'no', octal: '0777' };
  const text = yamlText({ labels, selector: labels, long: 'word '.repeat(60) });
  expect(parse(text, { version: '1.1' })).toEqual({ labels, selector: labels, long: 'word '.repeat(60) });
  expect(text).not.toMatch(/[&*]/);
  expect(text.split('\n')).toHaveLength(10);
});

test.each([
  ['operator/deployment/Resource', 'deployment'],
  ['operator/Resource', 'operator'],
  ['quota-*', 'quota'],
  ['roles/a *b* c', 'roles/a-b-c'],
  ['a:b/c', 'a-b/c'],
])('the object at %s is in the file %s', (key, file) => {
  expect(objectFileName(key)).toBe(file);
});

test('kinds of a package are the served versions that its definitions name', () => {
  const schema = { openAPIV3Schema: { type: 'object' } };
  const spec = {
    group: 'example.com',
    names: { kind: 'Website', plural: 'websites' },
    scope: 'Namespaced',
    versions: [
      { name: 'v1', served: true, schema },
      { name: 'v1alpha1', served: false, schema },
    ],
  };
  expect(
    customKindsOf([
      { kind: 'Service', spec },
      { kind: 'CustomResourceDefinition', spec },
    ]),
  ).toEqual([
    { group: 'example.com', version: 'v1', kind: 'Website', plural: 'websites', scope: 'Namespaced', schema: { type: 'object' } },
  ]);
});
