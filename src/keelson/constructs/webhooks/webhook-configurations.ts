import { DNS_1123_LABEL, type KindInfo, obeys } from '@keelson/kubernetes/apimachinery';
import type { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import {
  type AdmissionWebhookModel,
  alwaysExempt,
  exemptNamespaces,
  foreignKinds,
  neededToStart,
  webhookConfiguration,
  webhookRules,
} from '../../definition/index.js';
import {
  CERT_MANAGER_INJECTION,
  type Installation,
  type InstallationPart,
  installationOfPart,
  installedManifest,
  webhookClientOf,
} from '../installation/index.js';
import { addWarning, ConstructError } from '../object/index.js';

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
    const { model, namespace } = installation;
    for (const webhook of model.webhooks) {
      this.#refuseTooBroad(webhook);
      this.#refuseUndone(webhook, props.exemptNamespaces, installation);
      const exempt = exemptNamespaces(webhook, { model, namespace, exemptNamespaces: props.exemptNamespaces });
      this.#refuseDeadlock(webhook, exempt, installation);
      this.#warnOfClusterScoped(webhook, installation);
      this.#warnOfFields(webhook, installation);
    }
    const configuration = (type: 'mutating' | 'validating', name: string | undefined): ApiObject | undefined => {
      if (name === undefined) return undefined;
      const object = webhookConfiguration(type, name, {
        model,
        namespace,
        scope: installation.scope,
        objectSelector: installation.webhookSelector,
        exemptNamespaces: props.exemptNamespaces,
        clientConfig: (path) => webhookClientOf(installation, path),
      });
      return installedManifest(this, type, object, configurationMetadata(name, installation, props.metadata));
    };
    this.mutating = configuration('mutating', installation.names.mutatingConfiguration);
    this.validating = configuration('validating', installation.names.validatingConfiguration);
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
    const endangered = foreignKinds(webhook, installation.model).filter(({ scope }) => scope === 'Namespaced');
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
    const unexempt = foreignKinds(webhook, installation.model).filter(
      ({ scope, group, plural }) => scope === 'Cluster' && !(group === '' && plural === 'namespaces'),
    );
    if (failurePolicy !== 'Fail' || unexempt.length === 0 || objectSelector !== undefined || matchConditions.length > 0) return;
    addWarning(
      this,
      `webhook ${webhook.name} fails closed on ${pluralsOf(unexempt)}, which are in no namespace that could be exempt: with the operator down no client can ` +
        "write them, and what starts the operator may have to; narrow it with select or matchConditions, or set failurePolicy 'Ignore'",
    );
  }

  /** Two instances would judge the same objects. */
  #warnOfFields({ name, ofInstance }: AdmissionWebhookModel, { selectsFields, webhookSelector }: Installation): void {
    if (ofInstance !== true || selectsFields === undefined || webhookSelector !== undefined) return;
    addWarning(
      this,
      `webhook ${name} is for the objects of its instance, but the API server selects by labels alone what it calls a webhook for: with fieldSelector '${selectsFields}' ` +
        'it is called for all objects; use selector, or narrow the webhook with matchConditions',
    );
  }

  #refuseTimeout(webhook: AdmissionWebhookModel): void {
    if (!Number.isInteger(webhook.timeoutSeconds) || webhook.timeoutSeconds < 1 || webhook.timeoutSeconds > 30) {
      throw new ConstructError(this, `webhook ${webhook.name}: timeoutSeconds is ${webhook.timeoutSeconds}; the API server takes 1 to 30`);
    }
  }
}

function pluralsOf(kinds: readonly KindInfo[]): string {
  return kinds.map(({ plural }) => plural).join(', ');
}

function configurationMetadata(name: string, installation: Installation, given: WebhookConfigurationsProps['metadata']): ApiObjectMetadata {
  const injection = installation.certificates?.caInjection;
  const annotations = { ...(injection === undefined ? {} : { [CERT_MANAGER_INJECTION]: injection }), ...given?.annotations };
  return { name, labels: { ...installation.labels, ...given?.labels }, annotations };
}
