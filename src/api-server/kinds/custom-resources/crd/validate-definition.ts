import {
  dns1123SubdomainProblems,
  equalJson,
  type FieldError,
  invalid,
  notSupported,
  required,
  type StructuralSchema,
} from '@keelson/kubernetes/apimachinery';
import { type CheckOptions, checkStructural } from '@keelson/kubernetes/structural';
import { approvalErrors } from './api-approval.js';
import { caBundleProblem, conversionErrors } from './check-conversion.js';
import { labelErrors, missingNames, nameErrors } from './check-names.js';
import { selectableFieldErrors } from './check-selectable-fields.js';
import { columnErrors, subresourceErrors } from './check-shape.js';
import { isConditionTrue } from './conditions.js';
import { type Definition, type DefinitionSpec, type DefinitionVersion, storageVersionOf, structuralOf, versionsOf } from './definition.js';
import { deprecationProblems } from './deprecation.js';
import { schemaStruct, versionStructs } from './go-struct.js';
import { type InternalForm, type InternalVersion, internalForm, type Shared } from './internal-form.js';

/**
 * The server's errors for a CustomResourceDefinition, in its words; the metadata's own rules are the registry's.
 *
 * Source: apiextensions-apiserver, `pkg/apis/apiextensions/validation/validation.go`.
 */
export function definitionErrors(definition: Definition): readonly FieldError[] {
  return [
    ...ownNameErrors(definition),
    ...specErrors(definition.spec, { allowsInvalidBundle: true }),
    ...statusErrors(definition),
    ...storedVersionErrors(definition),
    ...approvalErrors(definition, undefined),
    ...preserveErrors(definition, undefined),
  ];
}

export function definitionUpdateErrors(definition: Definition, old: Definition): readonly FieldError[] {
  return [
    ...specErrors(definition.spec, { allowsInvalidBundle: mayKeepInvalidBundle(old), stored: old.spec }),
    ...immutableErrors(definition, old),
    ...statusErrors(definition),
    ...storedVersionErrors(definition),
    ...approvalErrors(definition, old),
    ...preserveErrors(definition, old),
  ];
}

export function statusErrors({ status }: Definition): readonly FieldError[] {
  const names = status?.acceptedNames ?? undefined;
  return names === undefined ? [] : nameErrors(names, 'status.acceptedNames');
}

/** The rule of names that hangs on the spec. */
function ownNameErrors({ metadata, spec }: Definition): readonly FieldError[] {
  const wanted = `${spec.names.plural}.${spec.group}`;
  const { name = '', generateName = '' } = metadata;
  const text = 'must be spec.names.plural+"."+spec.group';
  return [
    ...(generateName === '' || generateName === wanted ? [] : [invalid('metadata.generateName', generateName, text)]),
    ...(name === '' || name === wanted ? [] : [invalid('metadata.name', name, text)]),
  ];
}

interface SpecOptions {
  readonly allowsInvalidBundle: boolean;
  /** The spec before an update: a schema that stays as it is may hold rules that are too dear. */
  readonly stored?: DefinitionSpec;
}

function specErrors(spec: DefinitionSpec, { allowsInvalidBundle, stored }: SpecOptions): readonly FieldError[] {
  const keepsSchema = ({ name, schema }: DefinitionVersion): boolean => {
    const before = stored && versionsOf(stored).find((version) => version.name === name);
    return before !== undefined && equalJson(schema ?? null, before.schema ?? null);
  };
  const [first] = versionsOf(spec);
  const form = internalForm(spec);
  const preserves = spec.preserveUnknownFields === true;
  const conversion = spec.conversion ?? undefined;
  const converts = preserves && conversion !== undefined && conversion.strategy !== 'None';
  return [
    ...groupErrors(spec.group),
    ...scopeErrors(spec.scope),
    ...missingSchemas(form),
    ...(preserves && hasDefaults(spec)
      ? [invalid('spec.preserveUnknownFields', true, 'must be false in order to use defaults in the schema')]
      : []),
    ...form.versions.flatMap((version, index) =>
      versionErrors(version, form, { path: `spec.versions[${index}]`, isStored: keepsSchema(version.version) }),
    ),
    ...versionListErrors(spec, form),
    ...missingNames(spec.names, 'spec.names'),
    ...nameErrors(spec.names, 'spec.names'),
    // A field that all versions share goes by the name of the first.
    ...sharedErrors(form.top, form, { path: 'spec', schema: 'validation', isStored: first !== undefined && keepsSchema(first) }),
    ...(converts ? [invalid('spec.conversion.strategy', conversion.strategy, 'must be None if spec.preserveUnknownFields is true')] : []),
    ...conversionErrors(conversion, 'spec.conversion', allowsInvalidBundle),
  ];
}

function groupErrors(group: string): readonly FieldError[] {
  if (group === '') return [required('spec.group')];
  const problems = dns1123SubdomainProblems(group);
  if (problems.length > 0) return [invalid('spec.group', group, problems.join(','))];
  return group.includes('.') ? [] : [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function scopeErrors(scope: string): readonly FieldError[] {
  if (scope === '') return [required('spec.scope')];
  return scope === 'Cluster' || scope === 'Namespaced' ? [] : [notSupported('spec.scope', scope, ['Cluster', 'Namespaced'])];
}

function missingSchemas({ top, versions }: InternalForm): readonly FieldError[] {
  if (top.validation?.openAPIV3Schema) return [];
  return versions.flatMap(({ validation }, index) =>
    validation?.openAPIV3Schema ? [] : [required(`spec.versions[${index}].schema.openAPIV3Schema`)],
  );
}

function hasDefaults(spec: DefinitionSpec): boolean {
  // Only the key of a default in a schema need be found: an example that holds one asks for the same care.
  return versionsOf(spec).some(({ schema }) => JSON.stringify(schema?.openAPIV3Schema ?? {}).includes('"default":'));
}

function versionErrors(
  version: InternalVersion,
  form: InternalForm,
  { path, isStored }: { readonly path: string; readonly isStored: boolean },
): readonly FieldError[] {
  const { name, deprecated = false, deprecationWarning } = version.version;
  return [
    ...labelErrors(`${path}.name`, name),
    ...deprecationProblems(deprecated, deprecationWarning).map((text) => invalid(`${path}.deprecationWarning`, deprecationWarning, text)),
    ...sharedErrors(version, form, { path, schema: 'schema', isStored }),
  ];
}

/** Fields that stand either at the top or at each version. A missing schema at the top is not reported here: {@link missingSchemas} does. */
function sharedErrors(
  shared: Shared,
  { top, versions }: InternalForm,
  { path, schema: name, isStored }: { readonly path: string; readonly schema: 'schema' | 'validation'; readonly isStored: boolean },
): readonly FieldError[] {
  const schema = structuralOf(shared.validation);
  const hasStatus = (subresources: Shared['subresources']) => (subresources?.status ?? undefined) !== undefined;
  const isTop = name === 'validation';
  const statusSubresource = isTop
    ? hasStatus(top.subresources) || versions.some(({ subresources }) => hasStatus(subresources))
    : hasStatus(versions.some(({ subresources }) => subresources !== undefined) ? shared.subresources : top.subresources);
  return [
    ...(schema === undefined ? [] : schemaErrors(schema, { path: `${path}.${name}.openAPIV3Schema`, statusSubresource, isStored })),
    ...subresourceErrors(shared.subresources, `${path}.subresources`),
    ...columnErrors(shared.columns, `${path}.additionalPrinterColumns`),
    ...selectorErrors(shared, { path, isTop, schema }),
  ];
}

function selectorErrors(
  { selectableFields, validation }: Shared,
  { path, isTop, schema }: { readonly path: string; readonly isTop: boolean; readonly schema: StructuralSchema | undefined },
): readonly FieldError[] {
  if (selectableFields.length === 0) return [];
  const at = `${path}.selectableFields`;
  // The two texts contradict each other on the server, too.
  if (isTop && !validation) return [invalid(at, '', 'may only be set when validations.schema is included')];
  if (schema !== undefined) return selectableFieldErrors(selectableFields, schema, at);
  return isTop ? [] : [invalid(at, '', 'may only be set when `version.schema.openAPIV3Schema` is not included')];
}

function schemaErrors(schema: StructuralSchema, options: CheckOptions & { readonly path: string }): readonly FieldError[] {
  const { path } = options;
  const wholeSchema = 'fields are allowed at the root of the schema if the status subresource is enabled';
  return checkStructural(schema, options).map((error) => {
    if (error.field !== path || !error.message.endsWith(wholeSchema)) return error;
    // The server quotes the whole schema as its internal type prints.
    return invalid(path, schemaStruct(schema), error.message.slice(error.message.indexOf('only [')));
  });
}

function versionListErrors(spec: DefinitionSpec, form: InternalForm): readonly FieldError[] {
  const versions = versionsOf(spec);
  const names = versions.map(({ name }) => name);
  const quoted = () => (Array.isArray(spec.versions) ? versionStructs(form.versions) : null);
  const [first = ''] = names;
  return [
    ...(new Set(names).size === names.length ? [] : [invalid('spec.versions', quoted(), 'must contain unique version names')]),
    ...(versions.filter(({ storage }) => storage).length === 1
      ? []
      : [invalid('spec.versions', quoted(), 'must have exactly one version marked as storage version')]),
    ...(first === '' ? [] : labelErrors('spec.version', first)),
  ];
}

function storedVersionErrors({ spec, status }: Definition): readonly FieldError[] {
  const path = 'status.storedVersions';
  const stored = status?.storedVersions ?? undefined;
  if (stored === undefined || stored.length === 0) return [invalid(path, stored ?? null, 'must have at least one stored version')];
  const names = versionsOf(spec).map(({ name }) => name);
  const storage = versionsOf(spec).filter((version) => version.storage && !stored.includes(version.name));
  return [
    ...storage.map(({ name }) => invalid(path, stored, `must have the storage version ${name}`)),
    ...stored.flatMap((name, index) => (names.includes(name) ? [] : [invalid(`${path}[${index}]`, name, lostVersion(name))])),
  ];
}

function lostVersion(name: string): string {
  return `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
}

function preserveErrors({ spec }: Definition, old: Definition | undefined): readonly FieldError[] {
  if (old?.spec.preserveUnknownFields === true || spec.preserveUnknownFields !== true) return [];
  const text = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalid('spec.preserveUnknownFields', true, text)];
}

function immutableErrors({ spec }: Definition, old: Definition): readonly FieldError[] {
  const unchanged = (path: string, value: string, before: string) => (value === before ? [] : [invalid(path, value, 'field is immutable')]);
  const established = isConditionTrue(old, 'Established')
    ? [...unchanged('spec.scope', spec.scope, old.spec.scope), ...unchanged('spec.names.kind', spec.names.kind, old.spec.names.kind)]
    : [];
  return [
    ...established,
    ...unchanged('spec.group', spec.group, old.spec.group),
    ...unchanged('spec.names.plural', spec.names.plural, old.spec.names.plural),
  ];
}

/** Before it is established, and where it was invalid before. */
function mayKeepInvalidBundle(old: Definition): boolean {
  if (!isConditionTrue(old, 'Established')) return true;
  return caBundleProblem(old.spec.conversion?.webhook?.clientConfig?.caBundle ?? '') !== undefined;
}

/** Adds the storage version to the stored ones, in place. */
export function recordStorageVersion(definition: Definition): void {
  const storage = storageVersionOf(definition.spec);
  const { status } = definition;
  if (storage === undefined || status === undefined || (status.storedVersions ?? []).includes(storage)) return;
  status.storedVersions = [...(status.storedVersions ?? []), storage];
}

export function isSameSpec(definition: Definition, old: Definition): boolean {
  return equalJson(definition.spec, old.spec);
}
