import { OperatorError } from '@keelson/kubernetes/apimachinery';
import type { Status } from '../../status/index.js';

/** A webhook could not be asked, or its answer could not be read. The message is the one that the API server gives after `failed to call webhook: `. */
export class WebhookCallError extends OperatorError {
  readonly actor = 'admin';
  readonly code = 'KEELSON_WEBHOOK_CALL';
  /** The status for which the webhook's HTTP answer stands, where there was one. */
  readonly status: Status | undefined;

  constructor(message: string, status?: Status) {
    super(message);
    this.status = status;
  }

  static isWebhookCallError(value: unknown): value is WebhookCallError {
    return OperatorError.isOperatorError(value) && value.code === 'KEELSON_WEBHOOK_CALL';
  }
}
