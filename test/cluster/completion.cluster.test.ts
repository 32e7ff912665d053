import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { completionFolder, LINES } from '../cli/completion/completion-lines.js';
import { DEADLINE_MS } from '../deadline.cjs';
import { writeZshSession } from './completion/zsh-session.js';

/** Needs no API server: it stands here because these suites install the Debian packages that they drive. */
let directory: string;
beforeAll(async () => {
  directory = await completionFolder();
});
afterAll(() => rmSync(directory, { recursive: true }));

function run(program: string, ...args: string[]): readonly string[] {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: directory, encoding: 'utf8', timeout: DEADLINE_MS });
  if (status !== 0) throw new Error(`${program} ended with ${error?.message ?? `exit status ${status}`}\n${stdout}${stderr}`);
  return stdout.split('\n').map((line) => line.trimEnd());
}

const named = (words: readonly string[]): string[] => [...new Set(words)].filter((word) => word !== '').sort();

/** A suite for a shell that may be missing: skipped, though not in CI. */
function describeShell(shell: 'fish' | 'zsh', body: () => void): void {
  const isThere = spawnSync(shell, ['--version']).status === 0;
  const suite = isThere || process.env['CI'] !== undefined ? describe : describe.skip;
  suite(`${shell}${isThere ? '' : ' [skipped: it is not installed; run npx tsx scripts/cluster/prepare-packages.ts]'}`, body);
}

describeShell('fish', () => {
  test.each(LINES)('%j is completed', (words, completed) => {
    const shown = run('fish', '--no-config', '-c', `source ./script.fish; complete -C '${words.join(' ')}'`);
    const offered = shown.map((line) => line.split('\t')[0]?.replace(/\/$/, '').replace('\\ ', ' ') ?? '');
    // fish offers an option once its dash is typed.
    const isDashTyped = words.at(-1)?.startsWith('-') === true;
    expect(named(offered)).toEqual(completed.filter((word) => isDashTyped || !word.startsWith('-')));
  });
});

describeShell('zsh', () => {
  beforeAll(() => writeZshSession(directory));
  test.each(LINES)('%j is completed', (words, completed) => {
    expect(named(run('zsh', '-f', 'complete.zsh', words.join(' ')))).toEqual(completed);
  });

  test('a value after = is completed', () => {
    expect(named(run('zsh', '-f', 'complete.zsh', 'keelson apiserver --mode=e'))).toEqual(['envtest']);
  });
});
