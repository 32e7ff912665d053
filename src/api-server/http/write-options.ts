import { type FieldError, forbidden, invalid, notSupported, required, tooLong } from '@keelson/kubernetes/apimachinery';
import type { FieldValidationMode } from '../contract/index.js';
import { invalidObject } from '../status/index.js';
import { plainParameter, truthParameter } from './query.js';

const MANAGER_MAX_LENGTH = 128;
const MODES = ['', 'Ignore', 'Strict', 'Warn'];
/** Printable characters as Go has them: letters, marks, numbers, punctuation, symbols, and of the spaces the ASCII one. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** CreateOptions, UpdateOptions or PatchOptions of `meta.k8s.io/v1`. */
export interface WriteOptions {
  readonly isDryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidationMode;
  readonly force: boolean;
  /** As they were sent. */
  readonly parameters: { readonly fieldManager?: string; readonly fieldValidation?: string };
}

export type WriteOptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

export interface WriteOptionsRequest {
  readonly kind: WriteOptionsKind;
  readonly query: URLSearchParams;
  readonly userAgent: string;
  /** Only of PatchOptions. */
  readonly isApply?: boolean;
}

/**
 * The options of a write. Source of the rules: apimachinery `pkg/apis/meta/v1/validation`.
 * @throws StatusError 422 with all that is wrong.
 */
export function writeOptionsOf({ kind, query, userAgent, isApply = false }: WriteOptionsRequest): WriteOptions {
  const dryRun = query.getAll('dryRun');
  const manager = plainParameter(query, 'fieldManager') ?? '';
  const fieldValidation = plainParameter(query, 'fieldValidation') ?? '';
  const force = truthParameter(query, 'force');
  const errors = [
    ...(kind === 'PatchOptions' ? patchErrors({ isApply, manager, force }) : []),
    ...fieldManagerErrors(manager),
    ...dryRunErrors(dryRun),
    ...(MODES.includes(fieldValidation) ? [] : [notSupported('fieldValidation', fieldValidation, MODES)]),
  ];
  if (errors.length > 0) throw invalidOptions(kind, errors);
  return {
    isDryRun: dryRun.length > 0,
    fieldManager: manager === '' ? managerOf(userAgent) : manager,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidationMode),
    force: force ?? false,
    parameters: { ...(manager && { fieldManager: manager }), ...(fieldValidation && { fieldValidation }) },
  };
}

function patchErrors(options: { readonly isApply: boolean; readonly manager: string; readonly force: boolean | undefined }): FieldError[] {
  if (options.isApply) return options.manager === '' ? [required('fieldManager', 'is required for apply patch')] : [];
  return options.force === undefined ? [] : [forbidden('force', 'may not be specified for non-apply patch')];
}

function fieldManagerErrors(manager: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > MANAGER_MAX_LENGTH) errors.push(tooLong('fieldManager', MANAGER_MAX_LENGTH));
  let position = 0;
  for (const character of manager) {
    if (!PRINTABLE.test(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalid('fieldManager', manager, `invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}

export function dryRunErrors(values: readonly string[]): FieldError[] {
  return values.every((value) => value === 'All') ? [] : [notSupported('dryRun', values, ['All'])];
}

export function invalidOptions(kind: string, errors: readonly FieldError[]): Error {
  return invalidObject({ group: 'meta.k8s.io', kind }, '', errors);
}

/** The program's name in a User-Agent: up to the first slash, without what cannot be printed; `unknown` without one. */
function managerOf(userAgent: string): string {
  let manager = '';
  for (const character of userAgent.split('/', 1)[0] ?? '') {
    if (!PRINTABLE.test(character)) continue;
    if (Buffer.byteLength(manager + character) > MANAGER_MAX_LENGTH) break;
    manager += character;
  }
  return manager === '' ? 'unknown' : manager;
}
