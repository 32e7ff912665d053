import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withIncludes } from './includes.js';
import { pages, readPage } from './pages.js';

/** Cuts the code blocks of the pages anew from the examples; with `--check` it only says which are stale. */
const root = process.cwd();
const stale = pages(root).filter((page) => withIncludes(readPage(root, page), root) !== readPage(root, page));

if (process.argv.includes('--check')) {
  for (const page of stale) console.error(`${page}: a code block differs from the file that it shows; run: npm run docs`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const page of stale) writeFileSync(join(root, page), withIncludes(readPage(root, page), root));
  console.log(stale.length === 0 ? 'Every page shows what the examples say.' : `Renewed: ${stale.join(', ')}`);
}
