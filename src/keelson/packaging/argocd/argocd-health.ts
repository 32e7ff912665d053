import { isRecord } from '@keelson/kubernetes/apimachinery';
import { stringify } from 'yaml';
import { PackageError } from '../errors.js';
import type { Package } from '../package/index.js';
import type { PackageFile } from '../package-file.js';
import { healthScript } from './health-script.js';

/**
 * Writes how Argo CD judges the custom resources of a package: a script for each kind with conditions, and a ConfigMap for `kubectl apply --server-side` that
 * adds all of them to `argocd-cm` and leaves what others keep there.
 *
 * @example
 * ```ts
 * for (const { path, text } of argoCdHealth(memcachedPackage)) console.log(path, text.length);
 * ```
 *
 * @throws PackageError when the package has no custom resource with conditions in its status
 */
export function argoCdHealth(pkg: Package): readonly PackageFile[] {
  const kinds = pkg.manifests().flatMap(kindWithConditions);
  if (kinds.length === 0)
    throw new PackageError(
      `${pkg.name}: Argo CD judges by conditions, and no custom resource has them; declare conditions: k.conditions() in a status`,
    );
  const scripts = kinds.map(({ group, kind }) => ({ group, kind, text: healthScript({ group, kind }) }));
  const data = Object.fromEntries(scripts.map(({ group, kind, text }) => [`resource.customizations.health.${group}_${kind}`, text]));
  const map = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'argocd-cm',
      namespace: 'argocd',
      labels: { 'app.kubernetes.io/name': 'argocd-cm', 'app.kubernetes.io/part-of': 'argocd' },
    },
    data,
  };
  return [
    { path: 'argocd-cm.yaml', text: stringify(map, { lineWidth: 0 }) },
    // Laid out as in the repository of Argo CD, for authors who contribute one.
    ...scripts.map(({ group, kind, text }) => ({ path: `resource_customizations/${group}/${kind}/health.lua`, text })),
  ];
}

interface KindName {
  readonly group: string;
  readonly kind: string;
}

function kindWithConditions(manifest: unknown): readonly KindName[] {
  if (at(manifest, 'kind') !== 'CustomResourceDefinition') return [];
  const [group, kind, versions] = [at(manifest, 'spec', 'group'), at(manifest, 'spec', 'names', 'kind'), at(manifest, 'spec', 'versions')];
  const schemaOf = (version: unknown): unknown =>
    at(version, 'schema', 'openAPIV3Schema', 'properties', 'status', 'properties', 'conditions');
  const tells = Array.isArray(versions) && versions.some((version) => schemaOf(version) !== undefined);
  return tells && typeof group === 'string' && typeof kind === 'string' ? [{ group, kind }] : [];
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((here, name) => (isRecord(here) ? here[name] : undefined), value);
}
