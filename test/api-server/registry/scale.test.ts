import type { JsonObject, PatchFormat } from '../../../src/api-server/contract/index.js';
import type { Json } from '../../../src/kubernetes/apimachinery/index.js';
import { type Bench, bodyOf, type FakeOptions, metaOf, newBench, toldRefusal, widget } from './fakes.js';

const scaled: FakeOptions = {
  scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size', labelSelectorPath: '.spec.selector' },
};
const custom: FakeOptions = { ...scaled, isCustom: true, strategy: { allowsUnconditionalUpdate: false } };

async function filled(options: FakeOptions, spec: { readonly [field: string]: Json } = { size: 3, selector: 'app=a' }): Promise<Bench> {
  const bench = newBench(options);
  await bench.registry.create(bench.at('default/'), bodyOf(widget('a', { spec })), bench.context());
  return bench;
}

const at = (bench: Bench) => bench.at('default/a', { subresource: 'scale' });
const scaleOf = (fields: { readonly [field: string]: Json } = {}, metadata: { readonly [field: string]: Json } = {}): JsonObject => ({
  kind: 'Scale',
  apiVersion: 'autoscaling/v1',
  metadata: { name: 'a', namespace: 'default', ...metadata },
  spec: { replicas: 5 },
  ...fields,
});
const put = (bench: Bench, body: JsonObject) => bench.registry.update(at(bench), bodyOf(body), bench.context({ fieldManager: 'scaler' }));
const patch = (bench: Bench, format: PatchFormat, value: Json) =>
  bench.registry.patch(at(bench), { format, force: false, value, strictProblems: [] }, bench.context({ fieldManager: 'scaler' }));

test('a Scale shows what its paths lead to', async () => {
  const bench = await filled(scaled);
  expect(await bench.registry.get(at(bench), {})).toEqual({
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'a', namespace: 'default', uid: 'uid-1', resourceVersion: '2', creationTimestamp: '2024-01-01T00:00:00Z' },
    spec: { replicas: 3 },
    status: { replicas: 0, selector: 'app=a' },
  });
});

test('a selector of an object is shown as a text', async () => {
  const selectors: readonly (readonly [Json, string | undefined])[] = [
    [{ matchLabels: { b: 'c', a: 'b' }, matchExpressions: [{ key: 'z', operator: 'In', values: ['y', 'x'] }] }, 'a=b,b=c,z in (x,y)'],
    [{ app: 'a' }, 'app=a'],
    [{ matchLabels: {} }, undefined],
  ];
  for (const [selector, text] of selectors) {
    const bench = await filled(scaled, { size: 3, selector });
    expect(((await bench.registry.get(at(bench), {}))['status'] as JsonObject)['selector']).toBe(text);
  }
});

test.each<[string, FakeOptions, (bench: Bench) => Promise<unknown>]>([
  ['PUT', scaled, (bench) => put(bench, scaleOf())],
  ['PUT of a custom resource', custom, (bench) => put(bench, scaleOf())],
  ['merge patch', custom, (bench) => patch(bench, 'merge', { spec: { replicas: 5 } })],
  ['JSON patch', scaled, (bench) => patch(bench, 'json', [{ op: 'replace', path: '/spec/replicas', value: 5 }])],
  ['strategic merge patch', scaled, (bench) => patch(bench, 'strategic', { spec: { replicas: 5 } })],
])('%s sets the replicas, which change hands', async (_name, options, write) => {
  const bench = await filled(options);
  expect(await write(bench)).toMatchObject({
    isCreated: false,
    object: { kind: 'Scale', spec: { replicas: 5 }, metadata: { resourceVersion: '3' } },
  });
  const parent = await bench.registry.get(bench.at('default/a'), {});
  expect(parent).toMatchObject({ kind: 'Widget', spec: { size: 5, selector: 'app=a' }, metadata: { generation: 2 } });
  expect(metaOf(parent)['managedFields']).toMatchObject([
    {
      manager: 'scaler',
      operation: 'Update',
      subresource: 'scale',
      apiVersion: 'example.com/v1',
      fieldsV1: { 'f:spec': { 'f:size': {} } },
    },
    { manager: 'test', fieldsV1: { 'f:spec': { 'f:selector': {} } } },
  ]);
});

test('an apply holds the replicas, and others do not get them', async () => {
  const bench = await filled(scaled);
  const apply = (fieldManager: string, replicas: number, force: boolean) =>
    bench.registry.patch(
      at(bench),
      { format: 'apply', force, value: scaleOf({ spec: { replicas } }), strictProblems: [] },
      bench.context({ fieldManager }),
    );
  expect(await toldRefusal(apply('app', 7, false))).toBe(
    '409 Conflict: Apply failed with 1 conflict: conflict with "test" using autoscaling/v1: .spec.replicas',
  );
  expect((await apply('app', 7, true)).object['spec']).toEqual({ replicas: 7 });
  const parent = await bench.registry.get(bench.at('default/a'), {});
  expect(metaOf(parent)['managedFields']).toMatchObject([
    { manager: 'app', operation: 'Apply', subresource: 'scale' },
    { manager: 'test' },
  ]);
});

test('admission sees Scales', async () => {
  const bench = await filled(scaled);
  bench.admission.requests.length = 0;
  await put(bench, scaleOf());
  expect(bench.admission.seen.slice(2)).toEqual(['mutate UPDATE default/a/scale', 'validate UPDATE default/a/scale']);
  for (const request of bench.admission.requests) {
    expect(request.kind).toEqual({ group: 'autoscaling', version: 'v1', kind: 'Scale' });
    expect(request.object).toMatchObject({ kind: 'Scale', spec: { replicas: 5 } });
    expect(request.oldObject).toMatchObject({ kind: 'Scale', spec: { replicas: 3 } });
  }
});

const refusals: readonly (readonly [string, FakeOptions, JsonObject, string])[] = [
  [
    'negative replicas',
    scaled,
    scaleOf({ spec: { replicas: -1 } }),
    '422 Invalid: Scale.autoscaling "a" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'another kind',
    scaled,
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } },
    '400 BadRequest: Pod in version "v1" cannot be handled as a Scale: converting (v1.Pod) to (autoscaling.Scale): unknown conversion',
  ],
  [
    'an unknown field',
    scaled,
    scaleOf({ spec: { replicas: 1, foo: 2 } }),
    '400 BadRequest: Scale in version "v1" cannot be handled as a Scale: strict decoding error: unknown field "spec.foo"',
  ],
  [
    'replicas of another type',
    scaled,
    scaleOf({ spec: { replicas: 'x' } }),
    '400 BadRequest: Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal string into Go struct field ScaleSpec.spec.replicas of type int32',
  ],
  [
    'an older version',
    scaled,
    scaleOf({}, { resourceVersion: '1' }),
    '409 Conflict: Operation cannot be fulfilled on widgets.example.com "a": the object has been modified; please apply your changes to the latest version and try again',
  ],
  [
    'another uid',
    scaled,
    scaleOf({}, { uid: 'x' }),
    '409 Conflict: Operation cannot be fulfilled on widgets.example.com "a": StorageError: invalid object, Code: 4, Key: /registry/widgets/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: x, UID in object meta: uid-1',
  ],
  ['a version without a Scale', {}, scaleOf(), '404 NotFound: widgets.example.com "a" not found'],
];

test.each(refusals)('a write with %s is refused', async (_name, options, body, text) => {
  const bench = await filled(options);
  expect(await toldRefusal(put(bench, body))).toBe(text);
});

describe('a custom resource', () => {
  const noDefaults: FakeOptions = { ...custom, strategy: { ...custom.strategy, setDefaults: () => undefined } };

  test('without replicas has no Scale to read, but one to write', async () => {
    const bench = await filled(noDefaults, {});
    expect(await toldRefusal(bench.registry.get(at(bench), {}))).toBe(
      '500 InternalError: Internal error occurred: the spec replicas field ".spec.size" does not exist',
    );
    expect(await toldRefusal(patch(bench, 'merge', { metadata: { labels: { a: 'b' } } }))).toBe(
      '400 BadRequest: the spec replicas field ".spec.size" cannot be empty',
    );
    expect((await patch(bench, 'merge', { spec: { replicas: 2 } })).object['spec']).toEqual({ replicas: 2 });
  });

  test('whose path leads elsewhere', async () => {
    const bench = await filled(
      { ...noDefaults, scale: { specReplicasPath: '.spec.mode', statusReplicasPath: '.status.size' } },
      { mode: 'x' },
    );
    expect(await toldRefusal(bench.registry.get(at(bench), {}))).toBe(
      '500 -: .spec.mode accessor error: x is of the type string, expected int64',
    );
    const deep = await filled(
      { ...noDefaults, scale: { specReplicasPath: '.spec.mode.size', statusReplicasPath: '.status.size' } },
      { mode: 'x' },
    );
    expect(await toldRefusal(deep.registry.get(at(deep), {}))).toBe(
      '500 -: .spec.mode accessor error: x is of the type string, expected map[string]interface{}',
    );
  });
});

test('a Scale of what is not there is not found', async () => {
  const bench = newBench(scaled);
  expect(await toldRefusal(put(bench, scaleOf()))).toBe('404 NotFound: widgets.example.com "a" not found');
  const apply = bench.registry.patch(at(bench), { format: 'apply', force: false, value: scaleOf(), strictProblems: [] }, bench.context());
  expect(await toldRefusal(apply)).toMatch(/^404/);
});
