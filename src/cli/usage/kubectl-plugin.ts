import type { CommandUsage } from './command-usage.js';

const HELP = `Usage: keelson kubectl-plugin NAME --resource PLURAL.GROUP [options]

Writes kubectl-NAME into this folder: a script for sh with which people on call pause, resume and
reconcile the objects of an operator, and ask why it did what it did. Anywhere in the PATH, kubectl
runs it as "kubectl NAME".

Options:
  -r, --resource PLURAL.GROUP  the resource, for example memcacheds.cache.example.com
      --prefix DOMAIN          the domain of the annotations, if the definition has one of its own
                               (default: the group of the resource)
      --operator NAMESPACE/NAME  the Deployment of the operator: adds the verb why, which calls
                               keelson why
  -h, --help                   show this text

Example:
  keelson kubectl-plugin memcached --resource memcacheds.cache.example.com
`;

export const KUBECTL_PLUGIN = {
  help: HELP,
  options: {
    resource: { type: 'string', short: 'r' },
    prefix: { type: 'string' },
    operator: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
  values: { resource: 'text', prefix: 'text', operator: 'text' },
  operands: ['text'],
} as const satisfies CommandUsage;
