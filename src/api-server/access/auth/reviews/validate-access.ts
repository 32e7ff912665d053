import {
  type FieldError,
  forbidden,
  invalid,
  labelValueProblems,
  METADATA_FIELDS,
  type ObjectMeta,
  qualifiedNameProblems,
  required,
} from '@keelson/kubernetes/apimachinery';
import type { AccessSpec, PathAttributesSpec, Review, SelectorRequirement, SelectorSpec, SelfAccessSpec } from './review-spec.js';

// Source of rules and texts: kubernetes `pkg/apis/authorization/validation/validation.go`.

export function selfAccessErrors({ metadata = {}, spec = {} }: Review<SelfAccessSpec>): FieldError[] {
  return [...attributeErrors(spec), ...selectorErrors(spec), ...metadataErrors(metadata, 'must be empty')];
}

export function accessErrors({ metadata = {}, spec = {} }: Review<AccessSpec>): FieldError[] {
  return [...attributeErrors(spec), ...subjectErrors(spec), ...selectorErrors(spec), ...metadataErrors(metadata, 'must be empty')];
}

export function localAccessErrors({ metadata = {}, spec = {} }: Review<AccessSpec>): FieldError[] {
  const { namespace = '', ...others } = metadata;
  const errors = [...attributeErrors(spec), ...subjectErrors(spec), ...selectorErrors(spec)];
  if (!isEmpty(others)) errors.push(invalid('metadata', metadataFields(metadata), 'must be empty except for namespace'));
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (resourceAttributes && (resourceAttributes.namespace ?? '') !== namespace)
    errors.push(invalid('spec.resourceAttributes.namespace', resourceAttributes.namespace ?? '', 'must match metadata.namespace'));
  if (nonResourceAttributes)
    errors.push(invalid('spec.nonResourceAttributes', pathFields(nonResourceAttributes), 'disallowed on this kind of request'));
  return errors;
}

function attributeErrors({ resourceAttributes, nonResourceAttributes }: SelfAccessSpec): FieldError[] {
  if (!resourceAttributes !== !nonResourceAttributes) return [];
  const shown = nonResourceAttributes ? pathFields(nonResourceAttributes) : null;
  return [invalid('spec', shown, 'exactly one of nonResourceAttributes or resourceAttributes must be specified')];
}

function subjectErrors({ user = '', groups }: AccessSpec): FieldError[] {
  return user === '' && !groups?.length ? [invalid('spec.user', user, 'at least one of user or group must be specified')] : [];
}

function metadataErrors(metadata: ObjectMeta, detail: string): FieldError[] {
  return isEmpty(metadata) ? [] : [invalid('metadata', metadataFields(metadata), detail)];
}

function isEmpty(metadata: ObjectMeta): boolean {
  return metadataFields({ ...metadata, managedFields: undefined }).size === 0;
}

function metadataFields(metadata: ObjectMeta): Map<string, unknown> {
  const fields = metadata as Readonly<Record<string, unknown>>;
  return new Map(METADATA_FIELDS.filter((name) => !isEmptyValue(fields[name])).map((name) => [name, fields[name]]));
}

function isEmptyValue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '' || value === 0;
}

/** The server prints its internal type, whose fields are in capitals. */
function pathFields({ path = '', verb = '' }: PathAttributesSpec): Map<string, string> {
  return new Map([
    ['Path', path],
    ['Verb', verb],
  ]);
}

function selectorErrors({ resourceAttributes }: SelfAccessSpec): FieldError[] {
  if (!resourceAttributes) return [];
  const path = 'spec.resourceAttributes';
  return [
    ...formErrors(resourceAttributes.fieldSelector, `${path}.fieldSelector`, fieldRequirementErrors),
    ...formErrors(resourceAttributes.labelSelector, `${path}.labelSelector`, labelRequirementErrors),
  ];
}

type RequirementErrors = (requirement: SelectorRequirement, path: string) => FieldError[];

function formErrors(selector: SelectorSpec | null | undefined, path: string, requirementErrors: RequirementErrors): FieldError[] {
  if (!selector) return [];
  const { rawSelector = '', requirements } = selector;
  const list = requirements ?? [];
  const errors: FieldError[] = [];
  if (rawSelector !== '' && list.length > 0)
    errors.push(invalid(`${path}.rawSelector`, rawSelector, 'may not specified at the same time as requirements'));
  if (rawSelector === '' && list.length === 0)
    errors.push(required(`${path}.requirements`, `when ${path} is specified, requirements or rawSelector is required`));
  return [...errors, ...list.flatMap((requirement, index) => requirementErrors(requirement, `${path}.requirements[${index}]`))];
}

function fieldRequirementErrors(requirement: SelectorRequirement, path: string): FieldError[] {
  const errors = requirement.key ? [] : [required(`${path}.key`, 'must be specified')];
  return [...errors, ...valueErrors(requirement, path)];
}

function labelRequirementErrors(requirement: SelectorRequirement, path: string): FieldError[] {
  const { key = '', values } = requirement;
  return [
    ...valueErrors(requirement, path),
    ...qualifiedNameProblems(key).map((problem) => invalid(`${path}.key`, key, problem)),
    ...(values ?? []).flatMap((value, index) =>
      labelValueProblems(value).map((problem) => invalid(`${path}.values[${index}]`, value, problem)),
    ),
  ];
}

/** An unknown operator passes without a word: a newer client may know more. */
function valueErrors({ operator, values }: SelectorRequirement, path: string): FieldError[] {
  const isGiven = !!values?.length;
  if ((operator === 'In' || operator === 'NotIn') && !isGiven)
    return [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
  if ((operator === 'Exists' || operator === 'DoesNotExist') && isGiven)
    return [forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  return [];
}
