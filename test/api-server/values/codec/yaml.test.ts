import fc from 'fast-check';
import { parse as parseAny } from 'yaml';
import { BodyProblem, parseYaml, yamlText } from '../../../../src/api-server/values/codec/index.js';

const parse = (text: string): ReturnType<typeof parseYaml> => parseYaml(Buffer.from(text));

function problemOf(text: string): string {
  try {
    parse(text);
  } catch (error) {
    if (BodyProblem.isBodyProblem(error)) return error.message;
    throw error;
  }
  throw new Error('no problem');
}

test.each<[string, unknown]>([
  ['yes', true],
  ['y', true],
  ['On', true],
  ['off', false],
  ['n', false],
  ['YES', true],
  ['yEs', 'yEs'],
  ['~', null],
  ['Null', null],
  ['017', 15],
  ['0o17', 15],
  ['0x1F', 31],
  ['0b11', 3],
  ['-0b11', -3],
  ['1_000', 1000],
  ['1e3', 1000],
  ['.5', 0.5],
  ['+1', 1],
  ['089', 89],
  ['12:30:45', '12:30:45'],
  ['2001-01-01', '2001-01-01'],
  ['2001-01-01T00:00:00Z', '2001-01-01T00:00:00Z'],
  ['=', '='],
  ['1.2.3', '1.2.3'],
  ['"yes"', 'yes'],
  ["'1'", '1'],
  ['!!str 1', '1'],
  ['!!int "5"', 5],
  ['!!float 5', 5],
  ['!!binary aGk=', 'hi'],
  ['!foo bar', 'bar'],
  ['|\n    a\n    b\n', 'a\nb\n'],
  ['>\n    a\n    b\n', 'a b\n'],
])('the scalar %j', (text, value) => {
  expect(parse(`a: ${text}\n`).value).toEqual({ a: value });
});

test('keys become strings, also those that are none', () => {
  expect(parse('1: a\ntrue: b\n1.5: c\nn: d\n').value).toEqual({ 1: 'a', true: 'b', 1.5: 'c', false: 'd' });
});

test('aliases are copied and maps merged, what is written behind a merge counting more', () => {
  expect(parse('a: &x {b: 1, c: 2}\nd: *x\ne: {<<: *x, c: 3}\nf:\n  <<: [{b: 9}, *x]\n').value).toEqual({
    a: { b: 1, c: 2 },
    d: { b: 1, c: 2 },
    e: { b: 1, c: 3 },
    f: { b: 9, c: 2 },
  });
});

test('keys given twice are told with the line of the value', () => {
  const { value, strictProblems } = parse('metadata:\n  name: a\n  name: b\ndata: {k: 1, k: 2}\n1: x\n1: z\n');
  expect(value).toEqual({ metadata: { name: 'b' }, data: { k: 2 }, 1: 'z' });
  expect(strictProblems).toEqual([
    'yaml: unmarshal errors:\n  line 3: key "name" already set in map\n  line 4: key "k" already set in map\n  line 6: key 1 already set in map',
  ]);
});

test('only the first document is read', () => {
  expect(parse('---\na: 1\n---\nb: [\n').value).toEqual({ a: 1 });
  expect(parse('').value).toBeNull();
  expect(parse('---\n').value).toBeNull();
});

// Read off kube-apiserver.
test.each([
  ['a: *nope', "yaml: unknown anchor 'nope' referenced"],
  ['x:\n  a: b: c', 'yaml: line 2: mapping values are not allowed in this context'],
  ['x:\n\ta: 1', 'yaml: line 2: found character that cannot start any token'],
  ['a: .inf', 'json: unsupported value: +Inf'],
  ['~: x', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "x"'],
  ['a: &a [*a]', "yaml: anchor 'a' value contains itself"],
  ['a: {<<: 1}', 'yaml: map merge requires map or sequence of maps as the value'],
  ['a: !!binary "*"', 'yaml: !!binary value contains invalid base64 data'],
  ['a: !!int x', 'yaml: cannot decode !!str `x` as a !!int'],
])('%j: %s', (text, problem) => {
  expect(problemOf(text)).toBe(problem);
});

test('a small text cannot grow without bounds', () => {
  const levels = Array.from({ length: 12 }, (_, index) => `l${index + 1}: &l${index + 1} [${Array(10).fill(`*l${index}`).join(', ')}]`);
  expect(problemOf(`l0: &l0 [x]\n${levels.join('\n')}\n`)).toBe('yaml: document contains excessive aliasing');
});

// go-yaml's words, read off go-yaml.
test.each([
  ['{', 'yaml: line 1: did not find expected node content'],
  ['a: [1\n', "yaml: line 1: did not find expected ',' or ']'"],
  ['x: 1\na: [1,\nb: 2\n', "yaml: line 3: did not find expected ',' or ']'"],
  ['a: "x', 'yaml: found unexpected end of stream'],
  ["a: 'x\n", 'yaml: line 2: found unexpected end of stream'],
  ['a: b\n c: d\n', 'yaml: line 2: mapping values are not allowed in this context'],
  ['a: b: c: d', 'yaml: mapping values are not allowed in this context'],
  ['a: @x', 'yaml: found character that cannot start any token'],
  ['a: ]', 'yaml: did not find expected node content'],
  ['key: [a]]', 'yaml: did not find expected key'],
  ['a: &', 'yaml: did not find expected alphabetic or numeric character'],
  ['a: - b', 'yaml: block sequence entries are not allowed in this context'],
  ['a: "\\q"', 'yaml: found unknown escape character'],
])('%j is refused in go-yaml’s words', (text, problem) => {
  expect(problemOf(text)).toBe(problem);
});

test('what a merge brings a second time is told, too', () => {
  expect(parse('a: 1\n<<: {a: 2, b: 3}\n')).toEqual({
    value: { a: 2, b: 3 },
    strictProblems: ['yaml: unmarshal errors:\n  line 2: key "a" already set in map'],
  });
});

// Without the bound, some of these end the process: its stack is full when a regular expression is to be compiled.
test.each([
  ['lists in a line', (depth: number) => '['.repeat(depth)],
  ['maps in a line', (depth: number) => '{a: '.repeat(depth)],
  ['items', (depth: number) => `${'- '.repeat(depth)}a`],
  ['keys', (depth: number) => '? '.repeat(depth)],
  ['indentation', (depth: number) => Array.from({ length: Math.min(depth, 2000) }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
])('text of many levels is refused before the parser gets it: %s', (_what, nested) => {
  for (const depth of [500, 5_000, 500_000]) expect(problemOf(nested(depth))).toContain('exceeded max depth');
});

test('brackets in strings, rulers and wide tables are not levels', () => {
  const text = `a: "${'['.repeat(5000)}"\nb: |\n  ${'-'.repeat(5000)}\n  ${' '.repeat(5000)}x\nc: ${'['.repeat(150)}${']'.repeat(150)}\n`;
  expect(Object.keys(parse(text).value as object)).toEqual(['a', 'b', 'c']);
});

test('an integer that would come back as another is refused', () => {
  expect(problemOf('a: 9007199254740993')).toContain('cannot be kept exactly');
});

test('what is written is read back, by this reader and by any other', () => {
  const value = fc.jsonValue({ maxDepth: 4 }).map((json) => JSON.parse(JSON.stringify(json)) as unknown);
  fc.assert(
    fc.property(value, (json) => {
      const text = yamlText(json);
      expect(parse(text).value).toEqual(json);
      expect(parseAny(text, { version: '1.1' })).toEqual(json);
    }),
  );
});

test('mangled YAML is read or refused, never a crash', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          'a',
          ': ',
          '- ',
          '\n',
          '  ',
          '{',
          '}',
          '[',
          ']',
          ',',
          '"',
          "'",
          '&x ',
          '*x',
          '<<',
          '|',
          '>',
          '#',
          '!!int ',
          '?',
          '\t',
          '1',
          '---\n',
        ),
        { maxLength: 30 },
      ),
      (parts) => {
        try {
          parse(parts.join(''));
        } catch (error) {
          expect(BodyProblem.isBodyProblem(error)).toBe(true);
        }
      },
    ),
    { numRuns: 3000 },
  );
});

test('YAML is written with sorted keys and lists at the level of their key', () => {
  expect(yamlText({ b: [1, { d: 'yes', c: '1' }], a: {}, z: [], t: '2001-01-01', s: 'x\ny\n' })).toBe(
    'a: {}\nb:\n- 1\n- c: "1"\n  d: "yes"\ns: |\n  x\n  y\nt: "2001-01-01"\nz: []\n',
  );
});
