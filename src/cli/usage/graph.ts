import type { CommandUsage } from './command-usage.js';

const HELP = `Usage: keelson graph [options]

Prints a picture of the operator for Mermaid: the kinds that each controller reconciles, owns,
watches and reads, and the kinds that call its webhooks. GitHub and GitLab draw it in a block
"mermaid".

Options:
      --operator FILE  the module that exports the operator (default: src/operator.ts)
  -h, --help           show this text

Example:
  keelson graph > operator.mmd
`;

export const GRAPH = {
  help: HELP,
  options: {
    operator: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
  values: { operator: 'file' },
  operands: [],
} as const satisfies CommandUsage;
