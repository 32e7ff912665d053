import { sentencesOf } from '../../../scripts/prose/sentences.js';

const linesOf = (...texts: readonly string[]) => texts.map((text, index) => ({ line: index + 1, text }));

test('a sentence is found at the line where it begins, and goes on over the ends of lines', () => {
  const sentences = sentencesOf(linesOf('Keys that wait. Of several', 'the first counts! So', 'it is.'));
  expect(sentences.map(({ line, text }) => [line, text])).toEqual([
    [1, 'Keys that wait.'],
    [1, 'Of several the first counts!'],
    [2, 'So it is.'],
  ]);
});

test.each([
  ['an abbreviation', ['as servers do, e.g. Who asks, i.e. What asks']],
  ['a colon in a sentence', ['one thing: the other']],
  ['code', ['the value `a. So it is` counts']],
])('%s ends no sentence', (_, texts) => {
  expect(sentencesOf(linesOf(...texts))).toHaveLength(1);
});

test('a paragraph, an item of a list, a tag and a cell of a table begin a sentence', () => {
  const lines = linesOf('some words', '', 'others', '- an item', '  of two lines', '2. another', '@throws an error', '| a | b |');
  expect(sentencesOf(lines).map(({ line, words }) => [line, words])).toEqual([
    [1, 'some words'],
    [3, 'others'],
    [4, 'an item of two lines'],
    [6, 'another'],
    [7, 'an error'],
    [8, 'a'],
    [8, 'b'],
  ]);
});

test('code in fences counts by its comments, and code in backticks is crossed out', () => {
  const lines = linesOf('A `word`.', '```ts', 'const told = 1; // So it is.', 'tell(told);', '```', 'After it.');
  expect(sentencesOf(lines).map(({ line, words }) => [line, words])).toEqual([
    [1, 'A XXXXXX.'],
    [3, 'So it is.'],
    [6, 'After it.'],
  ]);
});
