import { compareUtf8, type LabelRequirements, type LabelSelectorFields } from '@keelson/kubernetes/apimachinery';
import { type CompiledMatchConditions, compileMatchConditions, type NamedExpression } from '@keelson/kubernetes/cel';
import type { ClusterView, JsonObject } from '../../../contract/index.js';
import { internalError } from '../../../status/index.js';
import type { WebhookClientConfig } from '../../webhook-client/index.js';
import { type OperationRule, selectorOf } from '../match/index.js';

export type WebhookKind = 'mutatingwebhookconfigurations' | 'validatingwebhookconfigurations';

/** An entry of a webhook configuration as it is stored, defaulted. */
interface StoredWebhook {
  readonly name: string;
  readonly clientConfig: WebhookClientConfig;
  readonly rules?: readonly OperationRule[];
  readonly failurePolicy?: 'Fail' | 'Ignore';
  readonly matchPolicy?: 'Equivalent' | 'Exact';
  readonly namespaceSelector?: LabelSelectorFields;
  readonly objectSelector?: LabelSelectorFields;
  readonly sideEffects?: 'None' | 'NoneOnDryRun' | 'Some' | 'Unknown';
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[];
  readonly reinvocationPolicy?: 'IfNeeded' | 'Never';
  readonly matchConditions?: readonly NamedExpression[];
}

/** A webhook ready to be matched and called. */
export interface Webhook extends Omit<StoredWebhook, 'matchConditions' | 'namespaceSelector' | 'objectSelector'> {
  /** Tells webhooks of the same name in several configurations apart. */
  readonly uid: string;
  readonly namespaceSelector: LabelRequirements;
  readonly objectSelector: LabelRequirements;
  readonly conditions: CompiledMatchConditions | undefined;
}

/** The webhooks of all configurations of one kind, in the order in which they are called; read anew only where a configuration has changed. */
export class WebhookSource {
  readonly #cluster: ClusterView;
  readonly #kind: WebhookKind;
  readonly #read = new WeakMap<JsonObject, readonly Webhook[]>();

  constructor(cluster: ClusterView, kind: WebhookKind) {
    this.#cluster = cluster;
    this.#kind = kind;
  }

  webhooks(): readonly Webhook[] {
    const configurations = this.#cluster.list({ group: 'admissionregistration.k8s.io', plural: this.#kind });
    if (configurations.length === 0) return [];
    return [...configurations].sort((left, right) => compareUtf8(nameOf(left), nameOf(right))).flatMap((one) => this.#webhooksOf(one));
  }

  #webhooksOf(configuration: JsonObject): readonly Webhook[] {
    const known = this.#read.get(configuration);
    if (known !== undefined) return known;
    const stored = (configuration['webhooks'] ?? []) as unknown as readonly StoredWebhook[];
    const webhooks = stored.map((webhook, index) => webhookOf(webhook, `${nameOf(configuration)}/${webhook.name}/${index}`));
    this.#read.set(configuration, webhooks);
    return webhooks;
  }
}

function webhookOf({ matchConditions = [], namespaceSelector, objectSelector, ...webhook }: StoredWebhook, uid: string): Webhook {
  return {
    ...webhook,
    uid,
    namespaceSelector: selectorOf(namespaceSelector),
    objectSelector: selectorOf(objectSelector),
    conditions: matchConditions.length === 0 ? undefined : conditionsOf(matchConditions),
  };
}

function conditionsOf(matchConditions: readonly NamedExpression[]): CompiledMatchConditions {
  const result = compileMatchConditions(matchConditions, { libraries: 'stored' });
  if (result.ok) return result.compiled;
  throw internalError(result.problems.map(({ detail }) => detail).join(', '));
}

function nameOf(object: JsonObject): string {
  return String((object['metadata'] as { readonly name?: string } | undefined)?.name ?? '');
}
