import { defineCustomResource, defineOperator, k } from 'keelson';
import { z } from 'zod';

type Fields = Readonly<Record<string, z.ZodType>>;
type Convert = (object: { spec: Readonly<Record<string, unknown>>; metadata: object }) => unknown;

interface Given {
  readonly v1?: Fields;
  readonly v2?: Fields;
  readonly toStorage?: Convert;
  readonly fromStorage?: Convert;
  readonly more?: object;
  readonly v1Served?: boolean;
}

/** What `defineOperator` says of a conversion. */
function problemsOf({
  v1 = { host: z.string() },
  v2 = { host: z.string() },
  toStorage,
  fromStorage,
  more = {},
  v1Served = true,
}: Given): string[] {
  const same: Convert = ({ spec }) => ({ spec });
  const pair = { toStorage: toStorage ?? same, fromStorage: fromStorage ?? same, ...more };
  try {
    const resource = defineCustomResource({
      group: 'web.example.com',
      kind: 'Site',
      versions: { v2: { storage: true, spec: z.object(v2) }, v1: { served: v1Served, spec: z.object(v1) } },
      convert: { v1: pair as never },
    });
    defineOperator({ name: 'site-operator', customResources: [resource] });
    return [];
  } catch (error) {
    return (error as { problems: readonly { path: string; message: string }[] }).problems.map(({ path, message }) => `${path}: ${message}`);
  }
}
const AT = 'sites.web.example.com: convert.v1';

test('a conversion that keeps everything is taken', () => {
  expect(problemsOf({})).toEqual([]);
});

test('H62 a field that does not come back is named, with its value and the ways to keep it', () => {
  const problems = problemsOf({
    v1: { host: z.string(), note: z.string().optional() },
    toStorage: ({ spec: { host } }) => ({ spec: { host } }),
  });
  expect(problems).toEqual([
    expect.stringMatching(
      /^sites\.web\.example\.com: convert\.v1\.toStorage: loses spec\.note on the way from v1 to v2 and back: "a\d+" is gone; keep what v2 cannot say in an annotation, or declare it: lossy: \{ toStorage: \{ 'spec\.note': 'why' \} \}$/,
    ),
  ]);
});

test.each<[string, Given, string]>([
  [
    'a field of the stored version',
    { v2: { host: z.string(), port: k.int32().optional() }, fromStorage: ({ spec: { host } }) => ({ spec: { host } }) },
    `${AT}.fromStorage: loses spec.port on the way from v2 to v1 and back`,
  ],
  [
    'a value that is changed',
    { toStorage: ({ spec: { host } }) => ({ spec: { host: String(host).toUpperCase() } }) },
    `${AT}.toStorage: loses spec.host on the way from v1 to v2 and back: "a1" became "A1"`,
  ],
  [
    'items of a list',
    {
      v1: { hosts: z.array(z.object({ name: z.string(), port: k.int32().optional() })) },
      v2: { hosts: z.array(z.string()) },
      toStorage: ({ spec: { hosts } }) => ({ spec: { hosts: (hosts as { name: string }[]).map(({ name }) => name) } }),
      fromStorage: ({ spec: { hosts } }) => ({ spec: { hosts: (hosts as string[]).map((name) => ({ name })) } }),
    },
    `${AT}.toStorage: loses spec.hosts[].port on the way`,
  ],
  [
    'all but the first item',
    {
      v2: { hosts: k.set(z.string()).min(1) as never },
      toStorage: ({ spec: { host } }) => ({ spec: { hosts: [host] } }),
      fromStorage: ({ spec: { hosts } }) => ({ spec: { host: (hosts as string[])[0] } }),
    },
    `${AT}.fromStorage: loses spec.hosts[] on the way from v2 to v1 and back`,
  ],
  [
    'a branch of a union',
    {
      v1: {
        store: z.discriminatedUnion('type', [
          z.object({ type: z.literal('disk'), size: z.string() }),
          z.object({ type: z.literal('tmp') }),
        ]),
      },
      v2: { size: z.string() },
      toStorage: ({ spec: { store } }) => ({ spec: { size: (store as { size?: string }).size ?? '' } }),
      fromStorage: ({ spec: { size } }) => ({ spec: { store: size === '' ? { type: 'tmp' } : { type: 'disk', size: '1Gi' } } }),
    },
    `${AT}.toStorage: loses spec.store.size on the way`,
  ],
  [
    'what goes to a field that the schema does not know',
    { v1: { host: z.string() }, v2: { name: z.string().optional() }, toStorage: ({ spec: { host } }) => ({ spec: { nme: host } }) },
    `${AT}.toStorage: loses spec.host on the way`,
  ],
  [
    'labels and annotations of others',
    { toStorage: ({ spec }) => ({ spec, metadata: { annotations: {} } }) },
    `${AT}.toStorage: loses metadata.annotations.example.com/kept on the way from v1 to v2 and back: "yes" is gone; keep the labels and annotations that the conversion does not use itself`,
  ],
])('H62 %s that is lost is found', (_, given, problem) => {
  expect(problemsOf(given)).toContainEqual(expect.stringContaining(problem));
});

test('a field of the items of lists may be lossy', () => {
  const given: Given = {
    v1: { rows: z.array(z.array(z.object({ name: z.string(), port: k.int32().optional() }))) },
    v2: { rows: z.array(z.array(z.string())) },
    toStorage: ({ spec: { rows } }) => ({ spec: { rows: (rows as { name: string }[][]).map((row) => row.map(({ name }) => name)) } }),
    fromStorage: ({ spec: { rows } }) => ({ spec: { rows: (rows as string[][]).map((row) => row.map((name) => ({ name }))) } }),
  };
  expect(problemsOf(given)).toEqual([expect.stringContaining('loses spec.rows[][].port')]);
  const lossy = (path: string) => problemsOf({ ...given, more: { lossy: { toStorage: { [path]: 'not served any more' } } } });
  expect(lossy('spec.rows[][].port')).toEqual([]);
  expect(lossy('spec.rows[].port').join()).toContain("lossy.toStorage['spec.rows[].port']: is not a field of v1");
});

test('an empty list that is gone is no loss, as nothing and null are none', () => {
  const hosts = { hosts: z.array(z.string()).max(0) };
  expect(problemsOf({ v1: { host: z.string(), ...hosts }, toStorage: ({ spec: { host } }) => ({ spec: { host } }) })).toEqual([]);
});

test('what an annotation keeps is not lost, and a default may be added', () => {
  const KEPT = 'web.example.com/note';
  expect(
    problemsOf({
      v1: { host: z.string(), note: z.string().optional() },
      v2: { host: z.string(), mode: z.enum(['fast', 'safe']).default('fast') },
      toStorage: ({ spec: { host, note }, metadata }) => {
        const { [KEPT]: mode, ...annotations } = (metadata as { annotations: Record<string, string> }).annotations;
        return {
          spec: { host, ...(mode === undefined ? {} : { mode }) },
          metadata: { annotations: { ...annotations, ...(note === undefined ? {} : { 'web.example.com/v1': note }) } },
        };
      },
      fromStorage: ({ spec: { host, mode }, metadata }) => {
        const { 'web.example.com/v1': note, ...annotations } = (metadata as { annotations: Record<string, string> }).annotations;
        return { spec: { host, ...(note === undefined ? {} : { note }) }, metadata: { annotations: { ...annotations, [KEPT]: mode } } };
      },
    }),
  ).toEqual([]);
});

test('a lossy field is taken with its reason, and all below it; others are still found', () => {
  const given: Given = {
    v1: { host: z.string(), tls: z.object({ cert: z.string(), key: z.string() }).optional(), note: z.string().optional() },
    toStorage: ({ spec: { host } }) => ({ spec: { host } }),
  };
  const lossy = { 'spec.tls': 'certificates moved to a kind of their own' };
  expect(problemsOf({ ...given, more: { lossy: { toStorage: lossy } } })).toEqual([expect.stringContaining('loses spec.note')]);
  expect(problemsOf({ ...given, more: { lossy: { toStorage: { ...lossy, 'spec.note': 'nobody used it' } } } })).toEqual([]);
});

test.each<[string, object, string]>([
  [
    'a field that is not there',
    { lossy: { toStorage: { 'spec.note': 'why' } } },
    "convert.v1.lossy.toStorage['spec.note']: is not a field of v1; correct the path",
  ],
  ['no reason', { lossy: { fromStorage: { 'spec.host': ' ' } } }, "convert.v1.lossy.fromStorage['spec.host']: has no reason; write why"],
  ['an unknown direction', { lossy: { both: {} } }, 'convert.v1.lossy.both: is not a direction; known are toStorage, fromStorage'],
  ['a list of paths', { lossy: ['spec.host'] }, 'convert.v1.lossy: is a list'],
  ['an unknown part', { losy: {} }, 'convert.v1.losy: is not part of a conversion'],
])('a declaration with %s is refused', (_, more, problem) => {
  expect(problemsOf({ more })).toEqual([expect.stringContaining(problem)]);
});

test('W7 a function that throws for what the schema admits is named, with the error and the object', () => {
  const problems = problemsOf({
    v1: { size: k.int32() },
    v2: { size: k.int32() },
    fromStorage: ({ spec }) => {
      if (Number(spec['size']) > 1) throw new RangeError('too large for v1');
      return { spec };
    },
  });
  expect(problems).toEqual([
    expect.stringMatching(
      /convert\.v1\.fromStorage: throws for an object of v2 that toStorage has made, and would break each list that holds it: RangeError: too large for v1; convert it, or narrow the schema; the object has \{"spec":\{"size":\d+\}\}/,
    ),
  ]);
});

test.each<[string, Convert]>([
  ['a promise', async ({ spec }) => ({ spec })],
  ['no spec', () => ({})],
])('a function that returns %s is refused', (_, toStorage) => {
  expect(problemsOf({ toStorage })).toEqual([
    `${AT}.toStorage: returns no spec; return { spec } and, where there is one, { status }, and not a promise`,
  ]);
});

test('a version that is not served is left for good: nothing has to come back', () => {
  expect(
    problemsOf({
      v1: { host: z.string(), note: z.string().optional() },
      toStorage: ({ spec: { host } }) => ({ spec: { host } }),
      v1Served: false,
    }),
  ).toEqual([]);
});

test.each([
  ['Namespaced', 'default'],
  ['Cluster', undefined],
] as const)('an object of a kind of scope %s that is tried is in the namespace %s', (scope, namespace) => {
  const seen = new Set<unknown>();
  const convert: Convert = ({ spec, metadata }) => {
    seen.add((metadata as { namespace?: string }).namespace);
    return { spec };
  };
  const version = { spec: z.object({ host: z.string() }) };
  const resource = defineCustomResource({
    group: 'web.example.com',
    kind: 'Site',
    scope,
    versions: { v2: { ...version, storage: true }, v1: version },
    convert: { v1: { toStorage: convert, fromStorage: convert } as never },
  });
  defineOperator({ name: 'site-operator', customResources: [resource] });
  expect([...seen]).toEqual([namespace]);
});

test('a schema of which nothing can be made up needs samples, which are tried', () => {
  const line = z.string().regex(/^\p{Lu}[a-z]+$/u);
  const schemas = { v1: { line, note: z.string().optional() }, v2: { line } };
  const toStorage: Convert = ({ spec: { line: kept } }) => ({ spec: { line: kept } });
  expect(problemsOf({ ...schemas, toStorage })).toEqual([
    `${AT}.samples: is missing: no object of v1 or v2 can be made up from its schema, so nothing shows whether the conversion keeps it; give some: samples: [{ spec: { ... } }]`,
  ]);
  expect(problemsOf({ ...schemas, toStorage, more: { samples: [{ spec: { line: 'Abc' } }] } })).toEqual([]);
  expect(problemsOf({ ...schemas, toStorage, more: { samples: [{ spec: { line: 'Abc', note: 'n' } }] } })).toEqual([
    expect.stringContaining('loses spec.note'),
  ]);
});

test('patterns, formats, rules and limits are met by what is made up', () => {
  const fields = {
    name: z.string().regex(/^[a-z]([-a-z0-9]*[a-z0-9])?$/),
    cron: z.string().regex(/^(\*|[0-9]{1,2})( (\*|\d+|[A-F]{2,3})){4}$/),
    time: k.timestamp(),
    size: k.quantity(),
    mail: z.email(),
    port: k.port(),
    share: z.number().min(0.1).max(0.9),
    words: k.set(z.enum(['a', 'b', 'c'])),
  };
  expect(
    problemsOf({
      v1: { ...fields, gone: z.string() },
      v2: fields,
      toStorage: ({ spec: { gone: _, ...spec } }) => ({ spec }),
      fromStorage: ({ spec }) => ({ spec: { ...spec, gone: '' } }),
    }),
  ).toEqual([expect.stringContaining('loses spec.gone')]);
});
