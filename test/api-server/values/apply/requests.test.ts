import {
  type ApiObject,
  type ApplyRefusal,
  ApplyRefused,
  applyPatch,
  builtinTypes,
  customResourceType,
  type Endpoint,
  emptyObject,
  fieldPath,
  type OpenApiSchema,
  revertTimes,
  toParentEntries,
  toScaleEntries,
  trackUpdate,
} from '../../../../src/api-server/values/apply/index.js';
import type { ManagedFieldsEntry, StructuralSchema } from '../../../../src/kubernetes/apimachinery/index.js';

const API_VERSION = 'example.com/v1';
const text: StructuralSchema = { type: 'string' };
const schema: StructuralSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        a: text,
        b: text,
        size: { type: 'integer' },
        on: { type: 'boolean' },
        set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
        items: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name', 'kind'],
          items: { type: 'object', properties: { name: text, kind: text, value: text } },
        },
      },
    },
    status: { type: 'object', properties: { phase: text } },
  },
};
const type = customResourceType(schema);
const empty: ApiObject = { apiVersion: API_VERSION, kind: 'Thing' };

function endpoint(subresource = ''): Endpoint {
  return {
    apiVersion: API_VERSION,
    kind: 'Thing',
    subresource,
    typeAt: (version) => (version === API_VERSION ? type : undefined),
    convert: (object) => object,
    resetFields: { [API_VERSION]: [fieldPath(subresource === 'status' ? 'spec' : 'status')] },
  };
}

function thing(spec: ApiObject | undefined, metadata: ApiObject = {}): ApiObject {
  return { ...empty, metadata: { name: 'a', namespace: 'default', ...metadata }, ...(spec === undefined ? {} : { spec }) };
}

const at = (second: number) => () => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

interface Options {
  readonly second?: number;
  readonly force?: boolean;
  readonly subresource?: string;
}

function apply(live: ApiObject, manager: string, config: ApiObject, options: Options = {}): ApiObject {
  const { second = 0, force = false, subresource = '' } = options;
  return applyPatch({ endpoint: endpoint(subresource), live, empty, config, manager, force, now: at(second) }).object;
}

function update(live: ApiObject, manager: string, updated: ApiObject, second = 0): ApiObject {
  return trackUpdate({ endpoint: endpoint(), live, updated, manager, now: at(second) }).object;
}

const stored = (object: ApiObject): ApiObject => ({ ...object, metadata: { ...(object['metadata'] as ApiObject), uid: '1' } });
const entriesOf = (object: ApiObject): ManagedFieldsEntry[] =>
  ((object['metadata'] as ApiObject)['managedFields'] ?? []) as unknown as ManagedFieldsEntry[];
const managersOf = (object: ApiObject): string[] => entriesOf(object).map(({ manager, operation }) => `${manager} ${operation}`);

function refusalOf(step: () => unknown): ApplyRefusal {
  try {
    step();
  } catch (error) {
    if (error instanceof ApplyRefused) return error.refusal;
    throw error;
  }
  throw new Error('it was not refused');
}

describe('conflicts', () => {
  test('one', () => {
    const live = stored(update(empty, 'm', thing({ a: '1' })));
    expect(refusalOf(() => apply(live, 'x', thing({ a: '2' })))).toEqual({
      status: 409,
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "m" using example.com/v1: .spec.a',
      causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "m" using example.com/v1', field: '.spec.a' }],
    });
  });

  test('several, grouped by manager', () => {
    const first = stored(update(empty, 'u', thing({ a: '1', b: '1' })));
    const live = apply(first, 'q', thing({ a: '1', items: [{ name: 'n', kind: 'k', value: '1' }] }));
    const refusal = refusalOf(() => apply(live, 'x', thing({ a: '2', b: '2', items: [{ name: 'n', kind: 'k', value: '2' }] })));
    expect(refusal.message).toBe(
      'Apply failed with 4 conflicts: conflicts with "q":\n- .spec.a\n- .spec.items[kind="k",name="n"].value\n' +
        'conflicts with "u" using example.com/v1:\n- .spec.a\n- .spec.b',
    );
  });

  test('a subresource is named, and force takes the field', () => {
    const live = apply(
      stored(update(empty, 'u', thing(undefined))),
      's',
      { ...thing(undefined), status: { phase: '1' } },
      { subresource: 'status' },
    );
    const config = { ...thing(undefined), status: { phase: '2' } };
    const refusal = refusalOf(() => apply(live, 'x', config, { subresource: 'status' }));
    expect(refusal.message).toBe('Apply failed with 1 conflict: conflict with "s" with subresource "status": .status.phase');
    expect(managersOf(apply(live, 'x', config, { subresource: 'status', force: true }))).toEqual(['x Apply']);
  });

  test('the same value is owned together', () => {
    const live = apply(apply(empty, 'one', thing({ a: '1' })), 'two', thing({ a: '1' }));
    // The second changed nothing, so its entry has no time, and comes first.
    expect(managersOf(live)).toEqual(['two Apply', 'one Apply']);
  });
});

test.each<[string, ApiObject, number, string]>([
  ['another kind', { ...thing({}), kind: 'Other' }, 400, 'invalid object type: example.com/v1, Kind=Other'],
  ['another version', { ...thing({}), apiVersion: 'v1' }, 400, 'invalid object type: /v1, Kind=Thing'],
  ['managed fields', thing({}, { managedFields: [] }), 400, 'metadata.managedFields must be nil'],
  ['an unknown field', thing({ x: 1 }), 500, '.spec.x: field not declared in schema'],
  ['a number for a text', thing({ a: 1 }), 500, '.spec.a: expected string, got &value.valueUnstructured{Value:1}'],
  ['a text for a number', thing({ size: '1' }), 500, '.spec.size: expected numeric (int or float), got string'],
  ['a text for a boolean', thing({ on: 'yes' }), 500, '.spec.on: expected boolean, got &{yes}'],
  ['a list for a map', { ...thing({}), spec: [] }, 500, '.spec: expected map, got &{[]}'],
  ['a map for a list', thing({ set: { b: [1], a: null } }), 500, '.spec.set: expected list, got &{map[a:<nil> b:[1]]}'],
  ['an item twice', thing({ set: ['x', 'x'] }), 500, '.spec.set: duplicate entries for key [="x"]'],
  [
    'null in a set',
    thing({ set: [null] }),
    500,
    ".spec.set: element 0: associative list without keys has an element that's an explicit null",
  ],
  [
    'an item without a key',
    thing({ items: [{ value: 'x' }] }),
    500,
    `.spec.items: element 0: associative list with keys has an element that omits all key fields ["name" "kind"] (and doesn't have default values for any key fields)`,
  ],
  [
    'two mistakes',
    thing({ a: 1, size: true }),
    500,
    'errors:\n  .spec.a: expected string, got &value.valueUnstructured{Value:1}\n  .spec.size: expected numeric (int or float), got bool',
  ],
])('%s is refused', (_, config, status, message) => {
  const prefix = 'failed to create typed patch object (default/a; example.com/v1, Kind=Thing): ';
  const refusal = refusalOf(() => apply(empty, 'x', config));
  expect(refusal).toEqual({
    status,
    message: status === 500 ? `${prefix}${message}` : message,
    ...(status === 400 ? { reason: 'BadRequest' } : {}),
  });
});

test('entries that cannot be read refuse an apply; an update goes on without them', () => {
  const broken = thing({ a: '1' }, { uid: '1', managedFields: [{ manager: 'm', operation: 'Nothing', apiVersion: 'v1' }] });
  expect(refusalOf(() => apply(broken, 'x', thing({})))).toEqual({
    status: 500,
    message: 'failed to decode managed fields: operation must be `Apply` or `Update`',
  });
  expect(entriesOf(update(broken, 'u', broken))).toEqual([]);
});

describe('who is recorded', () => {
  test('what was there before the first apply', () => {
    const live = thing({ a: '1', b: '1' }, { uid: '1', labels: { x: '1' } });
    const applied = apply(live, 'x', thing({ a: '1' }));
    expect(managersOf(applied)).toEqual(['x Apply', 'before-first-apply Update']);
    expect(entriesOf(applied)[1]?.fieldsV1).toEqual({
      'f:metadata': { 'f:labels': { '.': {}, 'f:x': {} } },
      'f:spec': { '.': {}, 'f:a': {}, 'f:b': {} },
    });
  });

  test('an object without entries gets none by an update; one that is created does', () => {
    expect(entriesOf(update(thing({ a: '1' }, { uid: '1' }), 'u', thing({ a: '2' }, { uid: '1' })))).toEqual([]);
    expect(managersOf(update(empty, '', thing({ a: '1' })))).toEqual(['unknown Update']);
  });

  test('entries in a request count, an empty list or entry starts anew, a missing list changes nothing', () => {
    const live = stored(update(empty, 'u', thing({ a: '1' })));
    const [entry] = entriesOf(live);
    const renamed = { ...entry, manager: 'v' };
    expect(managersOf(update(live, 'u', thing({ a: '1' }, { uid: '1', managedFields: [renamed as ApiObject] })))).toEqual(['v Update']);
    expect(managersOf(update(live, 'u', thing({ a: '1' }, { uid: '1', managedFields: [] })))).toEqual([]);
    expect(managersOf(update(live, 'u', thing({ a: '1' }, { uid: '1', managedFields: [{}] })))).toEqual([]);
    expect(managersOf(update(live, 'u', thing({ a: '1' }, { uid: '1' })))).toEqual(['u Update']);
  });

  test('of updates the ten youngest, and one entry for all older ones of a version', () => {
    const fields = Array.from({ length: 13 }, (_, index) => String(index));
    const grown = fields.reduce((live, name, second) => {
      const labels = Object.fromEntries(fields.slice(0, second + 1).map((field) => [field, name === field ? '1' : '0']));
      const kept = (live['metadata'] as ApiObject)?.['labels'] ?? {};
      return stored(update(live, `u${name}`, thing(undefined, { uid: '1', labels: { ...labels, ...(kept as ApiObject) } }), second));
    }, empty);
    expect(managersOf(grown).slice(0, 3)).toEqual(['ancient-changes Update', 'u4 Update', 'u5 Update']);
    expect(entriesOf(grown)).toHaveLength(10);
    expect(entriesOf(grown)[0]?.time).toBe('2026-01-01T00:00:03Z');
    expect(entriesOf(grown)[0]?.fieldsV1).toEqual({
      'f:metadata': { 'f:labels': { '.': {}, 'f:0': {}, 'f:1': {}, 'f:2': {}, 'f:3': {} } },
    });
  });

  test('the time is that of the last change: an apply that changes nothing leaves it', () => {
    const live = apply(empty, 'x', thing({ a: '1' }), { second: 1 });
    expect(entriesOf(apply(live, 'x', thing({ a: '1' }), { second: 2 }))[0]?.time).toBe('2026-01-01T00:00:01Z');
    expect(entriesOf(apply(live, 'x', thing({ a: '2' }), { second: 2 }))[0]?.time).toBe('2026-01-01T00:00:02Z');
    // Owned from now on, but nothing was written by it.
    expect(entriesOf(apply(live, 'y', thing({ a: '1' }), { second: 2 }))[0]).not.toHaveProperty('time');
  });

  test('a write that would change nothing but a time does nothing', () => {
    const live = apply(empty, 'x', thing({ a: '1' }), { second: 1 });
    const later = thing({ a: '1' }, { managedFields: [{ ...(entriesOf(live)[0] as ApiObject), time: '2026-01-01T00:00:09Z' }] });
    expect(revertTimes(live, later)).toEqual(live);
    expect(revertTimes(live, { ...later, spec: { a: '2' } })).toEqual({ ...later, spec: { a: '2' } });
  });
});

describe('kubectl, from client-side to server-side apply', () => {
  const LAST = 'kubectl.kubernetes.io/last-applied-configuration';
  const config = thing({ a: '1' });
  const live = stored(
    update(empty, 'kubectl-client-side-apply', thing({ a: '1' }, { annotations: { [LAST]: JSON.stringify(config), other: '' } })),
  );

  test('takes what it set itself, and keeps its annotation up to date', () => {
    const applied = apply(live, 'kubectl', thing({ a: '2' }));
    const annotations = (applied['metadata'] as ApiObject)['annotations'] as ApiObject;
    expect(annotations[LAST]).toBe(
      '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a","namespace":"default"},"spec":{"a":"2"}}\n',
    );
    expect(applied['spec']).toEqual({ a: '2' });
  });

  test('but not what somebody changed since, and under another name nothing', () => {
    const changed = update(live, 'other', { ...live, spec: { a: '9' } });
    expect(refusalOf(() => apply(changed, 'kubectl', thing({ a: '2' }))).causes).toHaveLength(1);
    expect(refusalOf(() => apply(live, 'x', thing({ a: '2' }))).causes).toHaveLength(1);
  });

  test('an annotation that no longer fits is dropped', () => {
    const big = apply(live, 'kubectl', thing({ a: 'x'.repeat(256 * 1024) }));
    expect((big['metadata'] as ApiObject)['annotations']).toEqual({ other: '' });
  });
});

test('the replicas of a scale change hands both ways', () => {
  const scale = { apiVersion: 'apps/v1', replicasPaths: { 'apps/v1': fieldPath('spec', 'replicas') } };
  const entry = (manager: string, fieldsV1: ApiObject, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
    manager,
    operation: 'Apply',
    apiVersion: 'apps/v1',
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...more,
  });
  const parent = [entry('a', { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } }), entry('b', { 'f:spec': { 'f:paused': {} } })];
  expect(toScaleEntries(parent, scale)).toEqual([entry('a', { 'f:spec': { 'f:replicas': {} } }, { apiVersion: 'autoscaling/v1' })]);
  const hpa = entry('hpa', { 'f:spec': { 'f:replicas': {} } }, { apiVersion: 'autoscaling/v1', operation: 'Update', subresource: 'scale' });
  expect(toParentEntries(parent, [hpa], scale)).toEqual([
    entry('a', { 'f:spec': { 'f:paused': {} } }),
    entry('b', { 'f:spec': { 'f:paused': {} } }),
    entry('hpa', { 'f:spec': { 'f:replicas': {} } }, { operation: 'Update', subresource: 'scale' }),
  ]);
});

test('who creates a Go type does not own the structs that are always there', () => {
  const struct = (name: string): OpenApiSchema => ({ allOf: [{ $ref: `#/components/schemas/${name}` }], default: {} });
  const documents: Record<string, OpenApiSchema> = {
    Thing: { type: 'object', properties: { metadata: struct('ObjectMeta'), spec: struct('Spec') } },
    ObjectMeta: { type: 'object', properties: { name: { type: 'string' } } },
    Spec: {
      type: 'object',
      required: ['selector', 'replicas', 'since'],
      properties: {
        always: struct('Inner'),
        pointer: { $ref: '#/components/schemas/Inner' },
        selector: { $ref: '#/components/schemas/Inner' },
        replicas: { type: 'integer' },
        since: struct('Time'),
      },
    },
    Inner: { type: 'object', properties: { a: { type: 'string' } } },
    Time: { type: 'string', format: 'date-time' },
  };
  const definitions = (name: string): OpenApiSchema | undefined => documents[name];
  const live = emptyObject('Thing', definitions) as ApiObject;
  expect(live).toEqual({ metadata: {}, spec: { always: {}, selector: null, replicas: 0, since: null } });
  const { object } = trackUpdate({
    endpoint: { apiVersion: 'v1', kind: 'Thing', typeAt: () => builtinTypes(definitions)('Thing'), convert: (other) => other },
    live,
    updated: { metadata: { name: 'a' }, spec: { always: { a: '1' }, pointer: { a: '1' }, selector: { a: '1' }, replicas: 0, since: null } },
    manager: 'u',
    now: at(0),
  });
  expect(entriesOf(object)[0]?.fieldsV1).toEqual({
    'f:spec': { 'f:always': { 'f:a': {} }, 'f:pointer': { '.': {}, 'f:a': {} }, 'f:selector': { 'f:a': {} } },
  });
});

test('a schema that makes a list atomic gives it whole to who owned an item', () => {
  const before = apply(empty, 'one', thing({ set: ['x'] }));
  const atomic = customResourceType({
    ...schema,
    properties: { spec: { type: 'object', properties: { set: { type: 'array', items: text } } } },
  });
  const changed: Endpoint = { ...endpoint(), typeAt: () => atomic };
  const { object } = applyPatch({ endpoint: changed, live: before, empty, config: thing({ set: ['x'] }), manager: 'two', now: at(0) });
  expect(entriesOf(object).map(({ fieldsV1 }) => fieldsV1)).toEqual([{ 'f:spec': { 'f:set': {} } }, { 'f:spec': { 'f:set': {} } }]);
});

test('a version that is no longer served takes its managers along', () => {
  const live = stored(update(empty, 'u', thing({ a: '1' })));
  const entry = { ...(entriesOf(live)[0] as ApiObject), apiVersion: 'example.com/v0' };
  const old = thing({ a: '1' }, { uid: '1', managedFields: [entry] });
  expect(managersOf(apply(old, 'x', thing({ a: '2' })))).toEqual(['x Apply']);
});
