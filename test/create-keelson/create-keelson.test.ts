import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const run = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [join(process.cwd(), 'node_modules/tsx/dist/cli.mjs'), 'src/create-keelson/main.ts', ...args], {
    encoding: 'utf8',
  });

test('npm create keelson is keelson init: a user gives its options, and not its name', () => {
  expect(run('--help')).toMatch(/^Usage: keelson init FOLDER /);
});
