import type { CommandUsage } from './command-usage.js';

const HELP = `Usage: keelson create kind KIND [options]
       keelson create controller NAME --for KIND
       keelson create webhook KIND
       keelson create version VERSION [--kind KIND] [--storage]

Adds files to the project in this folder, each with its test. No file that is there is changed. The
command shows the lines to add to src/operator.ts, or to the definition of the kind.

  kind KIND            a custom resource with its children and its controller
  controller NAME      one more controller: for a kind of the project, a built-in one, or one that
                       keelson import has written below src
  webhook KIND         a defaulting and a validating webhook for a kind of the project
  version VERSION      one more version of a kind: a copy of the stored one, and the conversion

Options:
  -g, --group GROUP      kind: the API group (default: that of the project's kinds)
      --version VERSION  kind: its version (default: v1alpha1)
      --webhooks         kind: with a defaulting and a validating webhook
      --for KIND         controller: the kind that it is for, by the name of its import, or as
                         Certificate.cert-manager.io
      --kind KIND        version: the kind (default: the only one of the project)
      --storage          version: objects are stored in it (default: it is served only)
  -h, --help             show this text

Examples:
  keelson create kind Gadget --webhooks
  keelson create controller backup --for StatefulSet
`;

export const CREATE = {
  help: HELP,
  options: {
    group: { type: 'string', short: 'g' },
    version: { type: 'string' },
    webhooks: { type: 'boolean' },
    for: { type: 'string' },
    kind: { type: 'string' },
    storage: { type: 'boolean' },
    help: { type: 'boolean', short: 'h', default: false },
  },
  values: { group: 'text', version: 'text', for: 'text', kind: 'text' },
  operands: [['kind', 'controller', 'webhook', 'version'], 'text'],
} as const satisfies CommandUsage;
