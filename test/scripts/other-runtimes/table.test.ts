import { readFileSync } from 'node:fs';
import { OTHER_RUNTIMES } from '../../../scripts/fetched/index.js';
import { PROGRAMS } from '../../../scripts/other-runtimes/programs.js';

const page = readFileSync('docs/running.md', 'utf8');
const table = page
  .slice(page.indexOf('## Bun and Deno'))
  .split('\n')
  .filter((line) => line.startsWith('| '));

test('the table of the page is of the versions and programs that the script runs: run it again and copy its table', () => {
  const [head = '', ...rows] = table.slice(0, PROGRAMS.length + 1);
  for (const [name, { version }] of Object.entries(OTHER_RUNTIMES)) expect(head).toContain(`| ${name} ${version} |`);
  expect(rows.map((row) => row.split(' | ')[0]?.slice(2))).toEqual(PROGRAMS.map(({ name }) => name));
});
