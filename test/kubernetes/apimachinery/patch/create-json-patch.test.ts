import { applyJsonPatch, createJsonPatch, type Json, type JsonPatchOperation } from '../../../../src/kubernetes/apimachinery/index.js';
import { workOf } from '../../../work/work-of.js';

const numbered = (count: number, from = 0): Json[] =>
  Array.from({ length: count }, (_, index) => ({ name: `n${from + index}`, value: from + index }));

describe('a created JSON patch', () => {
  test.each<[string, Json, Json, JsonPatchOperation[]]>([
    ['is empty for equal values', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
    [
      'goes through fields by name',
      { b: 1, c: 1 },
      { a: 1, b: 2 },
      [
        { op: 'add', path: '/a', value: 1 },
        { op: 'replace', path: '/b', value: 2 },
        { op: 'remove', path: '/c' },
      ],
    ],
    ['escapes names', { 'a/b': { '~': 1 } }, { 'a/b': { '~': 2 } }, [{ op: 'replace', path: '/a~1b/~0', value: 2 }]],
    [
      'tells null from absence',
      { a: null },
      { b: null },
      [
        { op: 'remove', path: '/a' },
        { op: 'add', path: '/b', value: null },
      ],
    ],
    ['appends to a list', { a: [1] }, { a: [1, 2] }, [{ op: 'add', path: '/a/-', value: 2 }]],
    ['inserts in front', { a: [2, 3] }, { a: [1, 2, 3] }, [{ op: 'add', path: '/a/0', value: 1 }]],
    ['removes in front', { a: [1, 2, 3] }, { a: [2, 3] }, [{ op: 'remove', path: '/a/0' }]],
    [
      'changes inside an item, whatever stands in front',
      { a: [{ name: 'x', v: 1, w: [1] }] },
      { a: [{ name: 'side' }, { name: 'x', v: 1, w: [1, 2] }] },
      [
        { op: 'add', path: '/a/0', value: { name: 'side' } },
        { op: 'add', path: '/a/1/w/-', value: 2 },
      ],
    ],
    [
      'replaces an item of which nothing is left',
      { a: [{ name: 'x', v: 1 }] },
      { a: [{ name: 'y', v: 2 }] },
      [{ op: 'replace', path: '/a/0', value: { name: 'y', v: 2 } }],
    ],
    ['replaces the whole by another kind', { a: 1 }, [1], [{ op: 'replace', path: '', value: [1] }]],
    [
      'writes own fields of any name',
      {},
      JSON.parse('{"__proto__":1,"constructor":2}') as Json,
      [
        { op: 'add', path: '/__proto__', value: 1 },
        { op: 'add', path: '/constructor', value: 2 },
      ],
    ],
  ])('%s', (_name, before, after, expected) => {
    expect(createJsonPatch(before, after)).toEqual(expected);
  });

  test('takes undefined for absence', () => {
    const after = { a: undefined } as unknown as Json;
    expect(createJsonPatch({}, after)).toEqual([]);
    expect(createJsonPatch({ a: 1 }, after)).toEqual([{ op: 'remove', path: '/a' }]);
  });

  test('stays quick and right for long lists with nothing in common', () => {
    const [before, after] = [{ a: numbered(3000) }, { a: numbered(2999, 7001) }];
    let patch: ReturnType<typeof createJsonPatch> = [];
    const work = workOf(() => {
      patch = createJsonPatch(before, after);
    });
    expect(work).toBeLessThan(5000);
    expect(patch).toHaveLength(3000);
    expect(applyJsonPatch(before, patch as unknown as Json)).toEqual(after);
  });
});
