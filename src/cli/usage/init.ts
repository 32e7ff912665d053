import { KEELSON_VERSION } from '../keelson-version.js';
import type { CommandUsage } from './command-usage.js';

const HELP = `Usage: keelson init FOLDER --group GROUP --kind KIND [options]
       keelson init FOLDER --from PATH [options]

Writes a new project of fourteen files into FOLDER: a custom resource with its controller, tests,
the cdk8s app, the entry point, a Dockerfile, and workflows that test and release. It installs
nothing and overwrites nothing. In a terminal it asks for what is not given.

Options:
  -g, --group GROUP      the API group: a domain that you own, for example cache.example.com
  -k, --kind KIND        the kind in CamelCase, for example Memcached
      --from PATH        starts from existing CRDs instead: a file of YAML, a folder of files, or a
                         kubebuilder project. Their schemas become definitions in zod, with a list
                         of what has no equivalent; controllers and webhooks are left to you
      --skip KIND        with --from: leaves a kind out; give it once for each kind
      --allow-pruning    with --from: goes on where stored data would be pruned
      --name NAME        name of the package and the operator (default: that of the folder)
      --version VERSION  version of the kind (default: v1alpha1; with --conversion v1beta1)
      --webhooks         adds a defaulting and a validating webhook
      --conversion       adds an older version, v1alpha1, that is converted
      --vitest           tests run with vitest (default)
      --jest             tests run with jest
      --esm              Node loads the project as ES modules (default)
      --commonjs         Node loads the project as CommonJS
      --keelson SPEC     where the project takes the packages of keelson from: a version, or
                         file:/path/to/folder with their tarballs (default: ^${KEELSON_VERSION})
  -y, --yes              asks nothing: takes the default for what is not given
  -h, --help             show this text

Examples:
  keelson init my-operator --group cache.example.com --kind Memcached
  keelson init my-operator --from ../my-operator-in-go
`;

export const INIT = {
  help: HELP,
  options: {
    group: { type: 'string', short: 'g' },
    kind: { type: 'string', short: 'k' },
    from: { type: 'string' },
    skip: { type: 'string', multiple: true },
    'allow-pruning': { type: 'boolean' },
    name: { type: 'string' },
    version: { type: 'string' },
    webhooks: { type: 'boolean' },
    conversion: { type: 'boolean' },
    vitest: { type: 'boolean' },
    jest: { type: 'boolean' },
    esm: { type: 'boolean' },
    commonjs: { type: 'boolean' },
    keelson: { type: 'string', default: `^${KEELSON_VERSION}` },
    yes: { type: 'boolean', short: 'y', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
  values: { group: 'text', kind: 'text', from: 'file', skip: 'text', name: 'text', version: 'text', keelson: 'file' },
  operands: ['folder'],
  negatable: ['webhooks', 'conversion', 'vitest', 'jest', 'esm', 'commonjs'],
} as const satisfies CommandUsage;
