import { isRecord, type Json } from '@keelson/kubernetes/apimachinery';
import { Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { z } from 'zod';
import type { OperatorModel } from '../../definition/index.js';
import { PackageError } from '../errors.js';
import type { Fact, Synthesized } from '../template/index.js';
import { type DefaultsOf, type ValueModel, type ValueTree, valueModelOf } from '../values/index.js';
import { filled } from './filled.js';
import { labelled, synthesized } from './synthesized.js';

/** Where a package is installed. */
export interface Release {
  /** Name of this installation: `helm install NAME`. In plain manifests the name of the package. */
  readonly name: string;
  /** Namespace that it is installed into. In plain manifests `namespace` of the package. */
  readonly namespace: string;
}

/** Arguments of `build`. */
export interface PackageContext<TValues> {
  readonly values: TValues;
  readonly release: Release;
  /** Format that is written. Manifests for Helm may differ on purpose, for example by an annotation that only Helm reads. */
  readonly format: 'manifests' | 'helm';
}

/** Facts for people and registries, written to `Chart.yaml`. */
export interface PackageMetadata {
  /** One sentence. @default - none */
  readonly description?: string | undefined;
  /** Version of what the package installs. @default - the version of the package */
  readonly appVersion?: string | undefined;
  /** Versions of Kubernetes that it runs on, as Helm writes ranges: `>=1.30.0-0`. @default - any */
  readonly kubeVersion?: string | undefined;
  /** Address of an SVG or PNG. @default - none */
  readonly icon?: string | undefined;
  /** Address of the project's page. @default - none */
  readonly home?: string | undefined;
  /** Addresses of the source code. @default - none */
  readonly sources?: readonly string[] | undefined;
  /** @default - none */
  readonly keywords?: readonly string[] | undefined;
  /** @default - none */
  readonly maintainers?:
    | readonly { readonly name: string; readonly email?: string | undefined; readonly url?: string | undefined }[]
    | undefined;
  /** @default - none */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

export interface PackageOptions<TValues extends z.ZodObject> extends PackageMetadata {
  /** Name of the chart, and of an installation that is given no other: lower case letters, digits and dashes. */
  readonly name: string;
  /** Version of the package, by semantic versioning. */
  readonly version: string;
  /** Namespace of the plain manifests. With Helm it is the release's. */
  readonly namespace: string;
  /**
   * Values that an installation may set, each with a default.
   * @default - none
   */
  readonly values?: TValues | undefined;
  /**
   * Other defaults than those of the schema, by name: `{ image: { tag: '1.2.0' } }`.
   * @default - none
   */
  readonly defaults?: object | undefined;
  /**
   * Overlays of the Kustomize base, by name: values that differ from the defaults.
   * @default - none
   */
  readonly overlays?: Readonly<Record<string, DefaultsOf<z.output<TValues>>>> | undefined;
  /**
   * Creates the constructs. It is called many times with different values, and must be a function of what it is given: no time, no files, no environment.
   *
   * A value may be written as it is, also within a text, or choose by a condition; it must not be computed with.
   */
  readonly build: (chart: Chart, context: PackageContext<z.output<TValues>>) => void;
  /** Text that `helm install` prints at the end. @default - how to see the workloads */
  readonly notes?: string | undefined;
}

const BRAND: unique symbol = Symbol.for('keelson.Package');

/** A fact of an installer, and how Helm's templates say it. */
export interface PackageFact extends Fact {
  /** The expression; `root` is `.`, or `$` where a template has moved on. */
  readonly expression: (root: string) => string;
}

/** Everything that a writer of a format needs. */
export interface PackageModel extends PackageMetadata {
  readonly name: string;
  readonly version: string;
  readonly namespace: string;
  readonly notes?: string | undefined;
  readonly values: ValueModel;
  /** Values that differ from the defaults, by the name of the overlay, where the package is installed into a namespace. */
  readonly overlays: (namespace: string) => Readonly<Record<string, object>>;
  /** The plain manifests by the path of their construct. @throws PackageError if the schema or the constructs do not take the values */
  readonly plain: (given: object, namespace?: string) => ReadonlyMap<string, Json>;
  readonly facts: readonly PackageFact[];
  /** The operator that the package installs. Absent: it was not made by `defineOperatorPackage`. */
  readonly operator?: OperatorModel | undefined;
  /** More named templates of Helm, for `_helpers.tpl`. */
  readonly helpers: string;
  readonly synthesize: (values: ValueTree, fact: (name: string) => string, format: PackageContext<unknown>['format']) => Synthesized;
  /** Creates the constructs of plain manifests. */
  readonly build: (chart: Chart, values: ValueTree, release: Release) => void;
  /** Changes JSON of a finished template. */
  readonly complete: (value: Json) => Json;
  /** Name of its installation as a part of another package. */
  readonly installedAs: (whole: string, part: string) => string;
  /** Packages that it is put together from, by their names in it. */
  readonly parts?: ReadonlyMap<string, PackageModel> | undefined;
  /** Packages that are written beside it. */
  readonly companions: readonly Package[];
}

/** Parts of a package that `defineOperatorPackage` adds to what an author may say. */
export interface PackageExtension {
  /** The operator that the package installs. */
  readonly operator?: OperatorModel | undefined;
  readonly facts?: ((model: Pick<PackageModel, 'values' | 'synthesize'>) => readonly PackageFact[]) | undefined;
  readonly helpers?: string | undefined;
  /** Overlays beside those of the author, which replace one of the same name. */
  readonly overlays?: PackageModel['overlays'] | undefined;
  /** Puts back what `build` leaves out for Helm, where no value changes it. */
  readonly complete?: PackageModel['complete'] | undefined;
  /** Changes what was synthesized for Helm, by the path of its construct. */
  readonly adapt?: (object: Json, fact: (name: string) => string, path: string) => Json;
  readonly installedAs?: PackageModel['installedAs'] | undefined;
  readonly companions?: readonly Package[] | undefined;
}

/** A package: constructs as a function of values. */
export interface Package<in TValues = never> {
  readonly name: string;
  readonly version: string;
  /**
   * Adds the package to a cdk8s app, as a chart of plain manifests.
   *
   * @param values values that differ from the defaults
   * @throws PackageError if the schema does not take the values
   */
  addTo(scope: Construct, values?: DefaultsOf<TValues>): Chart;
  /** The plain manifests. @throws PackageError if the schema or the constructs do not take the values */
  manifests(values?: DefaultsOf<TValues>): readonly object[];
}

/** Names that Helm takes for charts and releases. */
const NAME = /^[a-z]([a-z0-9-]{0,51}[a-z0-9])?$/;
const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;

/** @throws PackageError for a name or version that Helm does not take */
export function checkIdentity({ name, version }: { readonly name: string; readonly version: string }): void {
  if (!NAME.test(name))
    throw new PackageError(`name '${name}' must be at most 53 lower case letters, digits and dashes, beginning with a letter`);
  if (!VERSION.test(version)) throw new PackageError(`version '${version}' is not a semantic version; write it like 1.2.0`);
}

/** {@link definePackage}, with what a kind of package adds. */
export function packageOf<TValues extends z.ZodObject>(
  options: PackageOptions<TValues>,
  extension?: PackageExtension,
): Package<z.output<TValues>> {
  const { name } = options;
  checkIdentity(options);
  const values = valueModelOf(options.values ?? z.object({}), (options.defaults ?? {}) as ValueTree);
  const synthesize: PackageModel['synthesize'] = (tree, fact, format) => {
    const release = { name: fact('name'), namespace: fact('namespace') };
    const result = synthesized((chart) => options.build(chart, { values: tree as z.output<TValues>, release, format }), {
      name,
      namespace: release.namespace,
    });
    if (format === 'manifests' || 'refusal' in result) return result;
    return {
      objects: new Map(
        [...result.objects].map(([path, object]) => [
          path,
          extension?.adapt?.(labelled(object, fact), fact, path) ?? labelled(object, fact),
        ]),
      ),
    };
  };
  const own = extension?.facts?.({ values, synthesize }) ?? [];
  const facts: readonly PackageFact[] = [
    ...commonFacts(options).filter(({ name: fact }) => !own.some((other) => other.name === fact)),
    ...own,
  ];
  const { build, values: _values, defaults: _defaults, overlays, ...metadata } = options;
  return packageFrom({
    ...metadata,
    values,
    overlays: (place) => ({ ...extension?.overlays?.(place), ...overlays }),
    facts,
    helpers: extension?.helpers ?? '',
    operator: extension?.operator,
    synthesize,
    build: (chart, tree, release) => build(chart, { values: tree as z.output<TValues>, release, format: 'manifests' }),
    installedAs: extension?.installedAs ?? ((whole) => whole),
    companions: extension?.companions ?? [],
    complete: extension?.complete ?? ((value) => value),
  });
}

/** The package that a model describes. */
export function packageFrom<TValues>(given: Omit<PackageModel, 'plain'>): Package<TValues> {
  const { name, version, namespace, values, facts, synthesize } = given;
  const plain: PackageModel['plain'] = (differing, elsewhere) => {
    const tree = filled(values, differing);
    const result = synthesize(
      tree,
      (fact) => (fact === 'namespace' ? (elsewhere ?? namespace) : plainFact({ facts }, tree, fact)),
      'manifests',
    );
    if ('refusal' in result) throw new PackageError(result.refusal);
    return result.objects;
  };
  const model: PackageModel = { ...given, plain };
  return Object.freeze({
    [BRAND]: model,
    name,
    version,
    addTo: (scope: Construct, given: object = {}): Chart => {
      const chart = new Chart(scope, name, { namespace });
      const tree = filled(values, given);
      model.build(chart, tree, { name: plainFact(model, tree, 'name'), namespace });
      return chart;
    },
    manifests: (differing: object = {}): readonly object[] => [...plain(differing).values()] as object[],
  });
}

/** A fact where no installer says it. */
export function plainFact({ facts }: Pick<PackageModel, 'facts'>, tree: ValueTree, fact: string, installedAs?: string): string {
  return facts.find(({ name }) => name === fact)?.of(tree, installedAs) ?? '';
}

/** The model behind a package, of whichever copy of keelson. */
export function modelOf(source: object): PackageModel {
  return (source as { readonly [BRAND]: PackageModel })[BRAND];
}

/**
 * Packages that are written beside a package: the CustomResourceDefinitions of an operator, if they are a chart of their own.
 *
 * @example
 * ```ts
 * const charts = companionsOf(memcachedPackage).map(helmChart);
 * ```
 */
export function companionsOf(source: Package): readonly Package[] {
  return modelOf(source).companions;
}

/**
 * Whether a value is a package, of whichever copy of keelson.
 *
 * @example
 * ```ts
 * isPackage(memcachedPackage); // true
 * ```
 */
export function isPackage(value: unknown): value is Package {
  return isRecord(value) && BRAND in value;
}

export function commonFacts({
  name,
  namespace,
  version,
}: Pick<PackageOptions<z.ZodObject>, 'name' | 'namespace' | 'version'>): PackageFact[] {
  return [
    { name: 'name', of: (_, installedAs = name) => installedAs, expression: (root) => `${root}Release.Name` },
    { name: 'namespace', of: () => namespace, expression: (root) => `${root}Release.Namespace` },
    { name: 'service', of: () => 'Helm', expression: (root) => `${root}Release.Service` },
    {
      name: 'chart',
      of: () => `${name}-${version}`.replaceAll('+', '_'),
      expression: (root) => `include "${name}.chart" ${root === '.' ? '.' : '$'}`,
    },
  ];
}
