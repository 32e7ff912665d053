import type { z } from 'zod';
import { type Package, type PackageOptions, packageOf } from './package-model.js';

/**
 * Declares a package: constructs as a function of values. It is written as a Helm chart whose values are the package's, as a Kustomize base, or as plain
 * manifests with the defaults.
 *
 * Flow: 1. `build` is called with the defaults: these are the plain manifests. 2. For a chart it is called with many other values, and what it writes each time
 * is compared: a text or number is found again where it was written, a boolean or enum by what it changes. 3. Templates that explain every result are written.
 * Guarantees: a chart with its default values renders the plain manifests, but for labels of Helm. Values that the constructs refuse are refused by the chart.
 *
 * @example
 * ```ts
 * export const website = definePackage({
 *   name: 'website',
 *   version: '1.0.0',
 *   namespace: 'web',
 *   values: z.object({ region: z.string().default('eu').describe('Where it runs.') }),
 *   build: (chart, { values }) => {
 *     new ManifestObject(chart, 'settings', {
 *       apiVersion: 'v1',
 *       kind: 'ConfigMap',
 *       scope: 'Namespaced',
 *       metadata: { name: 'settings' },
 *       body: { data: { region: values.region } },
 *     });
 *   },
 * });
 * ```
 *
 * @throws PackageError if the name, the version or a value cannot be used
 */
export function definePackage<TValues extends z.ZodObject>(options: PackageOptions<TValues>): Package<z.output<TValues>> {
  return packageOf(options);
}
