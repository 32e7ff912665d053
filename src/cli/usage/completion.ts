import type { CommandUsage } from './command-usage.js';

const HELP = `Usage: keelson completion bash|zsh|fish

Prints a script with which the shell completes commands, options, their values and files of keelson.
The script starts no process: after an update of keelson, load it again.

  bash   eval "$(keelson completion bash)" in ~/.bashrc
  zsh    eval "$(keelson completion zsh)" in ~/.zshrc, below compinit
  fish   keelson completion fish | source in ~/.config/fish/config.fish

Options:
  -h, --help             show this text

Example:
  eval "$(npx keelson completion bash)"
`;

export const COMPLETION = {
  help: HELP,
  options: { help: { type: 'boolean', short: 'h', default: false } },
  values: {},
  operands: [['bash', 'zsh', 'fish']],
} as const satisfies CommandUsage;
