import type { CommandUsage } from './command-usage.js';

const HELP = `Usage: keelson import [options] FILE...

Writes TypeScript kinds for the CustomResourceDefinitions in FILE (YAML or JSON, also several
documents): one module for each group and served version, <out>/<group>/<version>.ts.
FILE - is standard input. Pass all CRDs of a group in one run.

Options:
  -o, --out DIR        where to write (default: imports)
      --descriptions   keep the descriptions of the schema as comments
      --skip KIND      leaves a kind out; give it once for each kind
  -h, --help           show this text

Example:
  kubectl get crd certificates.cert-manager.io -o yaml | keelson import -
  # then: import { Certificate } from './imports/cert-manager.io/v1.js';
`;

export const IMPORT = {
  help: HELP,
  options: {
    out: { type: 'string', short: 'o', default: 'imports' },
    descriptions: { type: 'boolean', default: false },
    skip: { type: 'string', multiple: true },
    help: { type: 'boolean', short: 'h', default: false },
  },
  values: { out: 'folder', skip: 'text' },
  operands: ['file'],
  isRepeated: true,
} as const satisfies CommandUsage;
