import { parse } from 'yaml';
import { customResourceDefinitionManifest } from '../../../src/keelson/definition/index.js';
import { structuralSchemaOf } from '../../../src/keelson/schema/index.js';
import { builtinSchema } from '../../../src/kubernetes/kinds/index.js';
import { checkStructural } from '../../../src/kubernetes/structural/index.js';
import { documentedForms, documentedOptions, headings } from './documented-forms.js';

test('every entry of docs/schema.md is read', () => {
  expect(documentedForms.length + documentedOptions.length).toBe(headings);
});

test.each(documentedForms)('docs/schema.md: $name', ({ schema, yaml }) => {
  const converted = structuralSchemaOf(schema(), { path: 'spec', resolveBuiltin: (name) => builtinSchema(name as 'PodSpec') });
  expect(converted).toEqual(parse(yaml));
  expect(Object.keys(converted)).toEqual(Object.keys(parse(yaml)));
  expect(checkStructural({ type: 'object', properties: { spec: converted } })).toEqual([]);
});

test.each(documentedOptions)('docs/schema.md, options: $name', ({ definition, part, yaml }) => {
  const manifest: unknown = customResourceDefinitionManifest(definition());
  const shown = part.split('.').reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>>)[key], manifest);
  // The schemas of versions are what the rest of the page is about.
  const versions = part === 'spec.versions' ? (shown as { schema: unknown }[]).map(({ schema: _schema, ...rest }) => rest) : shown;
  expect(versions).toEqual(parse(yaml));
});
