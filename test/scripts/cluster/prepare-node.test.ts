import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'keelson-node-'));
});
afterEach(() => rmSync(cache, { recursive: true, force: true }));

/** On a machine that has nothing: no package manager, no Go. */
function prepare(environment: NodeJS.ProcessEnv, ...parameters: readonly string[]): { status: number | null; stderr: string } {
  const env = { PATH: '/nowhere', HOME: cache, KEELSON_CACHE_DIR: cache, ...environment };
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/cluster/prepare-node.ts', ...parameters], {
    cwd: ROOT,
    encoding: 'utf8',
    env,
  });
  return { status, stderr };
}

test('where a node is not possible the exit code is 16, and suites may be skipped but for CI', () => {
  expect(prepare({}).status).toBe(16);
  const tolerated = prepare({}, '--if-possible');
  expect(tolerated).toEqual({ status: 0, stderr: expect.stringContaining('The suites that need a node will be skipped.') });
  expect(prepare({ CI: 'true' }, '--if-possible').status).toBe(16);
});
