import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** A server of probes or metrics cannot be what its settings say. */
export class TelemetryServerError extends OperatorError {
  override readonly actor = 'admin';
  override readonly code = 'KEELSON_TELEMETRY_SERVER';
}
