import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps?: readonly { readonly name?: string; readonly run?: string }[] }>>;
}

const { jobs } = parse(readFileSync('.github/workflows/release.yaml', 'utf8')) as Workflow;
const step = jobs['notes']?.steps?.find(({ name }) => name === 'List the npm packages that come with keelson');
const place = mkdtempSync(join(tmpdir(), 'keelson-package-list-'));
afterAll(() => rmSync(place, { recursive: true }));

/** The workspace, as far as npm reads it for the list. */
function workspace(): string {
  const folder = join(place, 'workspace');
  const manifests = readdirSync('src').map((name) => `src/${name}/package.json`);
  for (const file of ['package.json', 'package-lock.json', ...manifests]) cpSync(file, join(folder, file));
  return folder;
}

test('the step of the release lists each package of keelson, and what they bring, without the tools of development', () => {
  const cwd = workspace();
  const environment = { ...process.env, RUNNER_TEMP: place, GITHUB_REF_NAME: 'v1.2.3', npm_config_offline: 'true' };
  execFileSync('bash', ['-euc', step?.run ?? ''], { cwd, env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
  const { components } = JSON.parse(readFileSync(join(place, 'keelson.cdx.json'), 'utf8')) as {
    readonly components: readonly { readonly purl: string }[];
  };
  const names = components.map(({ purl }) => decodeURIComponent(purl).replace(/^pkg:npm\/(.*)@.*$/, '$1'));
  const own = readdirSync('src').map((folder) => (JSON.parse(readFileSync(`src/${folder}/package.json`, 'utf8')) as { name: string }).name);
  expect(names).toEqual(expect.arrayContaining([...own, 'pino', 're2js', 'ws', 'yaml']));
  expect(names.filter((name) => name === 'jest' || name === 'cdk8s-cli')).toEqual([]);
});
