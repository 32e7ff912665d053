import { OperatorError } from '../apimachinery/index.js';

/** A certificate cannot be made, or an authority cannot be used, as asked. */
export class CertificateError extends OperatorError {
  readonly actor = 'admin';
  readonly code = 'KEELSON_CERTIFICATE';
}
