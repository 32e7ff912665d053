import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TESTS = join(__dirname, '..');
const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.includes('node_modules'),
);

test('a test that is skipped says why in its name', () => {
  const skipping = files
    .map((name) => ({ name, text: readFileSync(join(TESTS, name), 'utf8') }))
    .filter(({ text }) => /\b(test|describe|it)\.skip\b/.test(text));
  expect(skipping.length).toBeGreaterThan(5);
  expect(skipping.filter(({ text }) => !text.includes('[skipped: ')).map(({ name }) => name)).toEqual([]);
});
