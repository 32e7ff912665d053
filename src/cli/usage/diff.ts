import type { CommandUsage } from './command-usage.js';

const HELP = `Usage: keelson diff [options] OLD NEW

Compares the manifests of two releases: what a new CustomResourceDefinition refuses or drops, which
rights and webhooks are wider, what the API server will not change. For a bound that became narrower
it finds out by trial, with the rules of the API server, whether objects with an old value can still
be updated. OLD and NEW are files or folders of YAML or JSON, git:REVISION:PATH, or - for standard
input. The exit status is 1 when a breaking change is not allowed.

Options:
      --allow FILE     findings that are wanted (default: keelson.allow.yaml if it exists):
                       allow: [{ rule, object, path, reason, until }]
      --all            show findings for information too
  -o, --output FORMAT  text or json (default: text)
  -h, --help           show this text

Example:
  keelson diff git:main:dist dist
`;

export const DIFF = {
  help: HELP,
  options: {
    allow: { type: 'string' },
    all: { type: 'boolean', default: false },
    output: { type: 'string', short: 'o', default: 'text' },
    help: { type: 'boolean', short: 'h', default: false },
  },
  values: { allow: 'file', output: ['text', 'json'] },
  operands: ['file', 'file'],
} as const satisfies CommandUsage;
