import type { StoredObject } from '../../../src/runtime/cache/index.js';
import { MadeOnce } from '../../../src/runtime/children/made-once.js';
import type { Owner } from '../../../src/runtime/children/marks.js';
import { FakeInformer } from './fake-informer.js';
import { OWNER } from './shop.js';

const ANNOTATION = 'made.keelson.dev/widget';
const signal = new AbortController().signal;

const ownerWith = (text: string | undefined, metadata: object = {}): Owner => ({
  ...OWNER,
  object: {
    ...OWNER.object,
    metadata: { ...OWNER.object.metadata, annotations: text === undefined ? {} : { [ANNOTATION]: text }, ...metadata },
  } as StoredObject,
});

interface Patched {
  readonly key: object;
  readonly patch: { readonly body: { readonly metadata: { readonly uid: string; readonly annotations: Record<string, string | null> } } };
}

function memory(): { readonly made: MadeOnce; readonly informer: FakeInformer; readonly patched: Patched[] } {
  const informer = new FakeInformer(OWNER.kind);
  const patched: Patched[] = [];
  const patch = async (_: unknown, key: object, one: Patched['patch']): Promise<StoredObject> => {
    patched.push({ key, patch: one });
    return OWNER.object;
  };
  return { made: new MadeOnce({ client: { patch } as never, kind: OWNER.kind, informer, fieldManager: 'op/widget' }), informer, patched };
}

test.each<[string | undefined, readonly string[]]>([
  ['{"jobs":["b","a"],"others":["c"]}', ['b', 'a']],
  ['{"jobs":["a",1,null]}', ['a']],
  ['{"jobs":"a"}', []],
  ['{"others":["c"]}', []],
  ['[]', []],
  ['null', []],
  ['1', []],
  ['no JSON', []],
  [undefined, []],
])('of %j the names of a handle are %j', (text, names) => expect(memory().made.names(ownerWith(text), { handle: 'jobs' })).toEqual(names));

test('what the cache holds is newer than what the run began with, if it is the same object', () => {
  const { made, informer } = memory();
  informer.put(ownerWith('{"jobs":["new"]}').object);
  expect(made.names(ownerWith('{"jobs":["old"]}'), { handle: 'jobs' })).toEqual(['new']);
  informer.put(ownerWith('{"jobs":["new"]}', { uid: 'another' }).object);
  expect(made.names(ownerWith('{"jobs":["old"]}'), { handle: 'jobs' })).toEqual(['old']);
});

describe('remembering', () => {
  const textOf = ({ patch }: Patched): string | null | undefined =>
    JSON.parse(JSON.stringify(patch)).body?.metadata.annotations[ANNOTATION];

  test.each<[string | undefined, readonly string[]]>([
    ['{"jobs":["b","a"]}', ['a', 'b']],
    ['{"jobs":["a","b"]}', ['b', 'a']],
    [undefined, []],
    ['{"others":["c"]}', []],
  ])('writes nothing where %j says %j already', async (text, names) => {
    const { made, patched } = memory();
    await made.remember(ownerWith(text), { handle: 'jobs' }, names, signal);
    expect(patched).toEqual([]);
  });

  test.each<[string | undefined, readonly string[], string | null]>([
    [undefined, ['b', 'a'], '{"jobs":["a","b"]}'],
    ['{"others":["c"]}', ['a'], '{"others":["c"],"jobs":["a"]}'],
    ['{"jobs":["a","b"],"others":["c"]}', [], '{"others":["c"]}'],
    ['{"jobs":["a"]}', [], null],
  ])('makes of %j and %j the text %j, with the uid of the owner', async (text, names, expected) => {
    const { made, patched, informer } = memory();
    await made.remember(ownerWith(text), { handle: 'jobs' }, names, signal);
    expect(patched).toHaveLength(1);
    expect(textOf(patched[0] as Patched)).toBe(expected);
    expect(patched[0]?.key).toEqual({ name: 'w', namespace: 'shop' });
    expect(JSON.stringify(patched[0]?.patch)).toContain('"uid":"owner"');
    expect(informer.told).toEqual([OWNER.object]);
  });

  test('names an owner without a namespace by its name alone', async () => {
    const { made, patched } = memory();
    await made.remember(ownerWith(undefined, { namespace: undefined }), { handle: 'jobs' }, ['a'], signal);
    expect(patched[0]?.key).toStrictEqual({ name: 'w' });
  });
});
