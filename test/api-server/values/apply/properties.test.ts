import fc from 'fast-check';
import {
  type ApiObject,
  applyPatch,
  compareTyped,
  customResourceType,
  type Endpoint,
  mergeValues,
  removeFields,
  toFieldSet,
  trackUpdate,
} from '../../../../src/api-server/values/apply/index.js';
import type { Json, StructuralSchema } from '../../../../src/kubernetes/apimachinery/index.js';

const text: StructuralSchema = { type: 'string' };
const SPEC: StructuralSchema = {
  type: 'object',
  properties: {
    text,
    set: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-list-type': 'set' },
    atomic: { type: 'array', items: text },
    map: { type: 'object', additionalProperties: text },
    list: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'protocol'],
      items: { type: 'object', properties: { name: text, protocol: { type: 'string', default: 'TCP' }, value: text } },
    },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};
const type = customResourceType({ type: 'object', properties: { spec: SPEC } });
const API_VERSION = 'example.com/v1';
const endpoint: Endpoint = {
  apiVersion: API_VERSION,
  kind: 'Thing',
  typeAt: (version) => (version === API_VERSION ? type : undefined),
  convert: (object) => object,
};
const empty: ApiObject = { apiVersion: API_VERSION, kind: 'Thing' };
const now = (): Date => new Date('2026-01-01T00:00:00Z');

const short = fc.constantFrom('a', 'b', 'c');
// No empty maps and lists: one that loses its last entry by pruning becomes null, and stays so until it is applied again.
const map = fc.dictionary(short, short, { minKeys: 1 });
const item = fc.record({ name: short, protocol: fc.constantFrom('TCP', 'UDP'), value: short }, { requiredKeys: ['name'] });
const free: fc.Arbitrary<Json> = fc.dictionary(short, fc.oneof(short, fc.constant(1), map, fc.array(short, { minLength: 1 })), {
  minKeys: 1,
});
const spec = fc.record(
  {
    text: short,
    set: fc.uniqueArray(fc.nat(5), { minLength: 1 }),
    atomic: fc.array(short, { minLength: 1 }),
    map,
    list: fc.uniqueArray(item, { selector: ({ name, protocol = 'TCP' }) => `${name} ${protocol}`, minLength: 1, maxLength: 6 }),
    free,
  },
  { requiredKeys: ['text'] },
);
const configs: fc.Arbitrary<ApiObject> = fc
  .record({ spec }, { requiredKeys: [] })
  .map((fields) => ({ ...empty, metadata: { name: 'a' }, ...fields }) as ApiObject);
const managers = fc.constantFrom('one', 'two', 'three');
const applies = fc.array(fc.tuple(managers, configs), { minLength: 1, maxLength: 6 });

function apply(live: ApiObject, manager: string, config: ApiObject): ApiObject {
  return applyPatch({ endpoint, live, empty, config, manager, force: true, now }).object;
}

function afterAll(steps: readonly (readonly [string, ApiObject])[]): ApiObject {
  return steps.reduce((live, [manager, config]) => apply(live, manager, config), empty);
}

const without = (object: ApiObject): ApiObject => {
  const { managedFields: _, ...metadata } = object['metadata'] as ApiObject;
  return { ...object, metadata };
};

test('applying the same again changes nothing, neither the object nor who owns it', () => {
  fc.assert(
    fc.property(applies, managers, configs, (steps, manager, config) => {
      const once = apply(afterAll(steps), manager, config);
      expect(apply(once, manager, config)).toEqual(once);
    }),
  );
});

test('what was applied is there: every leaf has its value', () => {
  fc.assert(
    fc.property(applies, managers, configs, (steps, manager, config) => {
      const object = without(apply(afterAll(steps), manager, config));
      const { modified, added } = compareTyped(type, object, mergeValues(type, object, config));
      expect(modified.union(added).isEmpty).toBe(true);
    }),
  );
});

test('who applies alone and then nothing leaves nothing behind', () => {
  fc.assert(
    fc.property(configs, (config) => {
      const bare = { ...empty, metadata: { name: 'a' } };
      expect(without(apply(apply(empty, 'one', config), 'one', bare))).toEqual(bare);
    }),
  );
});

test('two who apply the same own it together, and either may go', () => {
  fc.assert(
    fc.property(configs, (config) => {
      const bare = { ...empty, metadata: { name: 'a' } };
      const both = apply(apply(empty, 'one', config), 'two', config);
      expect(without(apply(both, 'one', bare))).toEqual(without(both));
    }),
  );
});

test('an update that changes nothing leaves no trace', () => {
  fc.assert(
    fc.property(applies, (steps) => {
      const live = { ...afterAll([['one', { ...empty, metadata: { name: 'a' } }], ...steps]) };
      const stored: ApiObject = { ...live, metadata: { ...(live['metadata'] as ApiObject), uid: '1' } };
      expect(trackUpdate({ endpoint, live: stored, updated: stored, manager: 'two', now })).toEqual({ object: stored });
    }),
  );
});

test('compare: equal values have no difference, and what one way adds the other removes', () => {
  fc.assert(
    fc.property(configs, configs, (left, right) => {
      const there = compareTyped(type, left, right);
      const back = compareTyped(type, right, left);
      expect(there.added.equals(back.removed)).toBe(true);
      expect(there.removed.equals(back.added)).toBe(true);
      expect(there.modified.equals(back.modified)).toBe(true);
      expect(there.added.intersection(there.removed).isEmpty).toBe(true);
      const nothing = compareTyped(type, left, left);
      expect([nothing.added, nothing.removed, nothing.modified].every((set) => set.isEmpty)).toBe(true);
    }),
  );
});

test('merging into itself changes nothing, and inputs are never changed', () => {
  fc.assert(
    fc.property(configs, configs, (live, config) => {
      const before = JSON.stringify([live, config]);
      expect(mergeValues(type, live, live)).toEqual(live);
      apply(apply(empty, 'one', live), 'two', config);
      removeFields(type, live, toFieldSet(type, config));
      expect(JSON.stringify([live, config])).toBe(before);
    }),
  );
});
