import fc from 'fast-check';
import { BodyProblem, jsonText, parseJson, prettyJsonText } from '../../../../src/api-server/values/codec/index.js';

const parse = (text: string): ReturnType<typeof parseJson> => parseJson(Buffer.from(text));

function problemOf(text: string | Buffer): string {
  try {
    parseJson(typeof text === 'string' ? Buffer.from(text) : text);
  } catch (error) {
    if (BodyProblem.isBodyProblem(error)) return error.message;
    throw error;
  }
  throw new Error('no problem');
}

// The texts were read off kube-apiserver.
test.each([
  ['', 'unexpected end of JSON input'],
  ['{', 'unexpected end of JSON input'],
  ['"abc', 'unexpected end of JSON input'],
  ['-', 'unexpected end of JSON input'],
  ['tru', 'unexpected end of JSON input'],
  ['{"a":}', "invalid character '}' looking for beginning of value"],
  ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
  ['[1 2]', "invalid character '2' after array element"],
  ['{"a":tru}', "invalid character '}' in literal true (expecting 'e')"],
  ['nul!', "invalid character '!' in literal null (expecting 'l')"],
  ['{"a":1.}', "invalid character '}' after decimal point in numeric literal"],
  ['[-x]', "invalid character 'x' in numeric literal"],
  ['[1e+]', "invalid character ']' in exponent of numeric literal"],
  ['[01]', "invalid character '1' after array element"],
  ['{"a":"\\x"}', "invalid character 'x' in string escape code"],
  ['["\\u12g4"]', "invalid character 'g' in \\u hexadecimal character escape"],
  ['{"a":"\u0001"}', "invalid character '\\x01' in string literal"],
  ['{}x', "invalid character 'x' after top-level value"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['[1,]', "invalid character ']' looking for beginning of value"],
  ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
  ['{"aé":é', "invalid character 'Ã' looking for beginning of value"],
  ['['.repeat(10_001), "invalid character '[' exceeded max depth"],
  [`${'['.repeat(10_001)}${']'.repeat(10_001)}`, "invalid character '[' exceeded max depth"],
])('%.40j: %s', (text, problem) => {
  expect(problemOf(text)).toBe(problem);
});

test('1,000 levels are read, more are refused before anything calls itself for each of them', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  expect(parse(nested(1000)).strictProblems).toEqual([]);
  expect(problemOf(nested(1001))).toBe("the object is nested 1001 levels deep; keelson's in-process API server keeps 1000 at most");
  expect(problemOf(nested(10_000))).toContain('10000 levels deep');
});

test('fields given twice are told with their Go paths, once each, in the order of the text', () => {
  const text =
    '{"spec":{"a":[{"b":1,"b":{"c":1,"c":2}}],"a":[{"b":1,"b":2}],"k.l":{"x":1,"x":2}},"spec":{"z":1,"\\u007a":2},"__proto__":1,"__proto__":2}';
  const { value, strictProblems } = parse(text);
  expect(strictProblems).toEqual(
    ['spec.a[0].b', 'spec.a[0].b.c', 'spec.a', 'spec.k.l.x', 'spec', 'spec.z', '__proto__'].map((path) => `duplicate field "${path}"`),
  );
  expect(JSON.stringify(value)).toBe('{"spec":{"z":2},"__proto__":2}');
});

test('no more than 100 problems are told', () => {
  const text = `{${Array.from({ length: 300 }, (_, index) => `"a${index % 150}":1`).join(',')}}`;
  expect(parse(text).strictProblems).toHaveLength(100);
});

test.each([
  '9007199254740991',
  '-9007199254740991',
  '9007199254740992',
  '9223372036854775808',
  '123456789012345678901234567890',
  '1e3',
  '0.1',
  '1.0',
  '-0',
])('the number %s is kept', (token) => {
  expect(parse(`{"n":${token}}`).value).toEqual({ n: Number(token) });
});

test.each(['9007199254740993', '-9223372036854775807', '1152921504606846976'])(
  'the integer %s, which would come back as another, is refused',
  (token) => {
    expect(problemOf(`{"n":[${token}]}`)).toBe(
      `the integer ${token} is beyond ±9007199254740991 and cannot be kept exactly by keelson's in-process API server; write it as a string`,
    );
  },
);

test('a number beyond float64 is refused in Go’s words', () => {
  expect(problemOf('[1e400]')).toBe('json: cannot unmarshal number 1e400 into Go value of type float64');
});

test('any JSON is read as JSON.parse reads it, without problems', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      fc.pre(!/\d{16}|e[+-]?\d{3}/i.test(text));
      const { value, strictProblems } = parse(text);
      expect(value).toEqual(JSON.parse(text));
      expect(strictProblems).toEqual([]);
    }),
  );
});

test('what JSON.parse refuses is told in Go’s words, whatever the bytes', () => {
  const mangled = fc.tuple(
    fc.json({ maxDepth: 4 }),
    fc.nat(),
    fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '\\', '-', '1', 'e', 't', '\u0000', 'é'),
  );
  fc.assert(
    fc.property(mangled, ([text, at, insert]) => {
      const place = at % (text.length + 1);
      const bytes = Buffer.from(text.slice(0, place) + insert + text.slice(place + 1));
      try {
        parseJson(bytes);
      } catch (error) {
        expect(BodyProblem.isBodyProblem(error)).toBe(true);
        expect((error as Error).message).toMatch(/^(?:invalid character '|unexpected end of JSON input|the integer |json: cannot)/);
      }
    }),
    { numRuns: 2000 },
  );
});

test('a field written twice anywhere is found', () => {
  const names = fc.constantFrom('a', 'b', 'c', 'd');
  const tree: fc.Arbitrary<string> = fc.letrec<{ value: string; object: string }>((tie) => ({
    object: fc.array(fc.tuple(names, tie('value'))).map((fields) => `{${fields.map(([name, value]) => `"${name}":${value}`).join(',')}}`),
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('1', '"x:{"', 'null', '"\\"a\\":"'),
      tie('object'),
      fc.array(tie('value')).map((items) => `[${items.join(',')}]`),
    ),
  })).object;
  fc.assert(
    fc.property(tree, (text) => {
      expect(parse(text).strictProblems.length > 0).toBe(hasDuplicate(text));
    }),
  );
});

/** By counting what is written and what is left, in each object alone. */
function hasDuplicate(text: string): boolean {
  const written = (text.match(/"[abcd]":/g) ?? []).length;
  const kept = (JSON.stringify(JSON.parse(text)).match(/"[abcd]":/g) ?? []).length;
  return written !== kept;
}

test('JSON is written as Go does: HTML and line separators escaped, indentation without a last newline', () => {
  expect(jsonText({ a: '<&>\u2028\u2029', b: [] })).toBe('{"a":"\\u003c\\u0026\\u003e\\u2028\\u2029","b":[]}');
  expect(prettyJsonText({ a: {}, b: ['<'] })).toBe('{\n  "a": {},\n  "b": [\n    "\\u003c"\n  ]\n}');
});
