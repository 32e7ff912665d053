import { isRecord } from '@keelson/kubernetes/apimachinery';
import { PackageError } from '../errors.js';
import { objectFileName } from '../object-file-name.js';
import { modelOf, type Package, type PackageModel } from '../package/index.js';
import type { PackageFile } from '../package-file.js';
import { yamlText } from '../yaml-text.js';
import { textAt } from './bundle-contents.js';
import { bundleMetadata } from './bundle-metadata.js';
import { bundleName, clusterServiceVersion } from './cluster-service-version.js';
import { installedObjects } from './installed-objects.js';
import type { OlmBundleOptions } from './olm-bundle-options.js';

const BRAND: unique symbol = Symbol.for('keelson.OlmBundle');

/** A version of an operator for the Operator Lifecycle Manager. */
export interface OlmBundle {
  /** `<package>.v<version>`, as catalogs name it. */
  readonly name: string;
  /** Name of the package that the bundle is a version of. */
  readonly packageName: string;
  readonly channels: readonly string[];
  /** The files of the bundle, in the order of their paths. @throws PackageError for objects that OLM does not install, and samples that are refused */
  files(): readonly PackageFile[];
}

/**
 * The bundle of an operator for the Operator Lifecycle Manager, in the format registry+v1.
 *
 * Flow: 1. The package is synthesized as OLM installs it: certificates of webhooks, the ServiceAccount, its roles and the watched namespaces come from OLM. 2. Deployment
 * and rules go into the ClusterServiceVersion, CustomResourceDefinitions and other objects into files of their own. 3. {@link bundleProblems} judges the result.
 * Guarantees: the rules of the ClusterServiceVersion are those that the plain manifests with the same values bind to the operator.
 *
 * @example
 * ```ts
 * export const bundle = olmBundle(memcachedPackage, {
 *   displayName: 'Memcached Operator',
 *   provider: { name: 'Example Inc.' },
 *   minKubeVersion: '1.30.0',
 *   categories: ['Database'],
 *   replaces: 'memcached-operator.v0.0.9',
 * });
 * ```
 *
 * @throws PackageError if the package was not made by `defineOperatorPackage`
 */
export function olmBundle<TValues>(source: Package<TValues>, options: OlmBundleOptions<TValues>): OlmBundle {
  const model = modelOf(source);
  if (model.operator === undefined)
    throw new PackageError(`olmBundle: package ${model.name} has no operator; make it with defineOperatorPackage`);
  const { channels = ['stable'] } = options;
  return Object.freeze({
    [BRAND]: true,
    name: bundleName(model),
    packageName: model.name,
    channels,
    files: () => bundleFiles(model, { ...options, channels } as OlmBundleOptions),
  });
}

/**
 * Whether a value is a bundle, of whichever copy of keelson.
 *
 * @example
 * ```ts
 * isOlmBundle(memcachedBundle); // true
 * ```
 */
export function isOlmBundle(value: unknown): value is OlmBundle {
  return isRecord(value) && BRAND in value;
}

function bundleFiles(model: PackageModel, options: OlmBundleOptions): readonly PackageFile[] {
  const { installModes = ['AllNamespaces'], channels = ['stable'], scorecardImage, values = {} } = options;
  const installed = installedObjects(
    model,
    values,
    installModes.some((mode) => mode !== 'AllNamespaces'),
  );
  const files = [
    { path: `manifests/${model.name}.clusterserviceversion.yaml`, text: yamlText(clusterServiceVersion(model, options, installed)) },
    ...installed.crds.map((crd) => ({
      path: `manifests/${textAt(crd, 'spec', 'group')}_${textAt(crd, 'spec', 'names', 'plural')}.yaml`,
      text: yamlText(crd),
    })),
    // One folder: OLM reads none below it.
    ...installed.others.map(([key, object]) => ({
      path: `manifests/${objectFileName(key).replaceAll('/', '-')}.yaml`,
      text: yamlText(object),
    })),
    ...bundleMetadata({ packageName: model.name, channels, scorecardImage }),
  ];
  const twice = files.find(({ path }, index) => files.findIndex((other) => other.path === path) !== index);
  if (twice !== undefined)
    throw new PackageError(`olmBundle: two objects would be written to ${twice.path}; give their constructs other ids`);
  return files.sort((left, right) => (left.path < right.path ? -1 : 1));
}
