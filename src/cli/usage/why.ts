import type { CommandUsage } from './command-usage.js';

const HELP = `Usage: keelson why KIND/NAME --operator NAMESPACE/NAME [options]

Prints the last runs of an object from the journal of an operator in a cluster: what caused each
run, what it read, what it changed, and how it ended. The operator must keep a journal
(KEELSON_JOURNAL=true), and serve secured metrics.

The command connects to the Pods of the operator as kubectl port-forward does, and shows them your
token, so name an operator that you trust. You need the rights to get its Deployment, to list its
Pods, to create pods/portforward, and to get /journal/KIND/NAMESPACE/NAME (nonResourceURLs).

Options:
      --operator NAMESPACE/NAME         the Deployment of the operator
  -n, --namespace NAMESPACE             the namespace of the object (default: that of the context)
      --controller NAME                 the runs of this controller only
      --context NAME                    a context of the kubeconfig (default: the current one)
      --kubeconfig FILE                 the kubeconfig (default: KUBECONFIG, else ~/.kube/config)
      --service-account NAMESPACE/NAME  show a token of this ServiceAccount, which lives for ten
                                        minutes, and not your own. A user with a client certificate
                                        has no token
  -o, --output FORMAT                   text or json (default: text)
  -h, --help                            show this text

Example:
  keelson why memcached/sessions -n shop --operator memcached-system/memcached-operator
`;

export const WHY = {
  help: HELP,
  options: {
    operator: { type: 'string' },
    namespace: { type: 'string', short: 'n' },
    controller: { type: 'string' },
    context: { type: 'string' },
    kubeconfig: { type: 'string' },
    'service-account': { type: 'string' },
    output: { type: 'string', short: 'o', default: 'text' },
    help: { type: 'boolean', short: 'h', default: false },
  },
  values: {
    operator: 'text',
    namespace: 'text',
    controller: 'text',
    context: 'text',
    kubeconfig: 'file',
    'service-account': 'text',
    output: ['text', 'json'],
  },
  operands: ['text'],
} as const satisfies CommandUsage;
