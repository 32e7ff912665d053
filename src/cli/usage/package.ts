import type { CommandUsage } from './command-usage.js';

/** A form that a package is written in. */
interface PackageFormat {
  readonly writes: string;
  /** Where it is written unless the user says otherwise. */
  readonly folder: (name: string) => string;
}

export const PACKAGE_FORMATS = {
  helm: { writes: 'a Helm chart: templates, values with their schema, a README', folder: (name) => `charts/${name}` },
  kustomize: { writes: 'a Kustomize base with overlays, and the merge keys of its kinds', folder: (name) => `kustomize/${name}` },
  olm: { writes: 'a bundle for the Operator Lifecycle Manager', folder: (name) => `olm/${name}` },
  schemas: { writes: 'JSON Schemas of its kinds, for editors and kubeconform', folder: () => 'schemas' },
  argocd: { writes: 'how Argo CD judges the health of its kinds', folder: () => 'argocd' },
} as const satisfies Readonly<Record<string, PackageFormat>>;

const HELP = `Usage: keelson package FORMAT [options] [MODULE]

Writes the package that MODULE exports (defineOperatorPackage or definePackage of
keelson/packaging), or for olm the bundle (olmBundle). MODULE is TypeScript or JavaScript (default:
src/package.ts).

Formats:
${Object.entries<PackageFormat>(PACKAGE_FORMATS)
  .map(([name, { writes, folder }]) => `  ${name.padEnd(10)} ${writes}, into ${folder('NAME')}`)
  .join('\n')}

The shortest module, for an operator of keelson init:
  import { defineOperatorPackage } from 'keelson/packaging';
  import { operator } from './operator.js';

  export const operatorPackage = defineOperatorPackage({
    operator,
    image: 'registry.example.com/my-operator:0.1.0',
    version: '0.1.0',
  });

Options:
  -o, --output DIR   where to write, instead of the folder named above
      --name NAME    which package, if MODULE exports several
      --catalog FILE with olm: adds the bundle to this file-based catalog; makes it if it is missing
      --bundle-image IMAGE
                     with --catalog: the image that the bundle is pushed as
  -h, --help         show this text

Examples:
  keelson package helm && helm lint charts/my-operator
  keelson package kustomize && kubectl apply --server-side -k kustomize/my-operator/base
`;

export const PACKAGE = {
  help: HELP,
  options: {
    output: { type: 'string', short: 'o' },
    name: { type: 'string' },
    catalog: { type: 'string' },
    'bundle-image': { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
  values: { output: 'folder', name: 'text', catalog: 'file', 'bundle-image': 'text' },
  operands: [Object.keys(PACKAGE_FORMATS), 'file'],
} as const satisfies CommandUsage;
