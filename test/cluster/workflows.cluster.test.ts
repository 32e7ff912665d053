import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findTool } from '../../scripts/cluster/go-tool.js';
import { DEADLINE_MS } from '../deadline.cjs';
import { repositories, type Workflows } from '../lint/workflows.js';

const actionlint = findTool('actionlint');
// In CI the suite must run: without actionlint it fails, and says how to build it.
const suite = actionlint.found || process.env['CI'] !== undefined ? describe : describe.skip;

suite(`actionlint${actionlint.found ? '' : ` [skipped: ${actionlint.reason}]`}`, () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'keelson-actionlint-'));
    // Inputs of a workflow that another one calls are checked in a repository only.
    mkdirSync(join(folder, '.git'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function findings(workflows: Workflows): string {
    if (!actionlint.found) throw new Error(actionlint.reason);
    for (const [path, text] of Object.entries(workflows)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    // Without shellcheck and pyflakes: they are on some machines only.
    const parameters = ['-shellcheck=', '-pyflakes=', '-no-color', '-oneline', ...Object.keys(workflows)];
    const { status, stdout, stderr } = spawnSync(actionlint.path, parameters, { cwd: folder, encoding: 'utf8', timeout: DEADLINE_MS });
    if (status !== 0 && status !== 1) throw new Error(`actionlint ended with ${status}: ${stderr}`);
    return stdout;
  }

  test.each(Object.entries(repositories))('has nothing to say of the workflows of %s', (_repository, workflows) => {
    expect(Object.keys(workflows).length).toBeGreaterThan(1);
    expect(findings(workflows)).toBe('');
  });

  const release = '.github/workflows/release.yaml';
  test.each([
    ['an input that the called workflow has not', 'everything: true', 'everythin: true', 'input "everythin" is not defined'],
    ['a job that does not exist', 'needs: test', 'needs: tests', 'needs job "tests" which does not exist'],
    ['a right that does not exist', 'id-token: write', 'id-tokens: write', 'unknown permission scope "id-tokens"'],
    ['an output of no step', 'steps.image.outputs', 'steps.images.outputs', 'property "images" is not defined'],
  ])('sees %s', (_fault, right, wrong, finding) => {
    const text = repositories.keelson[release] ?? '';
    expect(text).toContain(right);
    expect(findings({ ...repositories.keelson, [release]: text.replace(right, wrong) })).toContain(finding);
  });
});
