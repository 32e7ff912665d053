import { parseArgs } from 'node:util';
import { UsageError } from '../errors.js';
import type { Terminal } from '../terminal.js';
import { COMPLETION } from '../usage/index.js';
import { bashScript } from './bash-script.js';
import { completedCommands } from './completed-command.js';
import { fishScript } from './fish-script.js';
import { zshScript } from './zsh-script.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** `keelson completion`. */
export async function runCompletion(args: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals } = parseArgs({ args: [...args], options: COMPLETION.options, allowPositionals: true });
  const [shell, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(`keelson completion: one shell is expected, got ${positionals.join(' ')}`);
  if (shell !== 'bash' && shell !== 'zsh' && shell !== 'fish') {
    const problem = shell === undefined ? 'no shell given' : `${shell}: is not a shell that is known here`;
    throw new UsageError(`keelson completion: ${problem}; choose ${Object.keys(SCRIPTS).join(', ')}`);
  }
  terminal.out(SCRIPTS[shell](completedCommands()));
}
