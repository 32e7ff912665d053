import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { completionFolder, LINES } from './completion-lines.js';

/** bash, which every machine has. fish and zsh are asked in test/cluster/completion.cluster.test.ts. */
let directory: string;
beforeAll(async () => {
  directory = await completionFolder();
});
afterAll(() => rmSync(directory, { recursive: true }));

function run(program: string): string {
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', program], { cwd: directory, encoding: 'utf8' });
  return `${status === 0 ? '' : `exit status ${status}\n`}${stdout}${stderr}`;
}

/** As readline calls the function: the words of the line, of which the last is completed. */
function bash(words: readonly string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const program = `source ./script.bash; COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _keelson keelson; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return run(program)
    .split('\n')
    .filter((word) => word !== '')
    .sort();
}

test.each(LINES)('%j is completed', (words, completed) => {
  expect(bash(words)).toEqual(completed);
});

test('a value after = is completed, which bash takes for three words', () => {
  expect(bash(['keelson', 'apiserver', '--mode', '='])).toEqual(['cluster', 'envtest']);
  expect(bash(['keelson', 'apiserver', '--mode', '=', 'e'])).toEqual(['envtest']);
  expect(bash(['keelson', 'create', '--group', '=', 'a.example.com', 'w'])).toEqual(['webhook']);
});

test('the script says which command it completes', () => {
  expect(run('source ./script.bash; complete -p keelson')).toContain('-F _keelson keelson');
});
