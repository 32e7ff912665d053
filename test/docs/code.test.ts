import { pages } from '../../scripts/docs/pages.js';
import { compile, emptyWorkFolder, missingParts, outputOf, writePage } from './page-project.js';

emptyWorkFolder();
const claims = pages(process.cwd()).map((page) => ({ page, ...writePage(page) }));
const outputs = claims.flatMap(({ page, outputs }) => outputs.map((output) => ({ page, ...output })));

test('every ts block compiles with the types that the package gives', () => {
  expect(compile(claims.flatMap(({ files }) => files))).toEqual([]);
});

if (outputs.length > 0)
  test.each(outputs)('$page:$line shows what comes out', ({ shown, folder, file }) => {
    expect(missingParts(shown, outputOf(folder, file))).toEqual([]);
  });

test('an excerpt matches whole lines, in order, and nothing between its gaps', () => {
  const text = 'a: 1\nb: 2\nc: 3\nd: 4\n';
  expect(missingParts('b: 2\nc: 3', text)).toEqual([]);
  expect(missingParts('a: 1\n# ...\nd: 4', text)).toEqual([]);
  expect(missingParts('a: 1\nc: 3', text)).toEqual(['a: 1\nc: 3']);
  expect(missingParts('d: 4\n# ...\na: 1', text)).toEqual(['a: 1']);
});
