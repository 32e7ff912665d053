import {
  applyMergePatch,
  createMergePatch,
  type Json,
  type JsonObject,
  PatchNotPossible,
  PatchRefused,
} from '../../../../src/kubernetes/apimachinery/index.js';

const json = (text: string): Json => JSON.parse(text) as Json;

describe('a merge patch', () => {
  test.each<[string, string, string, string]>([
    ['sets, keeps and removes', '{"a":1,"b":2,"c":3}', '{"b":null,"c":4}', '{"a":1,"c":4}'],
    ['goes down into objects', '{"a":{"b":1,"c":2}}', '{"a":{"b":null}}', '{"a":{"c":2}}'],
    ['leaves an empty object', '{"a":{"b":1}}', '{"a":{"b":null}}', '{"a":{}}'],
    ['replaces lists', '{"a":[1,2]}', '{"a":[3]}', '{"a":[3]}'],
    ['drops nulls of an object that is new', '{}', '{"a":{"b":null,"c":{"d":null}}}', '{"a":{"c":{}}}'],
    ['replaces a scalar by an object without its nulls', '{"a":1}', '{"a":{"b":null,"c":1}}', '{"a":{"c":1}}'],
    ['drops nulls of objects in a list that is new', '{}', '{"a":[{"b":null},null]}', '{"a":[{},null]}'],
    ['keeps them where the list replaces an object', '{"a":{}}', '{"a":[{"b":null}]}', '{"a":[{"b":null}]}'],
    ['keeps nulls that it does not speak of', '{"a":null}', '{"b":1}', '{"a":null,"b":1}'],
    ['sets __proto__ as any field', '{}', '{"__proto__":{"x":1},"constructor":1}', '{"__proto__":{"x":1},"constructor":1}'],
  ])('%s', (_name, target, patch, expected) => {
    expect(JSON.stringify(applyMergePatch(json(target), json(patch)))).toBe(JSON.stringify(json(expected)));
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  test.each<['Warn' | 'Ignore', Json, string]>([
    ['Warn', null, 'Invalid JSON Patch'],
    ['Warn', [], 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}'],
    ['Warn', 1, 'error decoding patch: json: cannot unmarshal number into Go value of type map[string]interface {}'],
    ['Ignore', 'x', 'Invalid JSON Patch'],
  ])('under fieldValidation=%s, %j is none', (fieldValidation, patch, message) => {
    expect(() => applyMergePatch({}, patch, { fieldValidation })).toThrow(
      expect.objectContaining({ refusal: { status: 400, reason: 'BadRequest', message } }),
    );
  });

  test('under fieldValidation=Ignore, a list replaces the document', () => {
    expect(applyMergePatch({ a: 1 }, [{ b: null }], { fieldValidation: 'Ignore' })).toEqual([{}]);
  });

  test('is refused when it is nested too deeply', () => {
    const deep = json(`${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`) as JsonObject;
    expect(() => applyMergePatch({}, deep)).toThrow(PatchRefused);
    expect(() => createMergePatch({}, deep)).toThrow('exceeded max depth');
  });
});

describe('a created merge patch', () => {
  test.each<[string, string, string]>([
    ['{"a":1,"b":{"c":1,"d":2}}', '{"a":1,"b":{"c":3}}', '{"b":{"d":null,"c":3}}'],
    ['{"a":{"b":1}}', '{"a":{"b":1}}', '{}'],
    ['{"a":[1,2]}', '{"a":[1]}', '{"a":[1]}'],
    ['{"a":{"b":1}}', '{}', '{"a":null}'],
    ['{"a":null}', '{"a":null,"b":1}', '{"b":1}'],
    ['{"constructor":1}', '{}', '{"constructor":null}'],
    ['{}', '{"constructor":1}', '{"constructor":1}'],
  ])('%s → %s is %s', (before, after, patch) => {
    expect(createMergePatch(json(before) as JsonObject, json(after) as JsonObject)).toEqual(json(patch));
  });

  test('says where it cannot say null', () => {
    const attempt = (): unknown => createMergePatch({}, { a: [{ 'b/c': null }] });
    expect(attempt).toThrow(PatchNotPossible);
    expect(attempt).toThrow('/a/0/b~1c is to become null: a merge patch cannot say so (null removes the field); use a JSON Patch');
  });
});
