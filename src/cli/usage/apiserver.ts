import type { CommandUsage } from './command-usage.js';

const HELP = `Usage: keelson apiserver [options]

Runs a Kubernetes API server until it is interrupted, for kubectl and for operators under
development. Nothing has to be installed. It listens on this machine alone. Without --data it keeps
everything in memory, and all is gone when it ends.

Options:
  -p, --port N           where to listen (default: any port that is free)
      --kubeconfig FILE  where to write the kubeconfig of an administrator: written when the server
                         is ready, removed when it ends (default: a file in the folder for
                         temporary files)
  -f, --filename PATH    manifests that are created first: a file of YAML or JSON, or a folder of
                         them; may be given several times. A manifest that the server refuses is
                         reported, and the server stays
      --data FOLDER      where objects and keys are kept: they survive a restart, and the end of the
                         process in whatever way. With --port a client keeps its kubeconfig
      --cert-dir FOLDER  where the keys of the authority and of the administrator are kept (default:
                         the folder of --data; without both they are made anew each time)
      --service NAMESPACE/NAME=PORT
                         the local port at which the webhooks of a Service listen; may be given
                         several times
      --mode MODE        cluster: owners cascade, namespaces empty themselves (default)
                         envtest: the API server alone, as Go's envtest has it
      --workloads        Deployments, StatefulSets, DaemonSets and Jobs make Pods, and Pods become
                         Ready, though nothing runs in them
      --containers FILE  a JavaScript module that exports containers, as processes({ ... }) of
                         @keelson/testing returns them: Pods of these images run as processes of
                         this machine. Implies --workloads
      --feature NAME     a feature that a kube-apiserver has only where its flags ask for it:
                         MutatingAdmissionPolicy; may be given several times
  -h, --help             show this text

Example:
  keelson apiserver --port 6443 --kubeconfig /tmp/dev.kubeconfig
  kubectl --kubeconfig /tmp/dev.kubeconfig get namespaces
`;

export const APISERVER = {
  help: HELP,
  options: {
    port: { type: 'string', short: 'p' },
    kubeconfig: { type: 'string' },
    filename: { type: 'string', short: 'f', multiple: true },
    data: { type: 'string' },
    'cert-dir': { type: 'string' },
    service: { type: 'string', multiple: true },
    mode: { type: 'string', default: 'cluster' },
    workloads: { type: 'boolean', default: false },
    containers: { type: 'string' },
    feature: { type: 'string', multiple: true },
    help: { type: 'boolean', short: 'h', default: false },
  },
  values: {
    port: 'text',
    kubeconfig: 'file',
    filename: 'file',
    data: 'folder',
    'cert-dir': 'folder',
    service: 'text',
    mode: ['cluster', 'envtest'],
    containers: 'file',
    feature: ['MutatingAdmissionPolicy'],
  },
  operands: [],
} as const satisfies CommandUsage;
