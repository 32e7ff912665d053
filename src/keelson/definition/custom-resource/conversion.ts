import { apiVersionOf, type ObjectMeta } from '@keelson/kubernetes/apimachinery';
import type { Problem } from '../errors.js';
import type { ConversionModel, CustomResourceVersionModel } from '../model.js';
import { anything, listOf, mapOf, record, text } from '../option-shape.js';
import { isFieldPath } from './loss.js';

/** An object on its way between versions. */
interface Versioned {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

type Convert = (object: unknown) => Converted;

/** Spec, status and the fields beside them, by name. */
interface Converted {
  readonly metadata?: ObjectMeta | undefined;
  readonly [field: string]: unknown;
}

/** The author's functions for one version. */
interface ConvertPair {
  readonly toStorage: Convert;
  readonly fromStorage: Convert;
  readonly lossy?: ConversionModel['lossy'];
  readonly samples?: readonly object[];
}

const PAIR = record(
  {
    toStorage: anything,
    fromStorage: anything,
    lossy: record({ toStorage: mapOf(text), fromStorage: mapOf(text) }, 'not a direction'),
    samples: listOf(mapOf(anything)),
  },
  'not part of a conversion',
);

export interface ConversionOptions {
  readonly group: string;
  readonly versions: readonly string[];
  readonly storage: string;
  readonly convert: unknown;
}

/** Checks that each version but the stored one has both functions, and no other has. */
export function conversionProblems({ versions, storage, convert }: ConversionOptions): Problem[] {
  if (typeof convert !== 'object' || convert === null)
    return [{ path: 'convert', message: 'is not an object; write { <version>: { toStorage, fromStorage } }' }];
  const expected = versions.filter((version) => version !== storage);
  const given = Object.entries(convert) as [string, Partial<ConvertPair> | undefined][];
  const unknown = given.filter(([version]) => !expected.includes(version));
  return [
    ...unknown.map(([version]) => ({
      path: `convert.${version}`,
      message:
        version === storage
          ? 'is the stored version: the others are converted to it and from it; leave it out'
          : 'is not a version; correct the name or leave it out',
    })),
    ...expected.flatMap((version) => {
      const pair = given.find(([name]) => name === version)?.[1];
      const missing = (['toStorage', 'fromStorage'] as const).filter((name) => typeof pair?.[name] !== 'function');
      return missing.map((name) => ({
        path: `convert.${version}.${name}`,
        message: 'is missing; write a function from one version of the object to the other',
      }));
    }),
  ];
}

/** Checks what is declared beside the functions, against the schemas. */
export function declaredProblems(convert: unknown, versions: readonly CustomResourceVersionModel[], storage: string): Problem[] {
  const stored = versions.find(({ name }) => name === storage);
  return versions.flatMap((version) => {
    const pair = (convert as Readonly<Record<string, Partial<ConvertPair> | undefined>>)[version.name];
    if (pair === undefined || stored === undefined || version === stored) return [];
    const path = `convert.${version.name}`;
    const shape = PAIR(pair, path);
    if (shape.length > 0) return shape;
    const sides = [['toStorage', version] as const, ['fromStorage', stored] as const];
    return sides.flatMap(([direction, { name, schema }]) =>
      Object.entries(pair.lossy?.[direction] ?? {}).flatMap(([field, reason]): Problem[] => {
        const at = `${path}.lossy.${direction}['${field}']`;
        if (!isFieldPath(field, schema))
          return [{ path: at, message: `is not a field of ${name}; correct the path, for example spec.hosts[].port` }];
        return reason.trim() === '' ? [{ path: at, message: 'has no reason; write why the field cannot be kept' }] : [];
      }),
    );
  });
}

/**
 * Wraps the author's functions: they see and return `spec`, `status`, the fields beside them and metadata; identity stays out of their hands.
 *
 * The API server refuses a converted object whose metadata differs in anything but labels and annotations (hazard H62).
 */
export function conversionsOf({ group, versions, storage, convert }: ConversionOptions): Readonly<Record<string, ConversionModel>> {
  const pairs = convert as Readonly<Record<string, ConvertPair>>;
  const models = versions
    .filter((version) => version !== storage)
    .map((version): [string, ConversionModel] => {
      const pair = pairs[version];
      if (pair === undefined) throw new TypeError(`convert.${version} is missing`);
      return [
        version,
        {
          toStorage: (object) => converted(object as Versioned, pair.toStorage, apiVersionOf({ group, version: storage })),
          fromStorage: (object) => converted(object as Versioned, pair.fromStorage, apiVersionOf({ group, version })),
          ...(pair.lossy === undefined ? {} : { lossy: pair.lossy }),
          ...(pair.samples === undefined ? {} : { samples: pair.samples }),
        },
      ];
    });
  return Object.freeze(Object.fromEntries(models));
}

function converted(object: Versioned, convert: Convert, apiVersion: string): unknown {
  const { metadata, apiVersion: _apiVersion, kind: _kind, ...parts } = convert(object);
  return {
    apiVersion,
    kind: object.kind,
    metadata: {
      ...object.metadata,
      ...(metadata?.labels === undefined ? {} : { labels: metadata.labels }),
      ...(metadata?.annotations === undefined ? {} : { annotations: metadata.annotations }),
    },
    ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)),
  };
}
