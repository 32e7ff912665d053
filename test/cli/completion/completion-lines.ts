import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS } from '../commands.js';
import { keelson } from '../scaffolded.js';

/** A folder with the script of each shell, `script.<shell>`, and something to complete. */
export async function completionFolder(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'keelson-completion-'));
  for (const shell of ['bash', 'zsh', 'fish'])
    writeFileSync(join(directory, `script.${shell}`), (await keelson(`completion ${shell}`, directory)).out);
  mkdirSync(join(directory, 'state'));
  writeFileSync(join(directory, 'a crd.yaml'), '');
  return directory;
}

/** Words of a command line, of which the last is completed, and the words that every shell offers for it. */
export const LINES: readonly (readonly [words: readonly string[], completed: readonly string[]])[] = [
  [['keelson', 'in'], ['init']],
  [['keelson', ''], ['--help', '--version', 'help', ...COMMANDS].toSorted()],
  [['keelson', 'help', 'im'], ['import']],
  [
    ['keelson', 'apiserver', '--mode', ''],
    ['cluster', 'envtest'],
  ],
  [['keelson', 'apiserver', '--port', '1', '--mo'], ['--mode']],
  [['keelson', 'init', '--no-w'], ['--no-webhooks']],
  [
    ['keelson', 'completion', ''],
    ['bash', 'fish', 'zsh'],
  ],
  [['keelson', 'create', '-g', 'kind', 'w'], ['webhook']],
  [['keelson', 'create', 'v'], ['version']],
  [['keelson', 'create', 'version', 'v1', '--st'], ['--storage']],
  [['keelson', 'create', 'kind', ''], []],
  [['keelson', 'create', '--group', ''], []],
  [['keelson', 'apiserver', '--data', ''], ['state']],
  [['keelson', 'import', 'x.yaml', 'a'], ['a crd.yaml']],
  [['keelson', 'frobnicate', ''], []],
];
