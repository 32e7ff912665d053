import { type FieldError, invalid, tooLong } from '@keelson/kubernetes/apimachinery';

const MAX_FIELD_MANAGER_LENGTH = 128;

/** The name of a field manager is short and printable. Source: apimachinery, `pkg/apis/meta/v1/validation/validation.go`. */
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
function isPrintable(character: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character);
}

/** Go's `%#U` of a character that is not printable. */
function unicodeText(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
