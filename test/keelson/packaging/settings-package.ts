import { ManifestObject } from 'keelson/constructs';
import { definePackage, type Package } from 'keelson/packaging';
import type { z } from 'zod';
import { fileOf } from './chart-files.js';

/** A package of one ConfigMap, whose data is a function of the values. */
export function settings<TValues extends z.ZodObject>(
  values: TValues,
  data: (values: z.output<TValues>) => object,
  body: object = {},
): Package<z.output<TValues>> {
  return definePackage({
    name: 'settings',
    version: '1.0.0',
    namespace: 'system',
    values,
    build: (chart, { values: given, release }) => {
      new ManifestObject(chart, 'settings', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        scope: 'Namespaced',
        metadata: { name: release.name, namespace: release.namespace },
        body: { ...body, data: data(given) },
      });
    },
  });
}

/** How the chart writes the data of that ConfigMap. */
export const dataOf = (source: Package): string => fileOf(source, 'templates/settings.yaml').split('\ndata:\n')[1] ?? '';
