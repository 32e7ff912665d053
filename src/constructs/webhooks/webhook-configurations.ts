import type { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { type AdmissionWebhookModel, type LabelSelectorModel, webhookRules } from '../../definition/index.js';
import { DNS_1123_LABEL, type KindInfo, obeys } from '../../kubernetes/index.js';
import {
  CERT_MANAGER_INJECTION,
  type Installation,
  type InstallationPart,
  installationOfPart,
  webhookClientOf,
} from '../installation/index.js';
import { addWarning, ConstructError, ManifestObject } from '../object/index.js';
import { alwaysExempt, neededToStart } from './starting-kinds.js';

export interface WebhookConfigurationsProps extends InstallationPart {
  /**
   * Namespaces whose objects are not sent to webhooks that fail closed (`failurePolicy: Fail`). By default only webhooks on kinds of others have any: the
   * operator's own namespace and kube-system, so that the cluster can start the operator, and itself, while the operator is down (H59); the price is that
   * what is created there is not checked. Custom resources of the operator are checked everywhere, for no pod waits for them.
   *
   * A list that is given holds for every webhook that fails closed, `[]` for none. It must name the operator's namespace if one of them is on a kind that the
   * operator needs to come up (Secrets, Pods, Leases and what makes or finds them), and kube-node-lease for Leases. Cluster-scoped objects are in no namespace; with
   * `scope: { namespaces }` nothing is taken out of these.
   * @default - the operator's namespace and kube-system, for kinds that are not the operator's
   */
  readonly exemptNamespaces?: readonly string[] | undefined;
  /**
   * More labels and annotations of both configurations.
   * @default - labels of the installation
   */
  readonly metadata?: Pick<ApiObjectMetadata, 'labels' | 'annotations'> | undefined;
}

/**
 * Tells the API server which requests to send to the operator: a MutatingWebhookConfiguration and a ValidatingWebhookConfiguration, each with one
 * entry per handler. A kind of configuration without handlers is left out.
 *
 * @example
 * ```ts
 * new WebhookConfigurations(chart, 'webhooks', { installation, exemptNamespaces: ['kube-system'] });
 * ```
 */
export class WebhookConfigurations extends Construct {
  readonly mutating: ApiObject | undefined;
  readonly validating: ApiObject | undefined;

  constructor(scope: Construct, id: string, props: WebhookConfigurationsProps) {
    super(scope, id);
    const installation = installationOfPart(this, props);
    this.#checkExempt(props.exemptNamespaces ?? []);
    for (const webhook of installation.model.webhooks) {
      this.#refuseTooBroad(webhook);
      this.#refuseUndone(webhook, props.exemptNamespaces, installation);
      this.#refuseDeadlock(webhook, exemptFor(webhook, installation, props.exemptNamespaces), installation);
      this.#warnOfClusterScoped(webhook, installation);
    }
    const configuration = (type: 'mutating' | 'validating', kind: string, name: string | undefined): ApiObject | undefined =>
      name === undefined
        ? undefined
        : new ManifestObject(this, type, {
            apiVersion: 'admissionregistration.k8s.io/v1',
            kind,
            scope: 'Cluster',
            metadata: configurationMetadata(name, installation, props.metadata),
            body: {
              webhooks: installation.model.webhooks
                .filter((webhook) => webhook.type === type)
                .map((webhook) => webhookEntry(webhook, installation, exemptFor(webhook, installation, props.exemptNamespaces))),
            },
          });
    this.mutating = configuration('mutating', 'MutatingWebhookConfiguration', installation.names.mutatingConfiguration);
    this.validating = configuration('validating', 'ValidatingWebhookConfiguration', installation.names.validatingConfiguration);
  }

  #checkExempt(namespaces: readonly string[]): void {
    const wrong = namespaces.find((namespace) => !obeys(DNS_1123_LABEL, namespace));
    if (wrong !== undefined) throw new ConstructError(this, `exemptNamespaces: '${wrong}' must be ${DNS_1123_LABEL.says}`);
  }

  /** With the operator down such a rule stops the whole cluster, the operator's own pods included (H59). */
  #refuseTooBroad(webhook: AdmissionWebhookModel): void {
    const named = webhookRules(webhook).flatMap(({ apiGroups, apiVersions, resources }) => [...apiGroups, ...apiVersions, ...resources]);
    const wild = named.find((part) => part.split('/').includes('*'));
    if (webhook.failurePolicy === 'Fail' && wild !== undefined) {
      throw new ConstructError(
        this,
        `webhook ${webhook.name} matches '${wild}' and fails closed: an operator that is down would stop the cluster; name the resources, or use failurePolicy 'Ignore'`,
      );
    }
    this.#refuseTimeout(webhook);
  }

  /** Objects that the operator needs to come up must not wait for it. */
  #refuseUndone(webhook: AdmissionWebhookModel, given: readonly string[] | undefined, { namespace }: Installation): void {
    const missing = alwaysExempt(webhook, namespace).filter((exempt) => given !== undefined && !given.includes(exempt));
    if (missing.length === 0) return;
    const names = missing.map((exempt) => `'${exempt}'`).join(' and ');
    const needed = neededToStart(webhook);
    throw new ConstructError(
      this,
      `webhook ${webhook.name} fails closed on ${needed.map(({ plural }) => plural).join(', ')}, and exemptNamespaces leaves ${names} out: while the operator is ` +
        `down, ${needed.map(({ harm }) => harm).join(', and ')}; add ${names} to exemptNamespaces, or set failurePolicy 'Ignore'`,
    );
  }

  /** A scope names its namespaces one by one, so nothing is taken out of it silently; what would be dangerous is refused. */
  #refuseDeadlock(webhook: AdmissionWebhookModel, exempt: readonly string[], installation: Installation): void {
    const endangered = foreignKinds(webhook, installation).filter(({ scope }) => scope === 'Namespaced');
    if (installation.scope === 'Cluster' || endangered.length === 0) return;
    const danger = installation.scope.namespaces.find((namespace) => exempt.includes(namespace));
    if (danger === undefined) return;
    throw new ConstructError(
      this,
      `webhook ${webhook.name} fails closed on ${pluralsOf(endangered)} in '${danger}': with the operator down it would keep the operator's own pods (or the cluster's) ` +
        `from starting; take '${danger}' out of scope.namespaces, set failurePolicy 'Ignore', or leave it out of exemptNamespaces`,
    );
  }

  /** A node that cannot register runs no operator that would let it in. The author may know better, so it is a warning. */
  #warnOfClusterScoped(webhook: AdmissionWebhookModel, installation: Installation): void {
    const { failurePolicy, objectSelector, matchConditions } = webhook;
    // A Namespace is matched by its own labels, its name among them.
    const unexempt = foreignKinds(webhook, installation).filter(
      ({ scope, group, plural }) => scope === 'Cluster' && !(group === '' && plural === 'namespaces'),
    );
    if (failurePolicy !== 'Fail' || unexempt.length === 0 || objectSelector !== undefined || matchConditions.length > 0) return;
    addWarning(
      this,
      `webhook ${webhook.name} fails closed on ${pluralsOf(unexempt)}, which are in no namespace that could be exempt: with the operator down no client can ` +
        "write them, and what starts the operator may have to; narrow it with select or matchConditions, or set failurePolicy 'Ignore'",
    );
  }

  #refuseTimeout(webhook: AdmissionWebhookModel): void {
    if (!Number.isInteger(webhook.timeoutSeconds) || webhook.timeoutSeconds < 1 || webhook.timeoutSeconds > 30) {
      throw new ConstructError(this, `webhook ${webhook.name}: timeoutSeconds is ${webhook.timeoutSeconds}; the API server takes 1 to 30`);
    }
  }
}

/** The kinds of others that a webhook covers: what starts the operator may have to write them. */
function foreignKinds({ kinds }: AdmissionWebhookModel, { model }: Installation): readonly KindInfo[] {
  return kinds.filter(({ group, kind }) => !model.customResources.some((resource) => resource.group === group && resource.kind === kind));
}

function pluralsOf(kinds: readonly KindInfo[]): string {
  return kinds.map(({ plural }) => plural).join(', ');
}

/** Namespaces that a webhook is not asked about, because a pod that the operator needs could wait for it. */
function exemptFor(webhook: AdmissionWebhookModel, installation: Installation, given: readonly string[] | undefined): readonly string[] {
  if (webhook.failurePolicy !== 'Fail') return [];
  if (given !== undefined) return [...new Set(given)].sort();
  if (foreignKinds(webhook, installation).length === 0) return [];
  return [...new Set(['kube-system', installation.namespace, ...alwaysExempt(webhook, installation.namespace)])].sort();
}

function configurationMetadata(name: string, installation: Installation, given: WebhookConfigurationsProps['metadata']): ApiObjectMetadata {
  const injection = installation.certificates?.caInjection;
  const annotations = { ...(injection === undefined ? {} : { [CERT_MANAGER_INJECTION]: injection }), ...given?.annotations };
  return { name, labels: { ...installation.labels, ...given?.labels }, annotations };
}

function webhookEntry(webhook: AdmissionWebhookModel, installation: Installation, exempt: readonly string[]): object {
  return {
    name: webhook.name,
    admissionReviewVersions: ['v1'],
    clientConfig: webhookClientOf(installation, webhook.path),
    rules: webhookRules(webhook),
    failurePolicy: webhook.failurePolicy,
    matchPolicy: webhook.matchPolicy,
    namespaceSelector: namespaceSelector(webhook, exempt, installation),
    objectSelector: webhook.objectSelector,
    matchConditions: webhook.matchConditions.length === 0 ? undefined : webhook.matchConditions,
    sideEffects: webhook.sideEffects,
    timeoutSeconds: webhook.timeoutSeconds,
    reinvocationPolicy: webhook.type === 'mutating' ? webhook.reinvocationPolicy : undefined,
  };
}

const NAMESPACE_NAME = 'kubernetes.io/metadata.name';

function namespaceSelector(
  webhook: AdmissionWebhookModel,
  exempt: readonly string[],
  installation: Installation,
): LabelSelectorModel | undefined {
  const matchExpressions = [...(webhook.namespaceSelector?.matchExpressions ?? []), ...ownExpressions(webhook, exempt, installation)];
  const matchLabels = webhook.namespaceSelector?.matchLabels;
  if (matchExpressions.length === 0 && matchLabels === undefined) return undefined;
  return { matchLabels, matchExpressions: matchExpressions.length === 0 ? undefined : matchExpressions };
}

function ownExpressions(
  webhook: AdmissionWebhookModel,
  exempt: readonly string[],
  { scope }: Installation,
): NonNullable<LabelSelectorModel['matchExpressions']> {
  if (scope !== 'Cluster' && webhook.kinds.some((kind) => kind.scope === 'Namespaced')) {
    // An installation for some namespaces must not judge the objects of its neighbours.
    return [{ key: NAMESPACE_NAME, operator: 'In', values: [...scope.namespaces].sort() }];
  }
  return exempt.length === 0 ? [] : [{ key: NAMESPACE_NAME, operator: 'NotIn', values: exempt }];
}
