import type { ObjectMeta, OwnerReference } from '../object/index.js';
import { goKindText, groupVersionOf, groupVersionProblem } from '../object/index.js';
import { type FieldError, forbidden, invalid, required, tooLong } from './field-error.js';
import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelValueProblems,
  maskTrailingDash,
  pathSegmentProblems,
  qualifiedNameProblems,
} from './names.js';

/** How an object of a kind may be named: most names are DNS subdomains, some only need to fit into a URL. */
export type NameStyle = 'subdomain' | 'pathSegment';

export interface MetadataRules {
  /** Path of the metadata, for example `metadata`. */
  readonly field: string;
  readonly namespaced: boolean;
  readonly name: NameStyle;
}

const MAX_ANNOTATIONS_BYTES = 256 * 1024;

/**
 * The API server's errors about the metadata of an object that is created (after a name was generated).
 *
 * Source: apimachinery, `pkg/api/validation/objectmeta.go`. Types are expected to be right: decoding refuses the others before. `managedFields` are not looked at.
 */
export function validateObjectMeta(meta: ObjectMeta, { field, namespaced, name: style }: MetadataRules): FieldError[] {
  const { name = '', generateName = '', generation = 0 } = meta;
  const nameErrors =
    name === ''
      ? [required(`${field}.name`, 'name or generateName is required')]
      : nameProblems(name, style, false).map((text) => invalid(`${field}.name`, name, text));
  return [
    ...(generateName === ''
      ? []
      : nameProblems(generateName, style, true).map((text) => invalid(`${field}.generateName`, generateName, text))),
    ...nameErrors,
    ...namespaceErrors(meta.namespace ?? '', field, namespaced),
    ...(generation < 0 ? [invalid(`${field}.generation`, generation, 'must be greater than or equal to 0')] : []),
    ...validateLabels(meta.labels ?? {}, `${field}.labels`),
    ...validateAnnotations(meta.annotations ?? {}, `${field}.annotations`),
    ...validateOwnerReferences(meta.ownerReferences ?? [], `${field}.ownerReferences`),
    ...validateFinalizers(meta.finalizers ?? [], `${field}.finalizers`),
  ];
}

/** A generated name gets a suffix: a dash may end the prefix. */
function nameProblems(name: string, style: NameStyle, prefix: boolean): readonly string[] {
  if (style === 'pathSegment') return pathSegmentProblems(name, { prefix });
  return dns1123SubdomainProblems(prefix ? maskTrailingDash(name) : name);
}

function namespaceErrors(namespace: string, field: string, namespaced: boolean): FieldError[] {
  const path = `${field}.namespace`;
  if (!namespaced) return namespace === '' ? [] : [forbidden(path, 'not allowed on this type')];
  return namespace === '' ? [required(path)] : dns1123LabelProblems(namespace).map((text) => invalid(path, namespace, text));
}

export function validateLabels(labels: Readonly<Record<string, string>>, field: string): FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((text) => invalid(field, key, text)),
    ...labelValueProblems(value).map((text) => invalid(field, value, text)),
  ]);
}

export function validateAnnotations(annotations: Readonly<Record<string, string>>, field: string): FieldError[] {
  const errors = Object.keys(annotations).flatMap((key) =>
    qualifiedNameProblems(key.toLowerCase()).map((text) => invalid(field, key, text)),
  );
  const bytes = new TextEncoder().encode(Object.entries(annotations).flat().join('')).length;
  return bytes > MAX_ANNOTATIONS_BYTES ? [...errors, tooLong(field, MAX_ANNOTATIONS_BYTES)] : errors;
}

function validateOwnerReferences(references: readonly OwnerReference[], field: string): FieldError[] {
  const errors = references.flatMap((reference, index) => validateOwnerReference(reference, `${field}[${index}]`));
  const controllers = references.filter(({ controller }) => controller === true).map(({ kind, name }) => `${kind}/${name}`);
  const text = 'Only one reference can have Controller set to true. Found "true" in references for';
  return [
    ...errors,
    ...controllers.slice(1).map((second) => invalid(field, references.map(asGoStruct), `${text} ${controllers[0]} and ${second}`)),
  ];
}

/** Errors show values as Go writes them. */
function asGoStruct({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): ReadonlyMap<string, unknown> {
  const fields = Object.entries({ apiVersion, kind, name, uid, controller, blockOwnerDeletion });
  return new Map(fields.filter(([, value]) => value !== undefined));
}

function validateOwnerReference(reference: OwnerReference, field: string): FieldError[] {
  const { apiVersion = '', kind = '', name = '', uid = '' } = reference;
  const isVersion = groupVersionProblem(apiVersion) === undefined && groupVersionOf(apiVersion).version !== '';
  const event = apiVersion === 'v1' && kind === 'Event';
  return [
    ...(apiVersion === '' || isVersion ? [] : [invalid(`${field}.apiVersion`, apiVersion, 'must be <group>/<version> or <version>')]),
    ...Object.entries({ apiVersion, kind, name, uid }).flatMap(([part, value]) =>
      value === '' ? [required(`${field}.${part}`, 'must not be empty')] : [],
    ),
    ...(event ? [invalid(field, asGoStruct(reference), `${goKindText(apiVersion, kind)} is disallowed from being an owner`)] : []),
  ];
}

function validateFinalizers(finalizers: readonly string[], field: string): FieldError[] {
  const errors = finalizers.flatMap((finalizer) => qualifiedNameProblems(finalizer).map((text) => invalid(field, finalizer, text)));
  const both = finalizers.includes('orphan') && finalizers.includes('foregroundDeletion');
  return both ? [...errors, invalid(field, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set')] : errors;
}
