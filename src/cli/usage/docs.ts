import type { CommandUsage } from './command-usage.js';

const HELP = `Usage: keelson docs [options]

Writes reference pages in Markdown from the definition of the operator: README.md with its kinds,
controllers, webhooks, settings, metrics, rights with their reasons and a picture, and a page for
each kind with every field of every version. Only pages that it has generated are replaced.

Options:
      --operator FILE  the module that exports the operator (default: src/operator.ts)
      --out FOLDER     where to write (default: docs/reference)
      --check          write nothing, and fail when a page is out of date: for CI
  -h, --help           show this text

Example:
  keelson docs --check
`;

export const DOCS = {
  help: HELP,
  options: {
    operator: { type: 'string' },
    out: { type: 'string', default: 'docs/reference' },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
  values: { operator: 'file', out: 'folder' },
  operands: [],
} as const satisfies CommandUsage;
