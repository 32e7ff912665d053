import type { CommandUsage } from './command-usage.js';

const HELP = `Usage: keelson validate --crds PATH [options] PATH...

Judges custom resources as the API server would: unknown fields, schema, CEL rules, list types,
names. It needs no cluster and no operator, and works with the CRDs of any project.
PATH is a file of YAML or JSON, a folder with all that is below it, a pattern such as
'deploy/**/*.yaml', or - for standard input. CRDs among them are judged too, and count as --crds.
It fails if an object is not valid, and if one could not be judged.

Options:
      --crds PATH      CustomResourceDefinitions; may be given several times
      --old PATH       the objects as they are now: an object of the same kind and name is judged as
                       an update of it, with transition rules; may be given several times
      --ignore-missing-crds
                       passes over objects whose kind no CRD describes
  -o, --output FORMAT  text (default) or json
  -h, --help           show this text

Examples:
  keelson validate --crds crds/ samples/
  kubectl get memcacheds -A -o yaml | keelson validate --crds crds/next.yaml -
`;

export const VALIDATE = {
  help: HELP,
  options: {
    crds: { type: 'string', multiple: true },
    old: { type: 'string', multiple: true },
    'ignore-missing-crds': { type: 'boolean', default: false },
    output: { type: 'string', short: 'o', default: 'text' },
    help: { type: 'boolean', short: 'h', default: false },
  },
  values: { crds: 'file', old: 'file', output: ['text', 'json'] },
  operands: ['file'],
  isRepeated: true,
} as const satisfies CommandUsage;
