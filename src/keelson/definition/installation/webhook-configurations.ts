import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import { joinedSelectors } from '../instances/index.js';
import type { AdmissionWebhookModel, LabelSelectorModel, OperatorModel } from '../model.js';
import { webhookRules } from '../webhook/index.js';
import type { InstalledObject } from './installed-object.js';
import { alwaysExempt } from './starting-kinds.js';

const NAMESPACE_NAME = 'kubernetes.io/metadata.name';

export interface WebhookConfigurationOptions {
  readonly model: OperatorModel;
  /** The namespace of the process. */
  readonly namespace: string;
  /** Namespaces whose objects the controllers see. */
  readonly scope: 'Cluster' | { readonly namespaces: readonly string[] };
  /** Labels of the objects that webhooks with `ofInstance` are called for. Absent: all. */
  readonly objectSelector?: LabelSelectorModel | undefined;
  /** Namespaces that webhooks are not asked about if they fail closed. Default: {@link exemptNamespaces}. */
  readonly exemptNamespaces?: readonly string[] | undefined;
  /** `clientConfig` of a webhook that the process serves at a path. */
  readonly clientConfig: (path: string) => object;
}

/** The MutatingWebhookConfiguration or ValidatingWebhookConfiguration of this name, with an entry for each webhook of the type. */
export function webhookConfiguration(
  type: AdmissionWebhookModel['type'],
  name: string,
  options: WebhookConfigurationOptions,
): InstalledObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: type === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: options.model.webhooks.filter((webhook) => webhook.type === type).map((webhook) => webhookEntry(webhook, options)),
  };
}

/** The kinds of others that a webhook covers: what starts the operator may have to write them. */
export function foreignKinds({ kinds }: AdmissionWebhookModel, { customResources }: OperatorModel): readonly KindInfo[] {
  return kinds.filter(({ group, kind }) => !customResources.some((resource) => resource.group === group && resource.kind === kind));
}

type Exempting = Pick<WebhookConfigurationOptions, 'model' | 'namespace' | 'exemptNamespaces'>;

/** Namespaces that a webhook is not asked about, because a Pod that the operator needs could wait for it (H59). */
export function exemptNamespaces(
  webhook: AdmissionWebhookModel,
  { model, namespace, exemptNamespaces: given }: Exempting,
): readonly string[] {
  if (webhook.failurePolicy !== 'Fail') return [];
  if (given !== undefined) return [...new Set(given)].sort();
  if (foreignKinds(webhook, model).length === 0) return [];
  return [...new Set(['kube-system', namespace, ...alwaysExempt(webhook, namespace)])].sort();
}

function webhookEntry(webhook: AdmissionWebhookModel, options: WebhookConfigurationOptions): object {
  return {
    name: webhook.name,
    admissionReviewVersions: ['v1'],
    clientConfig: options.clientConfig(webhook.path),
    rules: webhookRules(webhook),
    failurePolicy: webhook.failurePolicy,
    matchPolicy: webhook.matchPolicy,
    namespaceSelector: namespaceSelector(webhook, options),
    objectSelector: webhook.ofInstance === true ? joinedSelectors(webhook.objectSelector, options.objectSelector) : webhook.objectSelector,
    matchConditions: webhook.matchConditions.length === 0 ? undefined : webhook.matchConditions,
    sideEffects: webhook.sideEffects,
    timeoutSeconds: webhook.timeoutSeconds,
    reinvocationPolicy: webhook.type === 'mutating' ? webhook.reinvocationPolicy : undefined,
  };
}

type Expressions = NonNullable<LabelSelectorModel['matchExpressions']>;

function namespaceSelector(webhook: AdmissionWebhookModel, options: WebhookConfigurationOptions): LabelSelectorModel | undefined {
  const { matchLabels, matchExpressions: given = [] } = webhook.namespaceSelector ?? {};
  const matchExpressions = [...given, ...ownExpressions(webhook, options)];
  if (matchExpressions.length === 0 && matchLabels === undefined) return undefined;
  return { matchLabels, matchExpressions: matchExpressions.length === 0 ? undefined : matchExpressions };
}

function ownExpressions(webhook: AdmissionWebhookModel, options: WebhookConfigurationOptions): Expressions {
  const { scope } = options;
  // An installation for some namespaces must not judge the objects of its neighbours.
  if (scope !== 'Cluster' && webhook.kinds.some((kind) => kind.scope === 'Namespaced'))
    return [{ key: NAMESPACE_NAME, operator: 'In', values: [...scope.namespaces].sort() }];
  const exempt = exemptNamespaces(webhook, options);
  return exempt.length === 0 ? [] : [{ key: NAMESPACE_NAME, operator: 'NotIn', values: exempt }];
}
