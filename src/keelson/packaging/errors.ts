import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** A package cannot be written as it is declared: its values, or what the constructs make of them, do not fit the format. */
export class PackageError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_PACKAGE';
}
