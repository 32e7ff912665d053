import { goYaml } from '../../../../../src/api-server/documents/openapi/protobuf/go-yaml.js';
import { readAsYaml } from '../../../../../src/api-server/documents/openapi/protobuf/read-as-yaml.js';
import type { Json } from '../../../../../src/kubernetes/apimachinery/index.js';

/** What Go's YAML wrote of each value: `go.yaml.in/yaml/v3` 3.0.4, of JSON that was read as YAML. */
describe('YAML as Go writes it', () => {
  test.each([
    'a',
    'yes',
    'on',
    'y',
    '<<',
    '=',
    '-a',
    '?a',
    ':a',
    'a:b',
    'a#b',
    '.',
    '1e400',
    '.5e400',
    '1:30',
    '2001-02-30',
    '2023-2-29',
    '0o8',
    'a"b',
    'ü',
    'a\u00a0b',
  ])('%j needs no quotes', (text) => expect(goYaml(text)).toBe(`${text}\n`));

  test.each([
    '',
    '~',
    'true',
    'Null',
    '1',
    '-1',
    '+1',
    '017',
    '089',
    '1_000',
    '1__',
    '1.',
    '.5',
    '.5_0',
    '-.5',
    '1e3',
    '0x1F',
    '0b11',
    '0b-1',
    '0o-7',
    '-0o7',
    '.inf',
    '.NaN',
  ])('%j would be something else without quotes', (text) => expect(goYaml(text)).toBe(`"${text}"\n`));

  test.each(['2001-01-02', '2024-2-29', '2001-1-2T3:4:5Z', '2001-1-2t3:4:5,6+01:60', '2001-1-2  3:4:5.6', '-0x8000000000000000'])(
    '%j would be a time or a number',
    (text) => expect(goYaml(text)).toBe(`"${text}"\n`),
  );

  test.each(['2001-1-2T3:4:5', '2001-13-1', '2001-1-2T25:4:5Z', '-0x8000000000000001', '0x1ffffffffffffffff', '2001-1-2T3:4:5+25:00'])(
    '%j is almost a time or a number',
    (text) => expect(goYaml(text)).toBe(`${text}\n`),
  );

  test.each([
    ' ',
    ' a',
    'a ',
    'a: b',
    'a:',
    '- a',
    '-',
    '? a',
    'a #b',
    '#a',
    '[a',
    '{a',
    '&a',
    '*',
    '!a',
    '|',
    '>a',
    '%a',
    '@a',
    '`a',
    ',',
    '"',
    '---a',
    '...',
  ])('%j is quoted with one mark', (text) => expect(goYaml(text)).toBe(`'${text}'\n`));

  test.each([
    ["'a", `'''a'\n`],
    ["a'b", `a'b\n`],
    ['a\tb', '"a\\tb"\n'],
    ['a\rb', '"a\\rb"\n'],
    ['\0\x07\b\v\f\x1b', '"\\0\\a\\b\\v\\f\\e"\n'],
    ['\x01"\\', '"\\x01\\"\\\\"\n'],
    ['😀', '"\\U0001F600"\n'],
    ['a\ufeffb', '"a\\uFEFFb"\n'],
    ['\ufeffaé', '"\\uFEFF\\x61\\xE9"\n'],
    ['a \nb', '"a \\nb"\n'],
    ['a\nb ', '"a\\nb "\n'],
    ['a\u2028 b', '"a\\L b"\n'],
    ['a\u2028b', "'a\u2028    b'\n"],
  ])('%j is written with what it needs', (text, written) => expect(goYaml(text)).toBe(written));

  test.each([
    ['a\nb', '|-\n    a\n    b\n'],
    ['a\n', '|\n    a\n'],
    ['a\n\n', '|+\n    a\n\n'],
    ['\n', '|4+\n\n'],
    ['\na', '|4-\n\n    a\n'],
    [' a\nb', '|4-\n     a\n    b\n'],
    ['a\n\n b\tc\n', '|\n    a\n\n     b\tc\n'],
    ['a\nb\u2028', '|\n    a\n    b\u2028'],
  ])('%j stands in a block', (text, written) => expect(goYaml(text)).toBe(written));

  test.each<readonly [Json, string]>([
    [[], '[]\n'],
    [{}, '{}\n'],
    [null, 'null\n'],
    [1e21, '1e+21\n'],
    [-0.5, '-0.5\n'],
    [[1, [2, [3, []], {}], { a: true }], '- 1\n- - 2\n  - - 3\n    - []\n  - {}\n- a: true\n'],
    [
      { a: { b: { c: [1, { d: 2, e: [3] }] } }, f: 'g\nh' },
      'a:\n    b:\n        c:\n            - 1\n            - d: 2\n              e:\n                - 3\nf: |-\n    g\n    h\n',
    ],
    [[{ a: 'b\nc\n', d: ['e\nf'] }], '- a: |\n    b\n    c\n  d:\n    - |-\n      e\n      f\n'],
    [{ yes: 'no', '1': '1', 'a: b': '' }, '"1": "1"\nyes: no\n\'a: b\': ""\n'],
    [{ 'a\nb': [1], c: 2 }, '? |-\n    a\n    b\n:   - 1\nc: 2\n'],
    [{ ['x'.repeat(128)]: 1, ['y'.repeat(129)]: { a: 1 } }, `${'x'.repeat(128)}: 1\n? ${'y'.repeat(129)}\n:   a: 1\n`],
    [['a\nb\u2028', 'c'], '- |\n  a\n  b\u2028- c\n'],
  ])('%j has its lines where Go has them', (value, written) => expect(goYaml(value)).toBe(written));
});

describe('JSON that is read as YAML', () => {
  const read = (json: string): unknown => readAsYaml(`{"a":${json}}`)?.['a'];

  test.each([
    ['a \u0085 b', 'a b'],
    ['a\u0085\u0085b', 'a\nb'],
    ['\u0085a\u0085 \u0085 \u0085', ' a\n\n'],
    ['a \u2028 b', 'a\u2028b'],
    ['a\u2028\u0085\u2029b', 'a\u2028\n\u2029b'],
    ['a\u0085\u2029b', 'a\u2029b'],
    ['é 😀 \ufeff', 'é 😀 \ufeff'],
  ])('%j is joined to %j', (text, joined) => expect(read(JSON.stringify(text))).toBe(joined));

  test('an escaped break is none, and stands as it is', () => expect(read('"a \\u0085 b\\u2028 c"')).toBe('a \u0085 b\u2028 c'));

  test.each(['a\u007fb', '\u0080', '\u009f', '\ufffe', '\uffff'])('%j cannot be read', (text) =>
    expect(readAsYaml(JSON.stringify({ a: text }))).toBeUndefined(),
  );

  test('a name with a break cannot be read, a text that looks like one can', () => {
    expect(readAsYaml('{"a\u0085b":1}')).toBeUndefined();
    expect(read('"b\u0085\\":"')).toBe('b ":');
  });
});
