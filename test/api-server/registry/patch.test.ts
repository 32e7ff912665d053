import type { JsonObject, PatchFormat, RequestContext } from '../../../src/api-server/contract/index.js';
import type { Json } from '../../../src/kubernetes/apimachinery/index.js';
import { type Bench, bodyOf, type FakeOptions, metaOf, newBench, refusalOf, toldRefusal, widget } from './fakes.js';

const create = (bench: Bench, fields: { readonly [field: string]: Json } = {}) =>
  bench.registry.create(bench.at('default/'), bodyOf(widget('a', fields)), bench.context());

interface Patching {
  readonly context?: Partial<RequestContext>;
  readonly force?: boolean;
  readonly subresource?: string;
  readonly strictProblems?: readonly string[];
}

function patch(
  bench: Bench,
  format: PatchFormat,
  value: Json,
  { context = {}, force = false, subresource = '', strictProblems = [] }: Patching = {},
) {
  return bench.registry.patch(bench.at('default/a', { subresource }), { format, force, value, strictProblems }, bench.context(context));
}

describe('a patch', () => {
  test.each<[PatchFormat, Json]>([
    ['json', [{ op: 'replace', path: '/spec/size', value: 8 }]],
    ['merge', { spec: { size: 8 } }],
  ])('%s changes what it names', async (format, value) => {
    const bench = newBench();
    await create(bench, { metadata: { labels: { a: 'b' } } });
    const { object, isCreated } = await patch(bench, format, value, { context: { fieldManager: 'patcher' } });
    expect(isCreated).toBe(false);
    expect(object).toMatchObject({ spec: { size: 8 }, metadata: { labels: { a: 'b' }, generation: 2, resourceVersion: '3' } });
    const entries = metaOf(object)['managedFields'] as JsonObject[];
    expect(entries.find((entry) => entry['manager'] === 'patcher')).toMatchObject({
      operation: 'Update',
      fieldsV1: { 'f:spec': { 'f:size': {} } },
    });
    expect(bench.admission.seen.slice(-2)).toEqual(['mutate UPDATE default/a', 'validate UPDATE default/a']);
  });

  test('that changes nothing is not a write', async () => {
    const bench = newBench();
    const created = await create(bench);
    for (const [format, value] of [
      ['json', []],
      ['merge', {}],
      ['merge', { spec: { size: 3 } }],
    ] as const) {
      expect((await patch(bench, format, value)).object).toBe(created);
    }
    expect(bench.store.revision).toBe(2);
  });

  test('gets the defaults of what it takes away', async () => {
    const bench = newBench();
    await create(bench);
    expect((await patch(bench, 'merge', { spec: null })).object['spec']).toEqual({ size: 1 });
  });

  const invalid = ' "" is invalid: patch: Invalid value: ';
  const refusals: readonly (readonly [string, PatchFormat, Json, string])[] = [
    [
      'no patch document',
      'json',
      {},
      '400 BadRequest: error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    ],
    [
      'an operation that does not apply',
      'json',
      [{ op: 'remove', path: '/spec/nothing' }],
      '422 Invalid: the server rejected our request due to an error in our request',
    ],
    [
      'a merge patch that is a list',
      'merge',
      [],
      '400 BadRequest: error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    ['a result of a wrong type', 'merge', { spec: { size: 'x' } }, `422 Invalid: ${invalid}"{\\"apiVersion\\":`],
    ['unknown fields', 'merge', { extra: 1 }, `422 Invalid: ${invalid}"{`],
    ['unknown fields of operations', 'json', [{ op: 'test', path: '/kind', value: 'Widget', oops: 1 }], `422 Invalid: ${invalid}"{`],
    ['another kind', 'merge', { apiVersion: 'v1', kind: 'Pod' }, `422 Invalid: ${invalid}"{`],
    [
      'another name',
      'merge',
      { metadata: { name: 'b' } },
      '400 BadRequest: the name of the object (b) does not match the name on the URL (a)',
    ],
    [
      'no name',
      'merge',
      { metadata: { name: null } },
      '400 BadRequest: the name of the object (a based on URL) was undeterminable: name must be provided',
    ],
    [
      'another namespace',
      'merge',
      { metadata: { namespace: 'b' } },
      '400 BadRequest: the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'another uid',
      'merge',
      { metadata: { uid: 'b' } },
      '422 Invalid: Widget.example.com "a" is invalid: metadata.uid: Invalid value: "b": field is immutable',
    ],
    [
      'another version',
      'merge',
      { metadata: { resourceVersion: '1' } },
      '409 Conflict: Operation cannot be fulfilled on widgets.example.com "a": the object has been modified; please apply your changes to the latest version and try again',
    ],
    [
      'what the kind does not want',
      'merge',
      { spec: { size: -1 } },
      '422 Invalid: Widget.example.com "a" is invalid: spec.size: Invalid value: -1: must not be negative',
    ],
    [
      'a format that the kind does not have',
      'strategic',
      {},
      "501 NotImplemented: a strategic merge patch of a Widget is not implemented by keelson's in-process API server",
    ],
  ];

  test.each(refusals)('with %s is refused', async (_name, format, value, text) => {
    const bench = newBench();
    await create(bench);
    const told = await toldRefusal(patch(bench, format, value));
    expect(told.slice(0, text.length)).toBe(text);
    if (!text.endsWith(':') && !text.endsWith('{')) expect(told).toBe(text);
    expect(bench.store.revision).toBe(2);
  });

  test.each<[string, PatchFormat, Json, string]>([
    ['type', 'merge', { spec: { size: 'x' } }, 'json: cannot unmarshal string into Go struct field .spec.size of type int'],
    ['unknown field', 'merge', { extra: 1 }, 'strict decoding error: unknown field "extra"'],
    [
      'operation',
      'json',
      [{ op: 'test', path: '/kind', value: 'Widget', oops: 1 }],
      'strict decoding error: json patch unknown field "[0].oops"',
    ],
    ['kind', 'merge', { apiVersion: 'v1', kind: 'Pod' }, 'converting (v1.Pod) to (example.Widget): unknown conversion'],
  ])('ends its complaint with the cause: %s', async (_name, format, value, text) => {
    const bench = newBench();
    await create(bench);
    const { message = '', details } = await refusalOf(patch(bench, format, value));
    expect(message.slice(-text.length - 2)).toBe(`: ${text}`);
    expect(details?.causes).toMatchObject([{ reason: 'FieldValueInvalid', field: 'patch' }]);
  });

  test('of which Warn tells what Strict refuses', async () => {
    const bench = newBench();
    await create(bench);
    const strictProblems = ['duplicate field "spec"'];
    await patch(bench, 'merge', { extra: 1 }, { context: { fieldValidation: 'Warn' }, strictProblems });
    await patch(bench, 'json', [{ op: 'test', path: '/kind', value: 'Widget', oops: 1 }], {
      context: { fieldValidation: 'Warn' },
      strictProblems,
    });
    expect(bench.warnings).toEqual([
      'duplicate field "spec"',
      'unknown field "extra"',
      'json patch duplicate field "spec"',
      'json patch unknown field "[0].oops"',
    ]);
  });

  test('of what is not there is not found', async () => {
    const bench = newBench({ strategy: { allowsCreateOnUpdate: true } });
    expect(await toldRefusal(patch(bench, 'merge', {}))).toBe('404 NotFound: widgets.example.com "a" not found');
  });

  test('a panic of the server is told as one', async () => {
    const bench = newBench();
    await create(bench);
    expect(await toldRefusal(patch(bench, 'json', [{ op: 'replace', path: '' }]))).toBe(
      '500 -: This request caused apiserver to panic. Look in the logs for details.',
    );
  });

  test('is made again when somebody was faster, unless it names a version', async () => {
    const bench = newBench();
    await create(bench);
    const key = { resource: 'example.com/widgets', namespace: 'default', name: 'a' };
    let isFirst = true;
    bench.admission.onValidate = () => {
      if (isFirst) bench.store.update(key, { ...(bench.store.get(key) as JsonObject), status: { size: bench.store.revision } });
      isFirst = false;
    };
    expect((await patch(bench, 'merge', { spec: { size: 4 } })).object).toMatchObject({
      spec: { size: 4 },
      status: { size: 2 },
    });
    isFirst = true;
    expect(await toldRefusal(patch(bench, 'merge', { metadata: { resourceVersion: '4' }, spec: { size: 5 } }))).toMatch(/^409 Conflict/);
  });

  test('of the status changes the status', async () => {
    const bench = newBench();
    await create(bench);
    const { object } = await patch(bench, 'merge', { spec: { size: 9 }, status: { size: 2 } }, { subresource: 'status' });
    expect(object).toMatchObject({ spec: { size: 3 }, status: { size: 2 } });
  });

  test('that takes the last finalizer away ends the object', async () => {
    const bench = newBench();
    await create(bench, { metadata: { finalizers: ['example.com/f'] } });
    await bench.registry.delete(bench.at('default/a'), {}, bench.context());
    await patch(bench, 'json', [{ op: 'remove', path: '/metadata/finalizers' }]);
    expect(bench.store.sizes.objects).toBe(0);
  });
});

describe('an apply', () => {
  const config = (fields: { readonly [field: string]: Json } = {}): JsonObject => ({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'a' },
    spec: { size: 5 },
    ...fields,
  });

  test('creates what is not there, if that may be', async () => {
    const bench = newBench();
    const asked: string[] = [];
    const { object, isCreated } = await patch(bench, 'apply', config(), {
      context: { fieldManager: 'app', authorize: (verb) => void asked.push(verb) },
    });
    expect(isCreated).toBe(true);
    expect(asked).toEqual(['create']);
    expect(object).toMatchObject({
      spec: { size: 5 },
      status: {},
      metadata: { namespace: 'default', uid: 'uid-1', generation: 1, resourceVersion: '2' },
    });
    expect(metaOf(object)['managedFields']).toMatchObject([
      { manager: 'app', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:size': {} } } },
    ]);
    expect(bench.admission.seen).toEqual(['mutate CREATE default/a', 'validate CREATE default/a']);
  });

  test('again is not a write', async () => {
    const bench = newBench();
    const { object } = await patch(bench, 'apply', config());
    bench.seconds = 60;
    expect((await patch(bench, 'apply', config())).object).toBe(object);
    expect(bench.store.revision).toBe(2);
  });

  test('does not take what others hold, unless it is forced', async () => {
    const bench = newBench();
    await create(bench);
    const { code, reason, message, details } = await refusalOf(patch(bench, 'apply', config(), { context: { fieldManager: 'app' } }));
    expect({ code, reason, message }).toEqual({
      code: 409,
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "test" using example.com/v1: .spec.size',
    });
    expect(details?.causes).toEqual([
      { reason: 'FieldManagerConflict', message: 'conflict with "test" using example.com/v1', field: '.spec.size' },
    ]);
    const { object } = await patch(bench, 'apply', config(), { context: { fieldManager: 'app' }, force: true });
    expect(object['spec']).toEqual({ size: 5 });
  });

  test('takes away what it no longer names, and defaults come back', async () => {
    const bench = newBench();
    await patch(bench, 'apply', config({ spec: { size: 5, mode: 'x' } }));
    const { object } = await patch(bench, 'apply', config({ spec: {} }));
    expect(object['spec']).toEqual({ size: 1 });
  });

  const refusals: readonly (readonly [string, Json, string, FakeOptions?])[] = [
    ['another kind', config({ kind: 'Other' }), '400 BadRequest: invalid object type: example.com/v1, Kind=Other'],
    [
      'no object',
      ['x'],
      '400 BadRequest: error decoding patch: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    ['managed fields', config({ metadata: { name: 'a', managedFields: [] } }), '400 BadRequest: metadata.managedFields must be nil'],
    [
      'an unknown field',
      config({ extra: 1 }),
      '500 -: failed to create typed patch object (/a; example.com/v1, Kind=Widget): .extra: field not declared in schema',
    ],
    [
      'a uid of nothing',
      config({ metadata: { name: 'a', uid: 'u' } }),
      '409 Conflict: Operation cannot be fulfilled on widgets.example.com "a": uid mismatch: the provided object specified uid u, and no existing object was found',
    ],
    [
      'another name',
      config({ metadata: { name: 'b' } }),
      '400 BadRequest: the name of the object (b) does not match the name on the URL (a)',
    ],
  ];

  test.each(refusals)('with %s is refused', async (_name, value, text) => {
    expect(await toldRefusal(patch(newBench(), 'apply', value as Json))).toBe(text);
  });

  test('with duplicate keys is refused by Strict only', async () => {
    const strictProblems = ['error converting YAML to JSON: yaml: unmarshal errors:\n  line 3: key "a" already set in map'];
    const bench = newBench();
    expect(await toldRefusal(patch(bench, 'apply', config(), { strictProblems }))).toBe(
      `400 BadRequest: error strict decoding patch: ${strictProblems[0]}`,
    );
    await patch(bench, 'apply', config(), { strictProblems, context: { fieldValidation: 'Warn' } });
    expect(bench.warnings).toEqual(['line 3: key "a" already set in map']);
  });

  test('to the status of what is not there does not create it', async () => {
    const bench = newBench();
    expect(await toldRefusal(patch(bench, 'apply', config({ status: { size: 1 } }), { subresource: 'status' }))).toMatch(/^404/);
  });

  test('to the status is held apart', async () => {
    const bench = newBench();
    await patch(bench, 'apply', config(), { context: { fieldManager: 'app' } });
    const { object } = await patch(
      bench,
      'apply',
      { ...config(), spec: {}, status: { size: 2 } },
      { subresource: 'status', context: { fieldManager: 'app' } },
    );
    expect(object).toMatchObject({ spec: { size: 5 }, status: { size: 2 } });
    expect(metaOf(object)['managedFields']).toMatchObject([
      { manager: 'app', operation: 'Apply', fieldsV1: { 'f:spec': {} } },
      { manager: 'app', operation: 'Apply', subresource: 'status', fieldsV1: { 'f:status': { 'f:size': {} } } },
    ]);
  });

  test('in a dry run writes nothing', async () => {
    const bench = newBench();
    const { object, isCreated } = await patch(bench, 'apply', config(), { context: { isDryRun: true } });
    expect([metaOf(object)['name'], isCreated, bench.store.revision]).toEqual(['a', true, 1]);
  });
});
