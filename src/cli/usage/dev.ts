import type { CommandUsage } from './command-usage.js';

const HELP = `Usage: keelson dev [OPERATOR] [options]

Runs the operator of a project against an API server of its own, until it is interrupted. Its custom
resources, rights, webhooks and policies are installed as its manifests would install them, and it
asks in the name of its ServiceAccount. When a source file changes, it starts again; the objects
stay. Nothing has to be installed, and all of it listens on this machine alone.

With --context the operator works against a cluster that is there. The command shows the address of
its API server and asks before it installs anything; parts that others made are not changed. At the
end it deletes the parts that it made; objects, definitions and namespaces stay.

In a terminal a table shows the operator's objects, with these keys:

  /  show only objects with a text in their row
  r  reconcile the objects that are shown once more
  j  print their last runs
  s  stop the operator and start it again
  k  the same, but kill it, as if its node had failed
  d  let requests fail now and then, until d is pressed again
  q  end it all

  OPERATOR               the module that exports the operator (default: src/operator.ts)

Options:
      --run FILE         the entry point of the image, where the operator gets what it needs
                         from outside (default: run.ts beside OPERATOR; without it the operator is
                         run as it is)
  -f, --filename PATH    manifests that are applied when the operator is ready, definitions (CRDs)
                         before it starts: a file of YAML or JSON, or a folder of them; may be given
                         several times. A manifest that is refused is tried again after the next
                         start
  -p, --port N           where the API server listens (default: any port that is free)
      --kubeconfig FILE  where to write the kubeconfig of an administrator; removed at the end
                         (default: a file in the folder for temporary files). With --context the
                         file that has the context; it is never written (default: KUBECONFIG,
                         else ~/.kube/config)
      --data FOLDER      where objects and keys are kept: they survive a restart of this command
      --watch FOLDER     a folder whose files count as sources, beside the current one; may be
                         given several times
      --containers FILE  a JavaScript module that exports containers, as processes({ ... }) of
                         @keelson/testing returns them: Pods of these images run as processes of
                         this machine. All other Pods are simulated: they become Ready, though
                         nothing runs in them
      --page             serve a page on this machine that shows the objects as a tree, with their
                         runs (what brought each, what it read and wrote), webhook calls and watch
                         events, and that moves the time forward. The address, which holds a secret,
                         is written at the start
      --context NAME     run against the cluster of this context of the kubeconfig. Your user needs
                         the right to grant all that the operator may do
      --webhook-url URL  with --context: where its API server reaches this machine, for example
                         https://172.18.0.1:9443 for kind; the operator listens at this port
                         (default: webhooks are not installed, and kinds that convert are served
                         in their storage version alone)
      --force-conflicts  with --context: change parts and fields that others made, as kubectl apply
                         does with this option
  -y, --yes              with --context: ask nothing. Needed without a terminal
  -h, --help             show this text

Examples:
  keelson dev -f samples/
  keelson dev --context kind-dev -f samples/
`;

export const DEV = {
  help: HELP,
  options: {
    run: { type: 'string' },
    filename: { type: 'string', short: 'f', multiple: true, default: [] as string[] },
    port: { type: 'string', short: 'p' },
    kubeconfig: { type: 'string' },
    data: { type: 'string' },
    watch: { type: 'string', multiple: true, default: [] as string[] },
    containers: { type: 'string' },
    page: { type: 'boolean', default: false },
    context: { type: 'string' },
    'webhook-url': { type: 'string' },
    'force-conflicts': { type: 'boolean', default: false },
    yes: { type: 'boolean', short: 'y', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
  values: {
    run: 'file',
    filename: 'file',
    port: 'text',
    kubeconfig: 'file',
    data: 'folder',
    watch: 'folder',
    containers: 'file',
    context: 'text',
    'webhook-url': 'text',
  },
  operands: ['file'],
} as const satisfies CommandUsage;
