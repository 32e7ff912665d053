import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An interactive shell prints what it would offer between two marks, and ends. */
const ZSHRC = `autoload -U compinit && compinit -u -d .zsh/dump
source ./script.zsh
PROMPT='<<ready>>'
bindkey '^I' complete-word
mark() { print -r -- '<<marked>>' }
compprefuncs=(mark)
comppostfuncs=(mark exit)
compadd() {
  # With these options it fills arrays for its callers, and offers nothing.
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  local -a offered
  builtin compadd -O offered "$@"
  print -rl -- \${(Q)offered}
  builtin compadd "$@"
}
`;

const PROGRAM = `zmodload zsh/zpty
zpty shell 'ZDOTDIR=.zsh zsh -i'
zpty -r shell ready '*<<ready>>*'
zpty -w -n shell "$1"$'\\t'
zpty -r shell output '*<<marked>>*<<marked>>'
print -r -- \${\${output#*<<marked>>}%<<marked>>*}
`;

/** Writes a program into the folder, beside script.zsh: `zsh -f complete.zsh LINE` prints what the Tab key offers after LINE, a word a line. */
export function writeZshSession(directory: string): void {
  mkdirSync(join(directory, '.zsh'));
  // The machine's own settings are not for tests.
  writeFileSync(join(directory, '.zsh/.zshenv'), 'unsetopt global_rcs\n');
  writeFileSync(join(directory, '.zsh/.zshrc'), ZSHRC);
  writeFileSync(join(directory, 'complete.zsh'), PROGRAM);
}
