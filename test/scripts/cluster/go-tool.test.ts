import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findTool } from '../../../scripts/cluster/go-tool.js';

const ROOT = join(__dirname, '../../..');
let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'keelson-tool-'));
});
afterEach(() => rmSync(cache, { recursive: true, force: true }));

const environment = (): NodeJS.ProcessEnv => ({ KEELSON_CACHE_DIR: cache });

function build(...parameters: readonly string[]): { status: number | null; stderr: string } {
  const env = { PATH: '/nowhere', HOME: cache, KEELSON_CACHE_DIR: cache };
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/cluster/build-tools.ts', ...parameters], {
    cwd: ROOT,
    encoding: 'utf8',
    env,
  });
  return { status, stderr };
}

test('a tool is found where it was built; else the search says how to build it', () => {
  const absent = findTool('helm', environment());
  expect(absent).toEqual({
    found: false,
    reason: expect.stringMatching(/^no helm in .*tool-helm-v3.* \(build it with: npx tsx scripts\/cluster\/build-tools\.ts helm\)$/),
  });
  const folder = /in (\S+)/.exec(absent.found ? '' : absent.reason)?.[1] as string;
  mkdirSync(folder);
  writeFileSync(join(folder, 'helm'), '');
  expect(findTool('helm', environment())).toEqual({ found: true, path: join(folder, 'helm') });
  expect(dirname(folder)).toBe(cache);
});

test('without Go the build says so; an unknown name gets the list', () => {
  expect(build('helm')).toEqual({ status: 10, stderr: expect.stringContaining('Go is not installed') });
  expect(build('helm', '--if-possible')).toEqual({
    status: 0,
    stderr: expect.stringContaining('The suites that need it will be skipped.'),
  });
  expect(build('helmet')).toEqual({
    status: 2,
    stderr: expect.stringContaining('no tool is called "helmet"; there are: etcd-3.5, etcdutl, helm'),
  });
});
