import { isRecord } from '@keelson/kubernetes/apimachinery';
import { Chart } from 'cdk8s';
import { PackageError } from '../errors.js';
import type { Synthesized } from '../template/index.js';
import { type DefaultsOf, joinedValues, type ValueTree } from '../values/index.js';
import {
  checkIdentity,
  commonFacts,
  isPackage,
  modelOf,
  type Package,
  type PackageMetadata,
  type PackageModel,
  packageFrom,
  plainFact,
  type Release,
} from './package-model.js';

type Packages = Readonly<Record<string, Package>>;

/** Values of a set: those of each package under its name, and whether it is installed. */
export type PackageSetValues<TPackages extends Packages> = {
  readonly [K in keyof TPackages]: (TPackages[K] extends Package<infer TValues> ? TValues : never) & { readonly enabled: boolean };
};

export interface PackageSetOptions<TPackages extends Packages> extends PackageMetadata {
  /** Name of the chart, and of an installation that is given no other. */
  readonly name: string;
  /** Version of the set, by semantic versioning. */
  readonly version: string;
  /** Namespace of the plain manifests. With Helm it is the release's. */
  readonly namespace: string;
  /** The packages, by the names under which they have their values. An operator is installed as `<name of the set>-<its name here>`. */
  readonly packages: TPackages;
  /** Other defaults, by the names of the packages: `{ backup: { enabled: false } }`. @default - those of the packages; all are enabled */
  readonly defaults?: DefaultsOf<PackageSetValues<TPackages>> | undefined;
  /** Text that `helm install` prints at the end. @default - how to see the workloads */
  readonly notes?: string | undefined;
}

const PART = /^[a-z][a-z0-9]*$/;

/**
 * Several packages as one: operators that are installed together, each of which can be left out. As a Helm chart it has them as subcharts, with
 * `<name>.enabled` as their condition.
 *
 * @example
 * ```ts
 * export const caches = definePackageSet({
 *   name: 'caches',
 *   version: '1.0.0',
 *   namespace: 'caches',
 *   packages: { memcached: memcachedPackage, other: definePackage({ name: 'other', version: '1.0.0', namespace: 'caches', build: () => {} }) },
 *   defaults: { memcached: { replicas: 2 }, other: { enabled: false } },
 * });
 * ```
 *
 * @throws PackageError if a name, the version, a package or a default cannot be used
 */
export function definePackageSet<const TPackages extends Packages>(
  options: PackageSetOptions<TPackages>,
): Package<PackageSetValues<TPackages>> {
  checkIdentity(options);
  const { packages, defaults = {}, ...metadata } = options;
  const parts = new Map(Object.entries(packages).map(([part, source]) => [part, partOf(part, source)] as const));
  const sameName = [...parts].find(([, model]) => [...parts.values()].some((other) => other !== model && other.name === model.name));
  if (sameName !== undefined)
    throw new PackageError(`packages.${sameName[0]}: another package is called ${sameName[1].name} too; give one of them another name`);
  if (parts.size === 0) throw new PackageError('packages: is empty; name at least one package');
  const values = joinedValues(new Map([...parts].map(([part, model]) => [part, model.values])), defaults as ValueTree);
  return packageFrom({
    ...metadata,
    values,
    facts: commonFacts(options),
    helpers: '',
    overlays: () => ({}),
    parts,
    synthesize: (tree, fact, format) => {
      const objects = new Map<string, unknown>();
      for (const [part, model] of enabledParts(parts, tree)) {
        const own = partTree(tree, part);
        const installedAs = model.installedAs(fact('name'), part);
        const result = model.synthesize(
          own,
          (name) => (name === 'namespace' ? fact(name) : plainFact(model, own, name, installedAs)),
          format,
        );
        if ('refusal' in result) return { refusal: `${part}: ${result.refusal}` };
        for (const [path, object] of result.objects) objects.set(`${part}/${path}`, object);
      }
      return { objects } as Synthesized;
    },
    build: (chart, tree, release) => {
      for (const [part, model] of enabledParts(parts, tree)) buildPart(chart, { part, model, tree: partTree(tree, part), release });
    },
    installedAs: (whole) => whole,
    complete: (value) => value,
    companions: [...parts.values()].flatMap(({ companions }) => companions),
  });
}

/** @throws PackageError for what cannot be a part */
function partOf(part: string, source: unknown): PackageModel {
  if (!PART.test(part))
    throw new PackageError(`packages.${part}: write the name in lower case letters and digits; it is part of names in the cluster`);
  if (!isPackage(source))
    throw new PackageError(`packages.${part}: is not a package; give what defineOperatorPackage or definePackage returns`);
  const model = modelOf(source);
  if (model.parts !== undefined) throw new PackageError(`packages.${part}: is a set of packages itself; name its packages one by one`);
  if (model.values.schema.properties?.['enabled'] !== undefined)
    throw new PackageError(`packages.${part}: has a value enabled of its own, by which the set would leave it out; rename that value`);
  return model;
}

function* enabledParts(parts: ReadonlyMap<string, PackageModel>, tree: ValueTree): Iterable<readonly [string, PackageModel]> {
  for (const [part, model] of parts) {
    const values = tree[part];
    if (isRecord(values) && values['enabled'] === true) yield [part, model];
  }
}

/** The values of a part, as its own schema knows them. */
function partTree(tree: ValueTree, part: string): ValueTree {
  const { enabled: _enabled, ...values } = tree[part] as { readonly enabled: boolean } & ValueTree;
  return values;
}

function buildPart(
  scope: Chart,
  {
    part,
    model,
    tree,
    release,
  }: { readonly part: string; readonly model: PackageModel; readonly tree: ValueTree; readonly release: Release },
): void {
  const { namespace } = release;
  const installedAs = model.installedAs(release.name, part);
  model.build(new Chart(scope, part, { namespace }), tree, { name: plainFact(model, tree, 'name', installedAs), namespace });
}
