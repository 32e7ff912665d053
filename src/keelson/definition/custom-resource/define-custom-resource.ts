import { apiVersionOf, type DeepReadonly, type Kind, type Manifest, type Scope } from '@keelson/kubernetes/apimachinery';
import { crdSizeWarning, customResourceDefinitionManifest, manifestBytes } from '../crd-manifest.js';
import { DefinitionError, type Problem } from '../errors.js';
import type { CustomResourceModel, CustomResourceVersionModel } from '../model.js';
import { anything, choice, count, either, flag, listOf, mapOf, mustHaveShape, nameOr, record, required, text } from '../option-shape.js';
import { versionProblems } from './check-version.js';
import { conversionProblems, conversionsOf, declaredProblems } from './conversion.js';
import type { CustomResourceDefinition } from './custom-resource.js';
import { byPriority, nameProblems, namesOf, versionNameProblems } from './names.js';
import { problemsOfObjects } from './object-problems.js';
import type { Conversions, CustomResourceOptions, KnownKeys, OneStorage, StorageOf, VersionOptions } from './options.js';
import { conversionNeeds, hasStatusSubresource, type VersionSchema, versionSchemaOf } from './version-schema.js';

/**
 * Defines a custom resource: from it come the CRD, the types of its objects, the rights of its controllers and its conversion.
 *
 * The result is a kind of its storage version: hand it to `for`, `owns` or `watch`, call it to build a manifest, take `.versions.v1beta1` for another version.
 *
 * @example
 * ```ts
 * export const Website = defineCustomResource({
 *   group: 'web.example.com',
 *   kind: 'Website',
 *   versions: { v1: { spec: z.object({ image: z.string(), replicas: k.int32().default(1) }) } },
 * });
 * export interface Website extends Resource<typeof Website> {}
 * ```
 *
 * @throws DefinitionError with everything that the API server would refuse in the CRD, or that could not do what it says.
 */
export function defineCustomResource<
  const TGroup extends string,
  const TKind extends string,
  const TVersions extends Readonly<Record<string, VersionOptions>>,
  const TScope extends Scope = 'Namespaced',
>(
  options: CustomResourceOptions<TGroup, TKind, TScope> & {
    /** By name, for example `v1alpha1`. */
    readonly versions: TVersions & KnownKeys<TVersions> & OneStorage<TVersions>;
    /**
     * How objects go from one version to another; without it the versions must be interchangeable as they are.
     *
     * The functions are pure, and lose nothing: what a version cannot express goes into an annotation.
     */
    readonly convert?: Conversions<TVersions>;
  },
): CustomResourceDefinition<
  TGroup,
  TKind,
  {
    // Plain object types, mapped in place: the declaration of a user's definition then has no trace of zod, and "go to definition" finds the zod property.
    [V in keyof TVersions as TVersions[V] extends { readonly served: false } ? never : V]: {
      spec: TVersions[V] extends { readonly spec: { readonly _zod: { readonly output: infer T } } }
        ? { readonly [P in keyof T]: DeepReadonly<T[P]> }
        : undefined;
      specInput: TVersions[V] extends { readonly spec: { readonly _zod: { readonly input: infer T } } }
        ? { readonly [P in keyof T]: DeepReadonly<T[P]> }
        : undefined;
      status: TVersions[V] extends { readonly status: { readonly _zod: { readonly output: infer T } } }
        ? { readonly [P in keyof T]: DeepReadonly<T[P]> }
        : never;
      statusInput: TVersions[V] extends { readonly status: { readonly _zod: { readonly input: infer T } } }
        ? { readonly [P in keyof T]: DeepReadonly<T[P]> }
        : never;
    } & (TVersions[V] extends { readonly fields: { readonly _zod: { readonly output: infer T; readonly input: infer I } } }
      ? {
          // The type of `z.object({})` has an index signature of `never`, which no interface could extend.
          fields: { readonly [P in keyof T as [T[P]] extends [never] ? never : P]: DeepReadonly<T[P]> };
          fieldsInput: { readonly [P in keyof I as [I[P]] extends [never] ? never : P]: DeepReadonly<I[P]> };
        }
      : unknown) &
      (TVersions[V] extends { readonly statusSubresource: false } ? { statusSubresource: false } : unknown);
  },
  StorageOf<TVersions>,
  TScope
> {
  return definitionOf(options) as never;
}

interface ErasedOptions extends CustomResourceOptions<string, string, Scope> {
  readonly versions: Readonly<Record<string, VersionOptions>>;
  readonly convert?: unknown;
}

const scale = record(
  {
    specReplicasPath: required(text, 'write a path such as .spec.replicas'),
    statusReplicasPath: required(text, 'write a path such as .status.replicas'),
    labelSelectorPath: text,
  },
  'not part of scale',
);
const column = record(
  {
    name: required(text, 'write the heading of the column'),
    type: required(text, "write the type of its values, for example 'integer'"),
    jsonPath: required(text, 'write a path such as .spec.size'),
    format: text,
    description: text,
    priority: count,
  },
  'not part of a column',
);
const rule = record(
  {
    rule: required(text, 'write CEL that yields true or false'),
    message: text,
    messageExpression: text,
    reason: text,
    fieldPath: text,
    optionalOldSelf: flag,
  },
  'not part of a rule',
);
const version = record(
  {
    // The conversion reports values that are not schemas, and how to write one.
    spec: anything,
    status: anything,
    statusSubresource: flag,
    fields: anything,
    served: flag,
    storage: flag,
    deprecated: either(flag, text, 'true, or the warning that clients get'),
    description: text,
    columns: listOf(column),
    scale,
    selectableFields: listOf(text),
    rules: listOf(rule),
    // Merging it checks where it stands, and the check of the schema what it says.
    structural: mapOf(anything),
  },
  'not a property of a version',
);
const SHAPE = record(
  {
    group: required(text, 'write a domain that you own, for example cache.example.com'),
    kind: required(text, 'write the kind in CamelCase, for example Memcached'),
    plural: text,
    singular: text,
    listKind: text,
    shortNames: listOf(text),
    categories: listOf(text),
    scope: choice('Namespaced', 'Cluster'),
    labels: mapOf(text),
    annotations: mapOf(text),
    descriptions: choice('keep', 'drop'),
    existing: flag,
    versions: required(mapOf(version), 'define at least one, for example v1alpha1: { spec: z.object({ ... }) }'),
    convert: anything,
  },
  'not an option of a custom resource',
);

function definitionOf(options: ErasedOptions): CustomResourceModel {
  const subject = `custom resource ${nameOr(options, 'kind', 'without a kind')}`;
  mustHaveShape(subject, options, SHAPE);
  const names = namesOf(options);
  const problems: Problem[] = nameProblems(names);
  const schemas = Object.entries(options.versions).map(([name, version]) => versionSchemaOf(version, { name, options }));
  problems.push(...schemas.flatMap((schema) => schema.problems));
  const versions = byPriority(
    Object.entries(options.versions).map(([name, version], index) => modelOf(name, version, { options, schema: schemas[index] })),
  );
  problems.push(...versionNameProblems(versions));
  problems.push(...versions.flatMap((version) => versionProblems(version, `versions.${version.name}`)));
  const storageVersion = versions.find(({ storage }) => storage)?.name ?? '';
  const conversion = { group: names.group, versions: versions.map(({ name }) => name), storage: storageVersion, convert: options.convert };
  // Schemas with holes would differ for that reason alone.
  const comparable = schemas.every((schema) => schema.problems.every(({ isForNew }) => isForNew === true));
  if (options.convert !== undefined) {
    const wrong = conversionProblems(conversion);
    problems.push(...wrong, ...(wrong.length === 0 && comparable ? declaredProblems(options.convert, versions, storageVersion) : []));
  }
  if (options.convert === undefined && comparable) problems.push(...conversionNeeds(versions, storageVersion));
  const refused = options.existing === true ? problems.filter(({ isForNew }) => isForNew !== true) : problems;
  if (refused.length > 0) throw new DefinitionError(subject, refused);

  const conversions = options.convert === undefined || versions.length < 2 ? undefined : conversionsOf(conversion);
  const model: CustomResourceModel = {
    ...names,
    versionList: Object.freeze(versions),
    storageVersion,
    ...(conversions === undefined ? {} : { conversions }),
    warnings: schemas.flatMap((schema) => schema.warnings),
  };
  return callable({ ...model, warnings: Object.freeze([...model.warnings, ...sizeWarnings(model)]) });
}

function modelOf(
  name: string,
  version: VersionOptions,
  { options, schema }: { options: ErasedOptions; schema: VersionSchema | undefined },
): CustomResourceVersionModel {
  const { deprecated = false, served = true, scale, columns = [], selectableFields = [] } = version;
  return Object.freeze({
    name,
    served,
    storage: version.storage ?? Object.keys(options.versions).length === 1,
    deprecated: deprecated !== false,
    ...(typeof deprecated === 'string' ? { deprecationWarning: deprecated } : {}),
    schema: schema?.schema ?? {},
    ...(schema === undefined || schema.builtinTypes.length === 0 ? {} : { builtinTypes: Object.freeze([...schema.builtinTypes]) }),
    status: hasStatusSubresource(version),
    ...(scale === undefined ? {} : { scale: Object.freeze({ ...scale }) }),
    columns: Object.freeze(columns.map((column) => Object.freeze({ ...column }))),
    selectableFields: Object.freeze([...selectableFields]),
    ...(schema === undefined ? {} : { problemsOf: problemsOfObjects({ name, schema: schema.schema, scale }) }),
  });
}

function sizeWarnings(model: CustomResourceModel): string[] {
  const bytes = manifestBytes(customResourceDefinitionManifest(model, { conversionWebhook: false }));
  const warning = crdSizeWarning(bytes);
  return warning === undefined ? [] : [warning];
}

/** The model with the storage version's kind on top, and each served version below `versions`. */
function callable(model: CustomResourceModel): CustomResourceModel {
  const definition = kindOf(model, model.storageVersion);
  const versions: Record<string, Kind> = {};
  for (const { name, served } of model.versionList)
    if (served) versions[name] = name === model.storageVersion ? definition : kindOf(model, name);
  const customResource = Object.assign(definition, model, { versions: Object.freeze(versions) });
  for (const kind of Object.values(versions)) Object.freeze(Object.assign(kind, { customResource }));
  return customResource;
}

function kindOf(model: CustomResourceModel, version: string): Kind {
  const { group, kind, plural, scope } = model;
  const identity = { apiVersion: apiVersionOf({ group, version }), kind };
  const served = model.versionList.find(({ name }) => name === version);
  const subresources = [...(served?.scale === undefined ? [] : ['scale']), ...(served?.status === true ? ['status'] : [])];
  // The identity is written twice: the first sets the order of keys, the second wins over what untyped code may have put into the manifest.
  const factory = (manifest: Manifest<unknown>): unknown => ({ ...identity, ...(manifest as object), ...identity });
  return Object.assign(factory, { group, version, kind, plural, scope, subresources: Object.freeze(subresources) });
}
