import { codeBlocksOf } from '../../scripts/docs/markdown.js';

const page = (...lines: string[]): string => lines.join('\n');

test('a block knows its language, its first line and the comment right before it', () => {
  const blocks = codeBlocksOf(page('# Title', '', '<!-- file main.ts -->', '```ts', 'const a = 1;', 'a;', '```', '', '```sh', 'ls', '```'));
  expect(blocks).toEqual([
    { language: 'ts', text: 'const a = 1;\na;', line: 5, context: '', directive: { name: 'file', argument: 'main.ts' } },
    { language: 'sh', text: 'ls', line: 10, context: '' },
  ]);
});

test('a comment that no block follows would show nothing, so it is an error', () => {
  const lost = 'no code block follows "file main.ts"; write an empty one, and npm run docs fills it';
  expect(() => codeBlocksOf(page('<!-- file main.ts -->', 'A paragraph.', '```ts', 'x', '```'))).toThrow(`line 1: ${lost}`);
  expect(() => codeBlocksOf(page('Text', '', '<!-- file main.ts -->', ''))).toThrow(lost);
});

test('a context holds for the later blocks until an empty one ends it', () => {
  const blocks = codeBlocksOf(
    page('<!-- context', "import 'a';", '-->', '```ts', '1', '```', '```ts', '2', '```', '<!-- context -->', '```ts', '3', '```'),
  );
  expect(blocks.map(({ context }) => context)).toEqual(["import 'a';", "import 'a';", '']);
});

test('a block in a list loses the indentation of the list', () => {
  expect(codeBlocksOf(page('1. First', '   ```ts', '   const a = {', '     b: 1,', '   };', '   ```')).map(({ text }) => text)).toEqual([
    'const a = {\n  b: 1,\n};',
  ]);
});

test('a block that is never closed is an error, not a page without blocks', () => {
  expect(() => codeBlocksOf(page('', '```ts', 'x'))).toThrow('line 2: the code block is never closed');
});
