import type { OlmBundle, Package, PackageFile } from 'keelson/packaging';
import type { PACKAGE_FORMATS } from '../usage/index.js';

/** An export of the user's module that can be written. */
export interface Source {
  readonly name: string;
  /** Before anything is written. */
  readonly files: () => readonly PackageFile[];
  /** Written into folders beside its own. */
  readonly beside: () => readonly Omit<Source, 'beside'>[];
}

/** How a format is written. */
interface Format {
  /** The file that says that the command wrote the folder. */
  readonly marked: string;
  /** Files below these folders that the package does not write would be installed, or read, too: they are refused. */
  readonly owned: readonly string[];
  /** Kind of export that is looked for, and an example for the error message. */
  readonly exported: { readonly what: string; readonly example: string };
  readonly sources: (values: readonly unknown[]) => Promise<readonly Source[]>;
}

/** A folder without a file that has comments gets one that has nothing else. */
const MARKER_FILE = '.keelson-package';

const PACKAGE = { what: 'package', example: 'export const chart = defineOperatorPackage({ operator, image, version })' } as const;
const BUNDLE = {
  what: 'bundle',
  example: 'export const bundle = olmBundle(operatorPackage, { displayName, provider, minKubeVersion, categories })',
} as const;

export const FORMATS: Readonly<Record<keyof typeof PACKAGE_FORMATS, Format>> = {
  helm: {
    marked: 'Chart.yaml',
    // A subchart that is left from an older version would be installed, with its own defaults.
    owned: ['templates/', 'charts/', 'crds/'],
    exported: PACKAGE,
    sources: charts,
  },
  kustomize: {
    marked: 'kustomization.yaml',
    owned: [''],
    exported: PACKAGE,
    sources: (values) => packagesAs(values, ({ kustomizeFiles }) => kustomizeFiles),
  },
  olm: { marked: 'bundle.Dockerfile', owned: [''], exported: BUNDLE, sources: bundles },
  schemas: {
    marked: MARKER_FILE,
    owned: [''],
    exported: PACKAGE,
    sources: (values) => packagesAs(values, ({ kindSchemas }) => withMarker(kindSchemas)),
  },
  argocd: {
    marked: MARKER_FILE,
    owned: [''],
    exported: PACKAGE,
    sources: (values) => packagesAs(values, ({ argoCdHealth }) => withMarker(argoCdHealth)),
  },
};

type Packaging = typeof import('keelson/packaging');
type Writer = (source: Package) => readonly PackageFile[];

function withMarker(write: Writer): Writer {
  return (source) => [{ path: MARKER_FILE, text: '' }, ...write(source)];
}

async function packagesAs(values: readonly unknown[], writer: (packaging: Packaging) => Writer): Promise<readonly Source[]> {
  const packaging = await import('keelson/packaging');
  const write = writer(packaging);
  return unique<Package>(values.filter(packaging.isPackage)).map((source) => ({
    name: source.name,
    files: () => write(source),
    beside: () => [],
  }));
}

/** The chart of CustomResourceDefinitions stands beside that of the operator. */
async function charts(values: readonly unknown[]): Promise<readonly Source[]> {
  const { companionsOf, helmChart, isPackage } = await import('keelson/packaging');
  return unique<Package>(values.filter(isPackage)).map((source) => ({
    name: source.name,
    files: () => helmChart(source),
    beside: () => companionsOf(source).map((companion) => ({ name: companion.name, files: () => helmChart(companion) })),
  }));
}

async function bundles(values: readonly unknown[]): Promise<readonly Source[]> {
  const { isOlmBundle } = await import('keelson/packaging');
  return unique<OlmBundle>(values.filter(isOlmBundle)).map((bundle) => ({
    name: bundle.packageName,
    files: () => bundle.files(),
    beside: () => [],
  }));
}

function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}
