import { isHard, pageFindings, sourceFindings } from '../../../scripts/prose/findings.js';

test.each([
  ['What keeps it from answering now.', true],
  ['Whoever holds connections must not block probes.', true],
  ['as-groups is no list of texts', true],
  ['the refusal is none', true],
  ['a fault is told in the log', true],
  ['Idle connections must not block probes.', false],
  ['the field is no longer served', false],
  ['there is no context of that name', false],
  ['a tolerable teller', false],
])('%s: hard to read is %p', (text, hard) => {
  expect(isHard(text)).toBe(hard);
});

test('comments are judged by their first words and their patterns, messages apart from code', () => {
  const source = [
    '/** Who sends it. */',
    '/**',
    ' * Keys that wait.',
    ' *',
    ' * Of several the first counts.',
    ' * What is a continuation is not a first word.',
    ' */',
    "import { told } from './told.js';",
    "throw new Error('X is no kind; give a kind');",
    'const kind = `is no $word`; // So it is.',
    '// None is left.',
  ].join('\n');
  const { comments, messages } = sourceFindings('a.ts', source);
  expect(comments.map(({ line }) => line)).toEqual([1, 5, 11]);
  expect(messages.map(({ line, text }) => [line, text])).toEqual([[9, 'X is no kind; give a kind']]);
});

test('pages are judged outside of code and headings', () => {
  const page = ['# What comes out', 'It is told. Fine.', '```sh', 'echo told', '```', '| a | What is left |', 'A `told` word.'].join('\n');
  expect(pageFindings('a.md', page).map(({ line }) => line)).toEqual([2, 6]);
});
