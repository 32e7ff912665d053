import fc from 'fast-check';
import { CelEvaluationError, type CelType, compile } from '../../../../src/kubernetes/cel/index.js';
import { workOf } from '../../../work/work-of.js';

const INT: CelType = { kind: 'int' };
const LIST: CelType = { kind: 'list', item: INT };
const variables = { x: INT, list: LIST };

const tokens = [
  'x',
  'list',
  '.',
  '[',
  ']',
  '(',
  ')',
  '{',
  '}',
  ',',
  '?',
  ':',
  '+',
  '-',
  '*',
  '!',
  '&&',
  '||',
  '==',
  'in',
  '1',
  '2.5',
  "'a'",
  '"',
  'b"',
  '`',
  'all',
  'map',
  'has',
  'true',
  'null',
  ' ',
  '\n',
  '//',
  '\\',
  'é',
  '😀',
  '@',
  '?.',
  '[?',
];
const expressionText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...tokens), { maxLength: 60 }).map((parts) => parts.join('')),
);

test('whatever the text is, compiling it ends in a program or in placed problems', () => {
  fc.assert(
    fc.property(expressionText, (source) => {
      const result = compile(source, { variables });
      if (result.ok) return;
      expect(result.problems.length).toBeGreaterThan(0);
      for (const problem of result.problems) {
        expect(problem.message).not.toBe('');
        expect(problem.line).toBeLessThanOrEqual(source.split('\n').length);
      }
    }),
    { numRuns: 1500 },
  );
});

test('whatever compiles either yields a value or fails as an evaluation does', () => {
  fc.assert(
    fc.property(expressionText, fc.bigInt({ min: -3n, max: 3n }), (source, x) => {
      const result = compile(source, { variables });
      if (!result.ok) return;
      try {
        result.program.evaluate({ x, list: { kind: 'list', size: 2, at: (index) => BigInt(index) } });
      } catch (error) {
        expect(error).toBeInstanceOf(CelEvaluationError);
      }
    }),
    { numRuns: 1500 },
  );
});

test.each([
  ['parentheses', '('.repeat(5000)],
  ['negations', '!'.repeat(50_000)],
  ['minus signs', '-'.repeat(50_000)],
  ['selections', `x${'.a'.repeat(5000)}`],
  ['indexes', `list${'[0]'.repeat(5000)}`],
  ['sums', `1${'+1'.repeat(5000)}`],
  ['conditions', `${'true?1:'.repeat(5000)}1`],
  ['lists', '['.repeat(5000)],
  ['calls', 'size('.repeat(5000)],
  ['a long text', `'${'a'.repeat(90_000)}'`],
  ['an unfinished text', `'${'\\n'.repeat(40_000)}`],
  ['an unfinished long text', `"""${'""'.repeat(40_000)}`],
  ['more than the limit', 'x'.repeat(100_001)],
  ['doubled values within the limit', `optional.of('a')${'.optMap(v, v + v)'.repeat(12)}.hasValue()`],
  ['doubled values', `optional.of('a')${'.optMap(v, v + v)'.repeat(60)}.hasValue()`],
])('%s in great number end quickly', (_, source) => {
  const work = workOf(() => {
    const result = compile(source, { variables });
    if (!result.ok) return;
    try {
      result.program.evaluate({ x: 1n, list: { kind: 'list', size: 1, at: () => 1n } });
    } catch (error) {
      expect(error).toBeInstanceOf(CelEvaluationError);
    }
  });
  expect(work).toBeLessThan(3000);
});

test('nested loops are given up when the steps are used up', () => {
  const digits = '[0,1,2,3,4,5,6,7,8,9]';
  const source = `${digits}.all(a, ${digits}.all(b, ${digits}.all(c, ${digits}.all(d, ${digits}.all(e, ${digits}.all(f, a + b + c + d + e + f >= 0))))))`;
  const result = compile(source, { variables });
  if (!result.ok) throw new Error('must compile');
  expect(() => result.program.evaluate({})).toThrow('operation cancelled: actual cost limit exceeded');
  expect(() => result.program.evaluate({}, { costLimit: 100 })).toThrow(CelEvaluationError);
});

test.each([
  ['a map grown by ten thousand keys', 'lists.range(10000).transformMap(i, v, i).size() == 10000'],
  ['a list sorted by keys', 'lists.range(10000).sortBy(i, -i)[0] == 9999'],
])('%s takes no time that grows with its square', (_, source) => {
  const result = compile(source, { variables: {}, libraries: 'stored' });
  if (!result.ok) throw new Error('must compile');
  // The API server charges a sort by the square, and would give it up.
  expect(workOf(() => expect(result.program.evaluate({}, { costLimit: 1e9 })).toBe(true))).toBeLessThan(1000);
});

test.each([
  ['distinct', 'lists.range(20000).distinct().size() > 1'],
  ['sets', 'sets.contains(lists.range(20000), lists.range(20000).map(i, i + 30000))'],
])('%s of long lists is given up before it starts', (_, source) => {
  const result = compile(source, { variables: {}, libraries: 'stored' });
  if (!result.ok) throw new Error('must compile');
  expect(() => result.program.evaluate({})).toThrow('actual cost limit exceeded');
});
