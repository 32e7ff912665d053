import { type Draft, draftOf, type JsonObject, withConversions } from '../../../../src/api-server/contract/index.js';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';
import { contextOf, resourceOf, SPEC, version, versionOf, widget, widgetSchema, widgets } from './definitions.js';

const { strategy, status } = versionOf(resourceOf(widgets()));

function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('nothing was thrown');
}

describe('decoding', () => {
  test('drops what the schema does not know, and tells each path', () => {
    const ports = [{ name: 'a', x: 1 }];
    const { draft, strictProblems } = strategy.decode(widget({ size: 1, zoom: 2, alpha: 3, ports }, { extra: true }));
    expect(draft).toEqual(widget({ size: 1, ports: [{ name: 'a' }] }));
    expect(strictProblems).toEqual(
      ['spec.alpha', 'spec.ports[0].x', 'spec.zoom'].map((path) => `unknown field "${path}"`).toSpliced(0, 0, 'unknown field "extra"'),
    );
  });

  test('reads metadata as Go does: unknown fields are told first, empty ones are gone', () => {
    const metadata = { name: 'one', labels: {}, nope: 1, ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u', bad: 1 }] };
    const { draft, strictProblems } = strategy.decode({ ...widget({ zoom: 1 }), metadata });
    expect(draft['metadata']).toEqual({ name: 'one', ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' }] });
    expect(strictProblems).toEqual([
      'unknown field "metadata.nope"',
      'unknown field "metadata.ownerReferences[0].bad"',
      'unknown field "spec.zoom"',
    ]);
  });

  test("refuses metadata of a wrong type in Go's words", () => {
    const text = 'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string';
    expect(messageOf(() => strategy.decode({ ...widget({}), metadata: { labels: { a: 1 } } }))).toBe(
      `Widget in version "v1" cannot be handled as a Widget: ${text}`,
    );
  });

  test('refuses a body that does not say what it is', () => {
    expect(messageOf(() => strategy.decode({ apiVersion: 'example.com/v1' }))).toBe(
      'the object provided is unrecognized (must be of type Widget): Object \'Kind\' is missing in \'{"apiVersion":"example.com/v1"}\' ({"apiVersion":"example.com/v1" ...)',
    );
  });

  test('does not default, and does not touch the body', () => {
    const body = Object.freeze(widget({}));
    const { draft } = strategy.decode(body);
    expect(draft['spec']).toEqual({});
    strategy.setDefaults(draft);
    expect(draft['spec']).toEqual({ mode: 'fast' });
    expect(body['spec']).toEqual({});
  });

  test('keeps keys in order, as a map is written', () => {
    const { draft } = strategy.decode({
      spec: { size: 1, mode: 'a' },
      metadata: { name: 'n' },
      kind: 'Widget',
      apiVersion: 'example.com/v1',
    });
    expect(JSON.stringify(draft)).toBe(
      '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"n"},"spec":{"mode":"a","size":1}}',
    );
  });

  test('coerces the metadata of embedded objects', () => {
    const template = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    } as const;
    const resource = resourceOf(widgets({ versions: [version({ schema: widgetSchema({ type: 'object', properties: { template } }) })] }));
    const decode = (metadata: Json): Draft => {
      const { draft } = versionOf(resource).strategy.decode(
        widget({ template: { apiVersion: 'v1', kind: 'Pod', metadata, spec: { a: 1 } } }),
      );
      return draft;
    };
    expect(decode({ name: 'a', foo: 1 })['spec']).toEqual({
      template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { a: 1 } },
    });
    expect(messageOf(() => decode({ name: 1 }))).toBe(
      'Widget in version "v1" cannot be handled as a Widget: spec.template.metadata: Invalid value: {"name":1}: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string',
    );
  });
});

describe('preparing', () => {
  test('a create begins with generation 1 and without a status', () => {
    const draft = draftOf(widget({}, { status: { ready: true } }));
    void strategy.prepareForCreate(draft, contextOf());
    expect(draft).toEqual({ ...widget({}), metadata: { name: 'one', namespace: 'default', generation: 1 } });
  });

  test('without the subresource the status is a field like any other', () => {
    const plain = versionOf(resourceOf(widgets({ versions: [version({ subresources: null })] })));
    const draft = draftOf(widget({}, { status: { ready: true } }));
    void plain.strategy.prepareForCreate(draft, contextOf());
    expect(draft['status']).toEqual({ ready: true });
    const old = widget({}, { status: { ready: false }, metadata: { name: 'one', generation: 4 } });
    void plain.strategy.prepareForUpdate(draft, old, contextOf());
    expect((draft['metadata'] as JsonObject)['generation']).toBe(5);
  });

  test('an update keeps the status, and counts a generation for all but metadata', () => {
    const old = widget({ size: 1 }, { status: { ready: true }, metadata: { name: 'one', generation: 3 } });
    const draft = draftOf({ ...old, status: { ready: false }, metadata: { name: 'one', generation: 3, labels: { a: 'b' } } });
    void strategy.prepareForUpdate(draft, old, contextOf());
    expect(draft).toEqual({ ...old, metadata: { name: 'one', generation: 3, labels: { a: 'b' } } });
    const changed = draftOf({ ...old, spec: { size: 2 } });
    void strategy.prepareForUpdate(changed, old, contextOf());
    expect((changed['metadata'] as JsonObject)['generation']).toBe(4);
  });

  test('an update of the status takes nothing but the status and the managed fields', () => {
    const old = widget({ size: 1 }, { metadata: { name: 'one', generation: 3 } });
    const draft = draftOf({
      ...old,
      spec: { size: 9 },
      status: { ready: true },
      metadata: { name: 'one', labels: { a: 'b' }, managedFields: [] },
    });
    void status?.prepareForUpdate(draft, old, contextOf());
    expect(draft).toEqual({ ...old, status: { ready: true }, metadata: { name: 'one', generation: 3, managedFields: [] } });
  });
});

describe('validation', () => {
  test('the kind and version of the body come first, and alone', () => {
    expect(messageOf(() => strategy.validate({ ...widget({ size: 'x' }), kind: 'Other' }, contextOf()))).toBe(
      'Other.example.com "one" is invalid: kind: Invalid value: "Other": must be Widget',
    );
  });

  test('an update is not held to faults that were there before; rules that it is spared become warnings', () => {
    const spec = { ...SPEC, 'x-kubernetes-validations': [{ rule: '!has(self.size) || self.size < 10', message: 'too big' }] };
    const ruled = versionOf(resourceOf(widgets({ versions: [version({ schema: widgetSchema(spec) })] })));
    const warnings: string[] = [];
    const old = widget({ size: 50 });
    expect(ruled.strategy.validate(old, contextOf())).toHaveLength(1);
    expect(ruled.strategy.validateUpdate(old, old, contextOf({ warn: (text) => warnings.push(text) }))).toEqual([]);
    expect(warnings).toEqual(['spec: Invalid value: too big']);
  });

  test('the status is validated alone', () => {
    const old = widget({ size: -1 });
    expect(status?.validateUpdate({ ...old, status: { ready: 'yes' } }, old, contextOf())).toEqual([
      {
        reason: 'FieldValueTypeInvalid',
        field: 'status.ready',
        message: 'Invalid value: "string": ready in body must be of type boolean: "string"',
      },
    ]);
  });

  test('advises on names of new finalizers', () => {
    const named = (...finalizers: string[]): JsonObject => widget({}, { metadata: { name: 'one', finalizers } });
    expect(strategy.warningsOnCreate?.(named('example.com/a', 'plain', 'dotted.example', 'orphan'))).toEqual([
      'metadata.finalizers: "dotted.example": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers',
      'metadata.finalizers: "plain": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
    ]);
    expect(strategy.warningsOnUpdate?.(named('plain'), named('plain'))).toEqual([]);
  });
});

describe('what a definition says of its resource', () => {
  test('versions stand in order of preference, those that are not served are left out', () => {
    const names = ['v1beta1', 'v2', 'v1', 'v3'];
    const versions = names.map((name) => version({ name, storage: name === 'v1', served: name !== 'v3' }));
    const resource = resourceOf(widgets({ versions }));
    expect(resource.versions.map((each) => each.version)).toEqual(['v2', 'v1', 'v1beta1']);
    expect(resource.storageVersion).toBe('v1');
    expect(versionOf(resource).subresources.map(({ name }) => name)).toEqual(['status']);
  });

  test('a deprecated version warns, in its own words or with the better one', () => {
    const versions = [
      version({ name: 'v1alpha1', storage: false, deprecated: true }),
      version({ name: 'v1beta1', storage: false, deprecated: true, deprecationWarning: 'move on' }),
      version({ name: 'v1beta2', storage: false }),
      version({ name: 'v1' }),
    ];
    const resource = resourceOf(widgets({ versions }));
    expect(versionOf(resource, 'v1alpha1').deprecationWarning).toBe('example.com/v1alpha1 Widget is deprecated; use example.com/v1 Widget');
    expect(versionOf(resource, 'v1beta1').deprecationWarning).toBe('move on');
    expect(versionOf(resource, 'v1').deprecationWarning).toBeUndefined();
  });

  test('selectable fields give texts, and others are refused', () => {
    const { fieldLabels } = versionOf(
      resourceOf(widgets({ versions: [version({ selectableFields: [{ jsonPath: '.spec.size' }, { jsonPath: '.spec.mode' }] })] })),
    );
    const valuesOf = (object: JsonObject): unknown =>
      Object.fromEntries([...fieldLabels.fields].map(([name, read]) => [name, read(object)]));
    expect(valuesOf(widget({ size: 3 }))).toEqual({ 'spec.size': '3', 'spec.mode': '' });
    expect(fieldLabels.unsupported('spec.x')).toBe('field label not supported: spec.x');
  });

  test('nothing is created while the definition is going', () => {
    const gone = versionOf(resourceOf(widgets(), { isTerminating: () => true }));
    expect(messageOf(() => gone.checkCreate?.('one'))).toBe(
      'widgets.example.com "one" is forbidden: create not allowed while custom resource definition is terminating',
    );
    expect(versionOf(resourceOf(widgets())).checkCreate?.('one')).toBeUndefined();
  });
});

describe('columns', () => {
  const now = new Date('2026-01-02T03:04:05Z');
  const cellsOf = (columns: object[], object: JsonObject): readonly unknown[] =>
    versionOf(resourceOf(widgets({ versions: [version({ additionalPrinterColumns: columns })] }))).table.cells(object, now);

  test('show the age where none are chosen', () => {
    const { table } = versionOf(resourceOf(widgets()));
    expect(table.columns.map(({ name, type, format }) => ({ name, type, format }))).toEqual([
      { name: 'Name', type: 'string', format: 'name' },
      { name: 'Age', type: 'date', format: '' },
    ]);
    expect(table.cells(widget({}, { metadata: { name: 'n', creationTimestamp: '2026-01-02T03:00:00Z' } }), now)).toEqual(['n', '4m5s']);
  });

  test.each<[string, string, Json, unknown]>([
    ['integer', '.spec.size', 2.9, 2],
    ['integer', '.spec.size', '2', null],
    ['number', '.spec.size', 2.5, 2.5],
    ['boolean', '.spec.size', true, true],
    ['boolean', '.spec.size', 'true', null],
    ['string', '.spec.size', 3, '3'],
    ['string', '.spec.size', { b: 1, a: [] }, '{"a":[],"b":1}'],
    ['string', '.spec.missing', 3, null],
    ['string', '.spec.size', null, '<no value>'],
    ['date', '.spec.size', 'yesterday', '<invalid>'],
    ['date', '.spec.size', '2026-01-01T03:04:05Z', '24h'],
    ['string', '.spec.size[?(@.type=="Ready")].status', [{ type: 'Ready', status: 'True' }], 'True'],
    ['string', '.spec.size[3]', [1], null],
    ['string', '.spec.size[-1:]', [1, 2], '2'],
  ])('as %s of %s: %j is %j', (type, jsonPath, size, shown) => {
    expect(cellsOf([{ name: 'A', type, jsonPath }], widget({ size }))).toEqual(['one', shown]);
  });

  test('end before one that cannot be read', () => {
    const columns = ['.spec.a', '.spec[', '.spec.b'].map((jsonPath) => ({ name: 'A', type: 'string', jsonPath }));
    expect(cellsOf(columns, widget({ a: 'x', b: 'y' }))).toEqual(['one', 'x']);
  });
});

describe('reading', () => {
  test('an object that fits its schema is the same object', () => {
    const stored = Object.freeze(widget({ mode: 'slow' }));
    expect(resourceOf(widgets()).convert([stored], 'v1')).toEqual([stored]);
    expect((resourceOf(widgets()).convert([stored], 'v1') as JsonObject[])[0]).toBe(stored);
  });

  test('an object of an older schema is pruned and defaulted', () => {
    expect(resourceOf(widgets()).convert([widget({ old: 1 })], 'v1')).toEqual([widget({ mode: 'fast' })]);
  });

  test('without a converter only the version changes, and the other schema prunes', () => {
    const narrow = widgetSchema({ type: 'object', properties: { size: { type: 'integer', default: 7 } } });
    const versions = [version(), version({ name: 'v2', storage: false, schema: narrow })];
    // The defaults are those of the version of storage: `size` stays away.
    expect(resourceOf(widgets({ versions })).convert([widget({ mode: 'a' }), widget({ size: 1 })], 'v2')).toEqual([
      { ...widget({}), apiVersion: 'example.com/v2' },
      { ...widget({ size: 1 }), apiVersion: 'example.com/v2' },
    ]);
  });
});

describe('managed fields', () => {
  test("the status and the object reset what is the other's", () => {
    const served = versionOf(resourceOf(widgets()));
    const reset = (subresource: string): unknown => served.endpoint(subresource).resetFields;
    expect(reset('')).toMatchObject({ 'example.com/v1': [[{ name: 'status' }]] });
    expect(reset('status')).toMatchObject({ 'example.com/v1': [[{ name: 'metadata' }], [{ name: 'spec' }]] });
    expect(served.endpoint('').typeAt('example.com/v7')).toBeUndefined();
  });

  test('wait for a webhook that has to convert first', async () => {
    const convertedWith = (mode: string) => (review: JsonObject) => {
      const { uid, objects, desiredAPIVersion } = review['request'] as { uid: string; objects: JsonObject[]; desiredAPIVersion: string };
      const convertedObjects = objects.map((object) => ({ ...object, apiVersion: desiredAPIVersion, spec: { mode } }));
      return {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'ConversionReview',
        response: { uid, result: { status: 'Success' }, convertedObjects },
      };
    };
    const answer = convertedWith('converted');
    const call = jest.fn((_config: object, review: unknown) => Promise.resolve(answer(review as JsonObject)));
    const conversion = { strategy: 'Webhook', webhook: { clientConfig: { url: 'https://h' }, conversionReviewVersions: ['v1'] } };
    const versions = [version(), version({ name: 'v2', storage: false })];
    const resource = resourceOf(widgets({ versions, conversion }), { webhooks: { call } });
    const endpoint = versionOf(resource).endpoint('');
    const object = widget({ mode: 'a' });
    const converted = await withConversions(() => endpoint.convert(object, 'example.com/v2'));
    expect(converted).toEqual({ ...widget({ mode: 'converted' }), apiVersion: 'example.com/v2' });
    expect(endpoint.convert(object, 'example.com/v2')).toEqual(converted);
    expect(call).toHaveBeenCalledTimes(1);
  });
});
