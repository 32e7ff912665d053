import { readableLine } from '../../../src/runtime/telemetry/index.js';

const line = (fields: object, msg = 'm'): string =>
  readableLine(JSON.stringify({ level: 'info', time: '2026-01-01T00:00:00.000Z', msg, ...fields }), false);

test.each([
  ['a C1 control, which terminals take for an escape sequence', '\u009B', '\\u009b'],
  ['the first C1 control', '\u0080', '\\u0080'],
  ['DEL', '\u007F', '\\u007f'],
  ['an override of the direction', '\u202E', '\\u202e'],
  ['an isolate of the direction', '\u2066', '\\u2066'],
  ['an Arabic letter mark', '\u061C', '\\u061c'],
  ['a space of no width', '\u200B', '\\u200b'],
  ['a separator of lines', '\u2028', '\\u2028'],
  ['a tag, beyond 16 bits', '\u{E0041}', '\\udb40\\udc41'],
  ['half of a pair', '\uD800', '\\ud800'],
])('%s is escaped: in the message, in values, in names of fields, deep in objects, in stacks', (_, character, shown) => {
  const error = { message: `e${character}`, stack: `Error: e\n  at ${character}` };
  const text = line(
    { [`n${character}`]: 1, value: `v${character}v`, deep: { [`k${character}`]: `d${character}` }, error },
    `m${character}`,
  );
  expect(text).not.toContain(character);
  for (const part of [`m${shown}`, `n${shown}`, `v${shown}v`, `k${shown}`, `d${shown}`, `e${shown}`, `  at ${shown}`])
    expect(text).toContain(part);
});

test('letters of any script and emoji are shown as they are', () => {
  expect(line({ city: 'Zürich', word: 'שלום', face: '😀' })).toContain('city=Zürich word=שלום face=😀');
});

test('a name of a field cannot stand for two fields', () => {
  expect(line({ 'a=1 b': 2, 'c"': 3 })).toContain('"a=1 b"=2 "c\\""=3');
});
