import {
  type FieldError,
  forbidden,
  goQuote,
  invalid,
  type ObjectMeta,
  pathSegmentProblems,
  tooLong,
  validateAnnotations,
  validateLabels,
  validateObjectMeta,
} from '@keelson/kubernetes/apimachinery';
import type { Resource, Strategy } from '../contract/index.js';
import { fieldManagerErrors } from './field-manager.js';

/**
 * The rules that the metadata of every object is held to.
 *
 * Source: apimachinery, `pkg/api/validation/objectmeta.go`, `pkg/apis/meta/v1/validation`.
 */
const FIELD = 'metadata';
const MAX_SUBRESOURCE_LENGTH = 256;

type NameProblems = Strategy['nameProblems'];

/** For an object that is created; `nameProblems` is the rule of its kind. */
export function metaErrors(meta: ObjectMeta, { scope }: Resource, nameProblems: NameProblems): readonly FieldError[] {
  const namespaced = scope === 'Namespaced';
  // Names have rules of their own here: the rest is the same for all kinds.
  const { generateName: _generateName, name: _name, ...rest } = meta;
  return [
    ...nameErrors(meta, nameProblems),
    ...validateObjectMeta({ ...rest, name: 'a' }, { field: FIELD, namespaced, name: 'pathSegment' }),
    ...managedFieldsErrors(meta),
  ];
}

function nameErrors({ name = '', generateName = '' }: ObjectMeta, nameProblems: NameProblems): FieldError[] {
  const path = `${FIELD}.name`;
  return [
    ...(generateName === '' ? [] : nameProblems(generateName, true).map((text) => invalid(`${FIELD}.generateName`, generateName, text))),
    ...(name === ''
      ? [{ reason: 'FieldValueRequired' as const, field: path, message: 'Required value: name or generateName is required' }]
      : nameProblems(name, false).map((text) => invalid(path, name, text))),
  ];
}

/** For an object that is updated, before those of its kind. */
export function commonUpdateErrors(meta: ObjectMeta, old: ObjectMeta, resource: Resource): readonly FieldError[] {
  return [...metaErrors(meta, resource, (name, prefix) => pathSegmentProblems(name, { prefix })), ...metaUpdateErrors(meta, old)];
}

const IMMUTABLE = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;
const TEXTS: ReadonlySet<string> = new Set(['name', 'namespace', 'uid']);

export function metaUpdateErrors(meta: ObjectMeta, old: ObjectMeta): readonly FieldError[] {
  const { resourceVersion = '', generation = 0, labels = {}, annotations = {} } = meta;
  const { generation: oldGeneration = 0 } = old;
  const owners = validateObjectMeta(
    { name: 'a', ownerReferences: meta.ownerReferences },
    { field: FIELD, namespaced: false, name: 'pathSegment' },
  );
  return [
    ...(old.deletionTimestamp === undefined ? [] : newFinalizerErrors(meta.finalizers ?? [], old.finalizers ?? [])),
    ...(resourceVersion === '' ? [invalid(`${FIELD}.resourceVersion`, '', 'must be specified for an update')] : []),
    ...(generation < oldGeneration ? [invalid(`${FIELD}.generation`, generation, 'must not be decremented')] : []),
    ...IMMUTABLE.flatMap((field) => immutableErrors(field, meta[field], old[field])),
    ...validateLabels(labels, `${FIELD}.labels`),
    ...validateAnnotations(annotations, `${FIELD}.annotations`),
    ...owners,
    ...managedFieldsErrors(meta),
  ];
}

function immutableErrors(field: string, value: number | string | undefined, old: number | string | undefined): readonly FieldError[] {
  const absent = TEXTS.has(field) ? '' : null;
  return (value ?? absent) === (old ?? absent) ? [] : [invalid(`${FIELD}.${field}`, value ?? absent, 'field is immutable')];
}

function newFinalizerErrors(finalizers: readonly string[], old: readonly string[]): readonly FieldError[] {
  const added = [...new Set(finalizers)].filter((finalizer) => !old.includes(finalizer)).sort();
  if (added.length === 0) return [];
  const list = `[]string{${added.map(goQuote).join(', ')}}`;
  return [forbidden(`${FIELD}.finalizers`, `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`)];
}

function managedFieldsErrors({ managedFields = [] }: ObjectMeta): readonly FieldError[] {
  return managedFields.flatMap((entry, index) => {
    const path = `${FIELD}.managedFields[${index}]`;
    const { operation = '', fieldsType = '', manager = '', subresource = '' } = entry;
    return [
      ...(operation === 'Apply' || operation === 'Update' ? [] : [invalid(`${path}.operation`, operation, 'must be `Apply` or `Update`')]),
      ...(fieldsType === '' || fieldsType === 'FieldsV1' ? [] : [invalid(`${path}.fieldsType`, fieldsType, 'must be `FieldsV1`')]),
      ...fieldManagerErrors(manager, `${path}.manager`),
      ...(Buffer.byteLength(subresource) > MAX_SUBRESOURCE_LENGTH ? [tooLong(`${path}.subresource`, MAX_SUBRESOURCE_LENGTH)] : []),
    ];
  });
}
