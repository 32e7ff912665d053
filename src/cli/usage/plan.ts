import type { CommandUsage } from './command-usage.js';

const HELP = `Usage: keelson plan [options]

Says what the operator of this project would write: it runs on a copy of a world in this process,
until it rests. Nothing is written to the place that the copy comes from, no Pod starts, and what
the operator declares as external is not called. Secrets are never printed.

The world is the objects of --filename, or of --context, or else the folder samples. Objects with a
uid are taken as they are (kubectl get -o yaml --show-managed-fields); others are applied to it.

Options:
  -f, --filename PATH  the world: a file of YAML or JSON, a folder with all that is below it, a
                       pattern, or - for standard input; may be given several times
      --context NAME   a context of your kubeconfig: the kinds that the operator reads are read,
                       with your rights. --filename then says what is applied to the copy
      --kubeconfig FILE
                       where the context is (default: KUBECONFIG, else ~/.kube/config)
  -n, --namespace NAME with --context: one namespace (default: all)
      --operator FILE  the module that exports the operator (default: src/operator.ts)
      --crds PATH      CustomResourceDefinitions of kinds of others; may be given several times
      --timeout TIME   the longest that an object may take (default: 30s)
  -o, --output FORMAT  text (default), json, or markdown for a comment on a pull request
  -h, --help           show this text

Examples:
  keelson plan --context production
  kubectl get memcacheds,deployments -A -o yaml --show-managed-fields | keelson plan -f -
  # The exit status is 0 for no change, 2 for changes, 1 if an object failed or could not be judged,
  # or if the command line is wrong.
`;

export const PLAN = {
  help: HELP,
  options: {
    filename: { type: 'string', short: 'f', multiple: true },
    context: { type: 'string' },
    kubeconfig: { type: 'string' },
    namespace: { type: 'string', short: 'n' },
    operator: { type: 'string' },
    crds: { type: 'string', multiple: true },
    timeout: { type: 'string', default: '30s' },
    output: { type: 'string', short: 'o', default: 'text' },
    help: { type: 'boolean', short: 'h', default: false },
  },
  values: {
    filename: 'file',
    context: 'text',
    kubeconfig: 'file',
    namespace: 'text',
    operator: 'file',
    crds: 'file',
    timeout: 'text',
    output: ['text', 'json', 'markdown'],
  },
  operands: [],
} as const satisfies CommandUsage;
