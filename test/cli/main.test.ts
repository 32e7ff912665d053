import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { HANG_MS } from '../deadline.cjs';

const MAIN = join(__dirname, '../../src/cli/main.ts');

test.each([
  [['--help'], 0],
  [['inti'], 2],
  [['import', 'no-such-file.yaml'], 1],
])('the process ends with the status of its command: %j %i', (args, expected) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', MAIN, ...args], {
    encoding: 'utf8',
    timeout: HANG_MS,
  });
  expect({ status, says: (expected === 0 ? stdout : stderr) !== '' }).toEqual({ status: expected, says: true });
});
