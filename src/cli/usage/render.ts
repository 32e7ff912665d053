import type { CommandUsage } from './command-usage.js';

const HELP = `Usage: keelson render [options] PATH...

Prints the children of custom resources as YAML: what the operator of this project writes into a
world that holds the objects of PATH and nothing else. It needs no cluster. Secrets are printed
without their data, and what the operator declares as external is not called.
PATH is a file of YAML or JSON, a folder with all that is below it, a pattern, or - for standard
input. Objects that no controller reconciles, such as Secrets, are there first.

Options:
      --operator FILE  the module that exports the operator (default: src/operator.ts)
      --crds PATH      CustomResourceDefinitions of kinds of others; may be given several times
      --until-rest     Pods are played: they become ready, and the operator goes on until it rests
      --timeout TIME   the longest that an object may take (default: 30s)
  -o, --output FORMAT  yaml (default) or json
  -h, --help           show this text

Example:
  keelson render samples/memcached.yaml
`;

export const RENDER = {
  help: HELP,
  options: {
    operator: { type: 'string' },
    crds: { type: 'string', multiple: true },
    'until-rest': { type: 'boolean', default: false },
    timeout: { type: 'string', default: '30s' },
    output: { type: 'string', short: 'o', default: 'yaml' },
    help: { type: 'boolean', short: 'h', default: false },
  },
  values: { operator: 'file', crds: 'file', timeout: 'text', output: ['yaml', 'json'] },
  operands: ['file'],
  isRepeated: true,
} as const satisfies CommandUsage;
