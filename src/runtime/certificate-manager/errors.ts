import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** The serving certificate cannot be had as the settings say. */
export class CertificateManagerError extends OperatorError {
  readonly actor = 'admin';
  readonly code = 'KEELSON_CERTIFICATE_MANAGER';
}
