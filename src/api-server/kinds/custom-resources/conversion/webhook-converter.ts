import { randomUUID } from 'node:crypto';
import { goKindText, type Json, messageOf } from '@keelson/kubernetes/apimachinery';
import type { JsonObject } from '../../../contract/index.js';
import { plainError, type StatusError } from '../../../status/index.js';
import type { Definition } from '../crd/index.js';
import { checkConverted } from './check-converted.js';
import { conversionReview, convertedObjects, type ReviewRequest, type ReviewVersion } from './review.js';
import type { WebhookCaller } from './webhook-caller.js';

type Webhook = NonNullable<NonNullable<Definition['spec']['conversion']>['webhook']>;

/** As the server's own client of webhooks. */
const TIMEOUT_SECONDS = 30;

/** Lets a webhook convert objects: those that are not at the wanted version already, in one call. */
export class WebhookConverter {
  readonly #webhook: Webhook;
  readonly #caller: WebhookCaller;

  constructor(webhook: Webhook, caller: WebhookCaller) {
    this.#webhook = webhook;
    this.#caller = caller;
  }

  /**
   * @param objects none of which has `apiVersion`
   * @throws StatusError 500
   */
  async convert(objects: readonly JsonObject[], apiVersion: string): Promise<readonly JsonObject[]> {
    const version = this.#reviewVersion();
    const request: ReviewRequest = { version, uid: randomUUID(), desiredApiVersion: apiVersion, objects };
    const [first] = objects;
    const subject = `conversion webhook for ${goKindText(String(first?.['apiVersion']), String(first?.['kind']))}`;
    const converted = convertedObjects(await this.#ask(request, subject), request);
    if (typeof converted === 'string') throw plainError(`${subject} failed: ${converted}`);
    if (converted.length !== objects.length) {
      throw plainError(`${subject} returned ${converted.length} objects, expected ${objects.length}`);
    }
    return objects.map((object, index) => {
      const checked = checkConverted(object, converted[index] as Json, apiVersion);
      if ('object' in checked) return checked.object;
      throw refusal(subject, checked.problem, { index, isAlone: objects.length === 1 });
    });
  }

  #reviewVersion(): ReviewVersion {
    const version = this.#webhook.conversionReviewVersions.find((candidate) => candidate === 'v1' || candidate === 'v1beta1');
    if (version === undefined) throw plainError('no supported conversion review versions');
    return version as ReviewVersion;
  }

  async #ask(request: ReviewRequest, subject: string): Promise<unknown> {
    const { url, service, caBundle } = this.#webhook.clientConfig ?? {};
    const config = {
      ...(url != null && { url }),
      ...(service != null && { service: { ...service, path: service.path ?? '', port: service.port ?? 443 } }),
      ...(caBundle != null && { caBundle }),
    };
    try {
      return await this.#caller.call(config, conversionReview(request), { timeoutSeconds: TIMEOUT_SECONDS });
    } catch (error) {
      throw plainError(`${subject} failed: ${messageOf(error)}`);
    }
  }
}

interface Place {
  readonly index: number;
  readonly isAlone: boolean;
}

/** The message has other words for one object than for one of several. */
function refusal(
  subject: string,
  { about, text }: { readonly about: 'metadata' | 'object' | 'type'; readonly text: string },
  { index, isAlone }: Place,
): StatusError {
  if (about === 'metadata') {
    return plainError(`${subject} returned invalid metadata${isAlone ? '' : ` in object at index ${index}`}: ${text}`);
  }
  const object = isAlone ? 'invalid object' : 'invalid converted object';
  const at = isAlone && about === 'object' ? '' : ` at index ${index}`;
  return plainError(`${subject} returned ${object}${at}: ${text}`);
}
