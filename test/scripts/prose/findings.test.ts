import { isHard, pageFindings, sourceFindings } from '../../../scripts/prose/findings.js';

test.each([
  ['What keeps it from answering now.', true],
  ['Whoever holds connections must not block probes.', true],
  ['as-groups is no list of texts', true],
  ['the refusal is none', true],
  ['a fault is told in the log', true],
  ['Whatever was written meanwhile counts.', true],
  ['a lock that nobody holds', true],
  ["this is somebody's token", true],
  ['a Secret, whoever wrote it', true],
  ['a credential, whatever holds it', true],
  ['kept for who asks for them', true],
  ['the key is random; who knows it can read all', true],
  ['Idle connections must not block probes.', false],
  ['the users who write charts', false],
  ['one Job at a time, whatever happens', false],
  ['anything in any body', false],
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
    ' * What begins here goes on over',
    ' * What is not a first word. Whose',
    ' * is it? Of these one counts.',
    ' */',
    "import { told } from './told.js';",
    "throw new Error('X is no kind; give a kind');",
    "throw new Error('It is a kind. What is one?');",
    'const kind = `is no $word`; // So it is.',
    '// The first line',
    '// None of it. None',
    '// is left.',
  ].join('\n');
  const { comments, messages } = sourceFindings('a.ts', source);
  expect(comments.map(({ line }) => line)).toEqual([1, 5, 6, 7, 8, 13, 15]);
  expect(messages.map(({ line, text }) => [line, text])).toEqual([
    [11, 'X is no kind; give a kind'],
    [12, 'What is one?'],
  ]);
});

test('texts over several lines are messages', () => {
  const source = [
    'const page = `# Title',
    '',
    'A key. Whose',
    'is it? It is one, whoever makes it`; // So it is.',
    'const told = `one line` + tell(told);',
    'const files = `/** What it sees. */',
    'export interface A { a: string }',
    '`;',
    '// None is left.',
  ].join('\n');
  const { comments, messages } = sourceFindings('a.ts', source);
  expect(comments.map(({ line }) => line)).toEqual([9]);
  expect(messages.map(({ line, text }) => [line, text])).toEqual([
    [3, 'Whose is it?'],
    [4, 'It is one, whoever makes it'],
    [6, '/** What it sees.'],
  ]);
});

test('pages are judged outside of code and headings', () => {
  const page = [
    '# What comes out',
    'It is told. Fine.',
    '```sh',
    'echo told',
    '```',
    '| a | What is left |',
    'A `told` word.',
    'It is a fault. Of',
    'What is left',
    'none.',
  ].join('\n');
  expect(pageFindings('a.md', page).map(({ line }) => line)).toEqual([2, 6, 8]);
});
