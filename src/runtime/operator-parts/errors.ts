import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** An endpoint of the operator cannot be served. */
export class EndpointServerError extends OperatorError {
  override readonly actor = 'admin';
  override readonly code = 'KEELSON_ENDPOINT_SERVER';
}
