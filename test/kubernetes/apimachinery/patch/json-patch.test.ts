import {
  applyJsonPatch,
  type Json,
  type JsonPatchOptions,
  PatchRefused,
  unknownJsonPatchFields,
} from '../../../../src/kubernetes/apimachinery/index.js';

/** The words of the library, whatever a client gets to see of them. */
function refusal(document: Json, patch: Json, options: JsonPatchOptions = {}): { status: number; cause: string; message: string } {
  try {
    applyJsonPatch(document, patch, options);
  } catch (error) {
    if (error instanceof PatchRefused) return { status: error.refusal.status, cause: error.message, message: error.refusal.message };
    throw error;
  }
  throw new Error('the patch was applied');
}

const json = (text: string): Json => JSON.parse(text) as Json;

describe('a JSON patch', () => {
  test.each<[string, string, string, string]>([
    ['adds a field', '{}', '[{"op":"add","path":"/a","value":{"b":1}}]', '{"a":{"b":1}}'],
    ['adds in front of an item', '{"a":[1,2]}', '[{"op":"add","path":"/a/1","value":9}]', '{"a":[1,9,2]}'],
    ['appends by -', '{"a":[1]}', '[{"op":"add","path":"/a/-","value":2}]', '{"a":[1,2]}'],
    ['appends by the index behind the last', '{"a":[1]}', '[{"op":"add","path":"/a/1","value":2}]', '{"a":[1,2]}'],
    ['counts negative indexes from the end', '{"a":[1,2]}', '[{"op":"replace","path":"/a/-1","value":9}]', '{"a":[1,9]}'],
    ['appends by the index -1', '{"a":[1]}', '[{"op":"add","path":"/a/-1","value":2}]', '{"a":[1,2]}'],
    ['takes +1 and 01 as indexes', '{"a":[1,2]}', '[{"op":"remove","path":"/a/+1"},{"op":"remove","path":"/a/00"}]', '{"a":[]}'],
    ['writes null for a missing value', '{}', '[{"op":"add","path":"/a"}]', '{"a":null}'],
    ['creates by replace what is missing', '{}', '[{"op":"replace","path":"/a","value":1}]', '{"a":1}'],
    ['replaces the whole', '{"a":1}', '[{"op":"replace","path":"","value":{"b":2}}]', '{"b":2}'],
    ['passes over a scalar for the whole', '{"a":1}', '[{"op":"replace","path":"","value":5}]', '{"a":1}'],
    ['copies what is missing as null', '{}', '[{"op":"copy","from":"/a","path":"/b"}]', '{"b":null}'],
    [
      'copies a value, not a reference',
      '{"a":{}}',
      '[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/a/x","value":1}]',
      '{"a":{"x":1},"b":{}}',
    ],
    ['moves inside a list', '{"a":[1,2,3]}', '[{"op":"move","from":"/a/0","path":"/a/2"}]', '{"a":[2,3,1]}'],
    [
      'tests equality whatever the order',
      '{"a":{"x":1,"y":[null]}}',
      '[{"op":"test","path":"/a/x","value":1}]',
      '{"a":{"x":1,"y":[null]}}',
    ],
    ['tests what is missing for null', '{}', '[{"op":"test","path":"/a","value":null}]', '{}'],
    ['reads ~01 as ~1', '{"~1":1,"a/b":2}', '[{"op":"remove","path":"/~01"},{"op":"remove","path":"/a~1b"}]', '{}'],
    ['passes over what stands before the first slash', '{"a":1}', '[{"op":"remove","path":"x/a"}]', '{}'],
    ['does nothing if it is null', '{"a":1}', 'null', '{"a":1}'],
  ])('%s', (_name, document, patch, expected) => {
    expect(applyJsonPatch(json(document), json(patch))).toEqual(json(expected));
  });

  test.each<[string, string, string]>([
    ['{}', '[{"op":"add","path":"/a/b","value":1}]', 'add operation does not apply: doc is missing path: "/a/b": missing value'],
    ['{}', '[{"op":"add","path":"","value":{}}]', 'add operation does not apply: doc is missing path: "": missing value'],
    ['{}', '[{"op":"add","value":{}}]', 'add operation failed to decode path: missing value'],
    [
      '{"a":[1]}',
      '[{"op":"add","path":"/a/2","value":1}]',
      "error in add for path: '/a/2': Unable to access invalid index: 2: invalid index referenced",
    ],
    [
      '{"a":[]}',
      '[{"op":"add","path":"/a/x"}]',
      "error in add for path: '/a/x': value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": invalid syntax",
    ],
    ['{"a":[]}', '[{"op":"remove","path":"/a/-"}]', 'error in remove for path: \'/a/-\': strconv.Atoi: parsing "-": invalid syntax'],
    [
      '{"a":[]}',
      '[{"op":"remove","path":"/a/99999999999999999999"}]',
      'error in remove for path: \'/a/99999999999999999999\': strconv.Atoi: parsing "99999999999999999999": value out of range',
    ],
    ['{}', '[{"op":"remove","path":"/a"}]', "error in remove for path: '/a': Unable to remove nonexistent key: a: missing value"],
    [
      '{"a":[1]}',
      '[{"op":"replace","path":"/a/1","value":1}]',
      'replace operation does not apply: doc is missing key: /a/1: missing value',
    ],
    ['{}', '[{"op":"replace","value":1}]', 'replace operation failed to decode path: operation missing path field: missing value'],
    ['{}', '[{"op":"move","from":"/a","path":"/b"}]', "error in move for path: 'a': Unable to remove nonexistent key: a: missing value"],
    ['{}', '[{"op":"move","path":"/b"}]', 'move operation failed to decode from: operation, missing from field: missing value'],
    [
      '{"a":1}',
      '[{"op":"copy","from":"/a","path":"/b/c"}]',
      'copy operation does not apply: doc is missing destination path: /b/c: missing value',
    ],
    ['{"a":1}', '[{"op":"test","path":"/a","value":2}]', 'testing value /a failed: test failed'],
    ['{"a":1}', '[{"op":"test","path":"/a/b","value":2}]', 'test operation does not apply: is missing path: /a/b: missing value'],
    [
      '{"a":1}',
      '[{"op":"test","path":7}]',
      'test operation failed to decode path: json: cannot unmarshal number into Go value of type string',
    ],
    ['{}', '[{"op":"merge","path":"/a"}]', 'Unexpected kind: merge'],
    ['{}', '[null]', 'Unexpected kind: unknown'],
  ])('%s %s is refused with 422', (document, patch, cause) => {
    const message = 'the server rejected our request due to an error in our request';
    expect(refusal(json(document), json(patch))).toEqual({ status: 422, cause, message });
  });

  test.each<[string, string, string]>([
    ['Ignore', '{}', 'json: cannot unmarshal object into Go value of type jsonpatch.Patch'],
    ['Ignore', '[1]', 'json: cannot unmarshal number into Go value of type jsonpatch.Operation'],
    ['Warn', '"x"', 'error decoding patch: json: cannot unmarshal string into Go value of type []handlers.jsonPatchOp'],
    ['Warn', '[true]', 'error decoding patch: json: cannot unmarshal bool into Go value of type handlers.jsonPatchOp'],
    ['Strict', '[{"op":["a"]}]', 'error decoding patch: json: cannot unmarshal array into Go struct field jsonPatchOp.op of type string'],
  ])('under fieldValidation=%s, %s is not a patch document', (fieldValidation, patch, message) => {
    const options = { fieldValidation } as JsonPatchOptions;
    expect(refusal({}, json(patch), options)).toEqual({ status: 400, cause: message, message });
  });

  test.each<[string, string, string]>([
    [
      'a field of the copy of a null',
      '{"b":{}}',
      '[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/c"},{"op":"add","path":"/c/d","value":1}]',
    ],
    ['a test of a list with a null', '{"a":[null]}', '[{"op":"test","path":"/a","value":[null]}]'],
    ['a whole without a value', '{}', '[{"op":"replace","path":""}]'],
  ])('%s is where the library panics', (_name, document, patch) => {
    expect(refusal(json(document), json(patch)).status).toBe(500);
  });

  test('a null that was set before has no fields, and nothing is equal to nothing', () => {
    const patch = '[{"op":"add","path":"/a","value":null},{"op":"add","path":"/a/b","value":1}]';
    expect(refusal({}, json(patch))).toMatchObject({
      status: 422,
      cause: 'add operation does not apply: doc is missing path: "/a/b": missing value',
    });
    expect(applyJsonPatch({}, json('[{"op":"test","path":"/a"}]'))).toEqual({});
  });

  test('leaves the document as it is, also when it fails', () => {
    const document = { a: { b: [1] } };
    refusal(document, [{ op: 'add', path: '/a/b/-', value: 2 }, { op: 'nope' }]);
    applyJsonPatch(document, [{ op: 'add', path: '/a/b/-', value: 2 }]);
    expect(document).toEqual({ a: { b: [1] } });
  });

  test('treats __proto__ and constructor as any other field', () => {
    const patched = applyJsonPatch(
      {},
      json('[{"op":"add","path":"/__proto__","value":{"x":1}},{"op":"add","path":"/__proto__/y","value":2}]'),
    );
    expect(JSON.stringify(patched)).toBe('{"__proto__":{"x":1,"y":2}}');
    expect(({} as Record<string, unknown>)['y']).toBeUndefined();
    expect(refusal({}, [{ op: 'add', path: '/constructor/prototype/z', value: 1 }]).status).toBe(422);
    expect(applyJsonPatch({}, [{ op: 'test', path: '/toString', value: null }])).toEqual({});
  });

  test('is refused with 413 beyond ten thousand operations', () => {
    const patch = Array.from({ length: 10_001 }, () => ({ op: 'add', path: '/a', value: 1 }));
    const message = 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001';
    expect(refusal({}, patch)).toEqual({ status: 413, cause: message, message });
    expect(applyJsonPatch({}, patch, { maxOperations: Number.POSITIVE_INFINITY })).toEqual({ a: 1 });
    expect(applyJsonPatch({}, patch.slice(1))).toEqual({ a: 1 });
  });

  test('cannot double the document again and again', () => {
    const patch = Array.from({ length: 40 }, (_, index) => ({ op: 'copy', from: '', path: `/a/${index}` }));
    const doubling = patch.map((operation) => ({ ...operation, from: '/a', path: '/a/-' }));
    expect(refusal({ a: ['<'] }, doubling).cause).toMatch(
      /^Unable to complete the copy, the accumulated size increase of copy is \d+, exceeding the limit 3145728$/,
    );
    // As the server spells it: `<` takes six bytes.
    expect(refusal({ a: '<' }, [{ op: 'copy', from: '/a', path: '/b' }], { maxCopiedBytes: 7 }).cause).toMatch(
      / is 8, exceeding the limit 7$/,
    );
  });

  test('is refused when it is nested too deeply, whoever made it so', () => {
    const deep = (levels: number): Json => json('['.repeat(levels) + ']'.repeat(levels));
    expect(refusal({}, [{ op: 'add', path: '/a', value: deep(5000) }])).toMatchObject({ status: 400, cause: 'exceeded max depth' });
    const nested = applyJsonPatch({}, [{ op: 'add', path: '/a', value: deep(900) }]);
    const path = `/a${'/-'.repeat(1)}`;
    expect(applyJsonPatch(nested, [{ op: 'add', path, value: 1 }])).toBeDefined();
    expect(refusal(nested, [{ op: 'add', path: `/a${'/0'.repeat(899)}/-`, value: deep(900) }]).cause).toBe('exceeded max depth');
  });

  test('names the fields that operations do not have', () => {
    expect(unknownJsonPatchFields([{ op: 'add', path: '/a', value: 1, foo: 1 }, { OP: 'x' }])).toEqual([
      'json patch unknown field "[0].foo"',
      'json patch unknown field "[1].OP"',
    ]);
  });
});
