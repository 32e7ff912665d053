import {
  customResourceDefinitionBehaviour as behaviour,
  definitionErrors,
  definitionUpdateErrors,
} from '../../../../../src/api-server/kinds/custom-resources/index.js';
import type { StructuralSchema } from '../../../../../src/kubernetes/apimachinery/index.js';
import { storedDefinition, version, widgetSchema, widgets } from '../definitions.js';

const told = (errors: readonly { field: string; message: string }[]): readonly string[] =>
  errors.map(({ field, message }) => `${field}: ${message}`);

test('defaults complete names, conversion and the port of a service', () => {
  const conversion = {
    strategy: 'Webhook',
    webhook: { clientConfig: { service: { namespace: 'a', name: 'b' } }, conversionReviewVersions: ['v1'] },
  };
  const { spec } = storedDefinition(widgets({ conversion }));
  expect(spec.names).toEqual({ kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' });
  expect(spec.conversion?.webhook?.clientConfig?.service?.port).toBe(443);
  expect(storedDefinition(widgets()).spec.conversion).toEqual({ strategy: 'None' });
});

test('a create begins with the storage version and nothing else in its status', () => {
  const definition = storedDefinition({ ...widgets(), status: { storedVersions: ['v7'], acceptedNames: { plural: 'x', kind: 'X' } } });
  expect(JSON.stringify(definition.status)).toBe('{"conditions":null,"acceptedNames":{"plural":"","kind":""},"storedVersions":["v1"]}');
  expect(definition.metadata.generation).toBe(1);
});

describe('errors name what all versions share at the top', () => {
  const broken = { schema: widgetSchema({ type: 'object', properties: { a: { type: 'array' } } }) };
  const path = 'openAPIV3Schema.properties[spec].properties[a].items: Required value: must be specified';

  test('of one version everything', () => {
    expect(told(definitionErrors(storedDefinition(widgets({ versions: [version(broken)] }))))).toEqual([`spec.validation.${path}`]);
  });

  test('of several versions what is equal', () => {
    const versions = [version(broken), version({ ...broken, name: 'v2', storage: false })];
    expect(told(definitionErrors(storedDefinition(widgets({ versions }))))).toEqual([`spec.validation.${path}`]);
  });

  test('but not what differs', () => {
    const versions = [version(broken), version({ name: 'v2', storage: false })];
    expect(told(definitionErrors(storedDefinition(widgets({ versions }))))).toEqual([`spec.versions[0].schema.${path}`]);
  });
});

describe('an update', () => {
  const old = storedDefinition(widgets());
  const established = structuredClone(old);
  if (established.status) {
    established.status.conditions = [
      { type: 'Established', status: 'True', reason: 'r', message: 'm', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ];
  }
  const changed = (spec: object): typeof old => {
    const definition = storedDefinition(widgets(spec));
    behaviour.prepareForUpdate(definition, old);
    return definition;
  };

  test('may change scope and kind only before the definition is established', () => {
    const next = changed({ scope: 'Cluster', names: { kind: 'Gadget', plural: 'widgets' } });
    expect(told(definitionUpdateErrors(next, old))).toEqual([]);
    expect(told(definitionUpdateErrors(next, established))).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.kind: Invalid value: "Gadget": field is immutable',
    ]);
  });

  test('may not drop a version that was stored', () => {
    const next = changed({ versions: [version({ name: 'v2' })] });
    expect(next.status?.storedVersions).toEqual(['v1', 'v2']);
    expect(told(definitionUpdateErrors(next, old))).toEqual([
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
    ]);
  });

  test('may keep rules that are too dear, but not change the schema around them', () => {
    const dear = (description: string) => {
      const kept: StructuralSchema = { type: 'string', maxLength: 63, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] };
      const items: StructuralSchema = { type: 'object', description, required: ['k'], properties: { a: kept, k: { type: 'string' } } };
      const list: StructuralSchema = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], items };
      return { versions: [version({ schema: widgetSchema({ type: 'object', properties: { list } }) })] };
    };
    const before = changed(dear('before'));
    const refusal =
      'spec.validation.openAPIV3Schema.properties[spec].properties[list].items.properties[a].x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of 2.9x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
    expect(told(definitionErrors(before))).toEqual([refusal]);
    expect(told(definitionUpdateErrors(before, before))).toEqual([]);
    expect(told(definitionUpdateErrors(changed(dear('after')), before))).toEqual([refusal]);
  });

  test('counts a generation for a change of the spec alone', () => {
    expect(changed({ scope: 'Cluster' }).metadata.generation).toBe(2);
    expect(changed({}).metadata.generation).toBe(1);
  });

  test('warns of formats that are new and unknown', () => {
    const withFormat = changed({
      versions: [version({ schema: widgetSchema({ type: 'object', properties: { a: { type: 'string', format: 'odd' } } }) })],
    });
    expect(behaviour.warningsOnUpdate(withFormat, old)).toEqual(['unrecognized format "odd"']);
    expect(behaviour.warningsOnUpdate(withFormat, withFormat)).toEqual([]);
  });
});
