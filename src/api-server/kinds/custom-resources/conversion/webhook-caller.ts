import type { Definition } from '../crd/index.js';

export type ConversionClientConfig = NonNullable<NonNullable<NonNullable<Definition['spec']['conversion']>['webhook']>['clientConfig']>;

/** Posts reviews to webhooks. A failure to get an answer is thrown; the client sees its message. */
export interface WebhookCaller {
  call(
    config: { readonly url?: string; readonly service?: WebhookService; readonly caBundle?: string },
    review: unknown,
    options: { readonly timeoutSeconds: number },
  ): Promise<unknown>;
}

export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly path?: string;
  readonly port?: number;
}
