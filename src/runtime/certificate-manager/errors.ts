import { isNativeError } from 'node:util/types';
import { OperatorError } from '../../kubernetes/index.js';

/** The serving certificate cannot be had as the settings say. */
export class CertificateManagerError extends OperatorError {
  readonly actor = 'admin';
  readonly code = 'KEELSON_CERTIFICATE_MANAGER';
}

export function messageOf(error: unknown): string {
  return isNativeError(error) ? error.message : String(error);
}
