import { compareUtf8, type FieldError, forbidden, invalid, notSupported, required, tooLong } from '../../kubernetes/index.js';
import { invalidObject, type StatusError } from '../status/index.js';

/**
 * The options of writes as the server checks them before it looks at the body: what is sent, each field as it is.
 *
 * Source: apimachinery 1.34, `pkg/apis/meta/v1/validation/validation.go`.
 */
export interface WriteParameters {
  readonly dryRun?: readonly string[];
  readonly fieldManager?: string;
  readonly fieldValidation?: string;
}

export interface PatchParameters extends WriteParameters {
  readonly isApply: boolean;
  readonly force?: boolean;
}

export interface DeleteParameters {
  readonly dryRun?: readonly string[];
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
}

const META = 'meta.k8s.io';
const MAX_FIELD_MANAGER_LENGTH = 128;

/** @returns the refusal of a create or an update, undefined if the options are as they should be. */
export function writeOptionsRefusal(kind: 'CreateOptions' | 'UpdateOptions', parameters: WriteParameters): StatusError | undefined {
  return refusal(kind, writeErrors(parameters));
}

export function patchOptionsRefusal({ isApply, force, ...parameters }: PatchParameters): StatusError | undefined {
  const errors = writeErrors(parameters);
  if (!isApply) {
    const forced = force === undefined ? [] : [forbidden('force', 'may not be specified for non-apply patch')];
    return refusal('PatchOptions', [...forced, ...errors]);
  }
  const unnamed = (parameters.fieldManager ?? '') === '' ? [required('fieldManager', 'is required for apply patch')] : [];
  return refusal('PatchOptions', [...unnamed, ...errors]);
}

const POLICIES = ['Foreground', 'Background', 'Orphan'];

export function deleteOptionsRefusal({ dryRun = [], orphanDependents, propagationPolicy }: DeleteParameters): StatusError | undefined {
  const both = 'orphanDependents and deletionPropagation cannot be both set';
  return refusal('DeleteOptions', [
    ...(orphanDependents !== undefined && propagationPolicy !== undefined ? [invalid('propagationPolicy', propagationPolicy, both)] : []),
    ...(propagationPolicy === undefined || POLICIES.includes(propagationPolicy)
      ? []
      : [notSupported('propagationPolicy', propagationPolicy, [...POLICIES, 'nil'])]),
    ...dryRunErrors(dryRun),
  ]);
}

function refusal(kind: string, errors: readonly FieldError[]): StatusError | undefined {
  return errors.length === 0 ? undefined : invalidObject({ group: META, kind }, '', errors);
}

function writeErrors({ dryRun = [], fieldManager = '', fieldValidation = '' }: WriteParameters): readonly FieldError[] {
  const modes = ['', 'Ignore', 'Strict', 'Warn'];
  return [
    ...fieldManagerErrors(fieldManager, 'fieldManager'),
    ...dryRunErrors(dryRun),
    ...(modes.includes(fieldValidation) ? [] : [notSupported('fieldValidation', fieldValidation, modes.sort(compareUtf8))]),
  ];
}

function dryRunErrors(dryRun: readonly string[]): readonly FieldError[] {
  return dryRun.every((value) => value === 'All') ? [] : [notSupported('dryRun', dryRun, ['All'])];
}

/** The name of a field manager: short and printable. */
export function fieldManagerErrors(manager: string, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (manager === '') return errors;
  if (Buffer.byteLength(manager) > MAX_FIELD_MANAGER_LENGTH) errors.push(tooLong(field, MAX_FIELD_MANAGER_LENGTH));
  let position = 0;
  for (const character of manager) {
    if (!isPrintable(character))
      errors.push(invalid(field, manager, `invalid character ${unicodeText(character)} (at position ${position})`));
    position += Buffer.byteLength(character);
  }
  return errors;
}

/** Go's `unicode.IsPrint`: letters, marks, numbers, punctuation, symbols, and of the spaces only the ASCII one. */
export function isPrintable(character: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character);
}

/** Go's `%#U` of a character that is not printable. */
function unicodeText(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
