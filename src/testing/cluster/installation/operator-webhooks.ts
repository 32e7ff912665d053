import {
  type AdmissionWebhookModel,
  mutatingPolicyManifests,
  type OperatorModel,
  RUNTIME_CONTRACT,
  type ValidatingPolicyModel,
  webhookRules,
} from '../../../definition/index.js';
import type { KubernetesObject } from '../../../kubernetes/index.js';
import type { OperatorNames } from '../operator-names.js';

/** How the API server reaches the operator's webhook server: by its Service, or (real binaries, which cannot) by an address of this machine. */
export interface WebhookTarget {
  readonly service: boolean;
  readonly port: number | undefined;
  /** PEM; `undefined`: the server that answers says it. */
  readonly authority: string | undefined;
}

const API_VERSION = 'admissionregistration.k8s.io/v1';

/** `clientConfig` of a webhook or of a conversion. */
export function clientConfig({ service, port, authority }: WebhookTarget, names: OperatorNames, path: string): object {
  const caBundle = authority === undefined ? {} : { caBundle: Buffer.from(authority).toString('base64') };
  // A certificate that the operator issues itself has names, and no addresses.
  if (!service) return { url: `https://${authority === undefined ? 'localhost' : '127.0.0.1'}:${port}${path}`, ...caBundle };
  const { webhookService: name, namespace } = names;
  return { service: { name, namespace, path, port: RUNTIME_CONTRACT.servicePorts.webhook }, ...caBundle };
}

/** The webhook configurations that the operator's manifests will have, in an installation without options. */
export function webhookConfigurations(operator: OperatorModel, names: OperatorNames, target: WebhookTarget): readonly KubernetesObject[] {
  const kinds = { mutating: 'MutatingWebhookConfiguration', validating: 'ValidatingWebhookConfiguration' } as const;
  return (['mutating', 'validating'] as const).flatMap((type) => {
    const webhooks = operator.webhooks.filter((webhook) => webhook.type === type);
    if (webhooks.length === 0) return [];
    const configuration = {
      apiVersion: API_VERSION,
      kind: kinds[type],
      metadata: { name: names.name },
      webhooks: webhooks.map((webhook) => webhookEntry(webhook, operator, { names, target })),
    };
    return [configuration];
  });
}

function webhookEntry(
  webhook: AdmissionWebhookModel,
  operator: OperatorModel,
  { names, target }: { readonly names: OperatorNames; readonly target: WebhookTarget },
): object {
  return {
    name: webhook.name,
    admissionReviewVersions: ['v1'],
    clientConfig: clientConfig(target, names, webhook.path),
    rules: webhookRules(webhook),
    failurePolicy: webhook.failurePolicy,
    matchPolicy: webhook.matchPolicy,
    ...namespaceSelector(webhook, operator, names),
    ...(webhook.objectSelector === undefined ? {} : { objectSelector: webhook.objectSelector }),
    ...(webhook.matchConditions.length === 0 ? {} : { matchConditions: webhook.matchConditions }),
    sideEffects: webhook.sideEffects,
    timeoutSeconds: webhook.timeoutSeconds,
    ...(webhook.type === 'mutating' ? { reinvocationPolicy: webhook.reinvocationPolicy } : {}),
  };
}

/** As in the manifests: webhooks that fail closed on kinds of others spare what the operator itself needs to start. */
function namespaceSelector(webhook: AdmissionWebhookModel, operator: OperatorModel, { namespace }: OperatorNames): object {
  const isOwn = webhook.kinds.every((covered) =>
    operator.customResources.some(({ group, kind }) => group === covered.group && kind === covered.kind),
  );
  const leases = webhook.kinds.some(({ group }) => group === 'coordination.k8s.io') ? ['kube-node-lease'] : [];
  const exempt = webhook.failurePolicy === 'Fail' && !isOwn ? [...new Set(['kube-system', namespace, ...leases])].sort() : [];
  const { matchLabels, matchExpressions: given = [] } = webhook.namespaceSelector ?? {};
  const own = exempt.length === 0 ? [] : [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: exempt }];
  const matchExpressions = [...given, ...own];
  if (matchExpressions.length === 0 && matchLabels === undefined) return {};
  return {
    namespaceSelector: {
      ...(matchLabels === undefined ? {} : { matchLabels }),
      ...(matchExpressions.length === 0 ? {} : { matchExpressions }),
    },
  };
}

/** The policies of the operator with their bindings: the API server judges by them itself. */
export function validatingPolicies({ policies }: OperatorModel): readonly KubernetesObject[] {
  return policies.flatMap((policy) => {
    const metadata = { name: policy.name };
    const { validationActions } = policy;
    return [
      { apiVersion: API_VERSION, kind: 'ValidatingAdmissionPolicy', metadata, spec: policySpec(policy) },
      { apiVersion: API_VERSION, kind: 'ValidatingAdmissionPolicyBinding', metadata, spec: { policyName: policy.name, validationActions } },
    ];
  });
}

function policySpec(policy: ValidatingPolicyModel): object {
  const { kind, failurePolicy, namespaceSelector: namespaces, objectSelector, matchConditions, validations, variables } = policy;
  const { group, version, plural, scope } = kind;
  return {
    failurePolicy,
    matchConstraints: {
      matchPolicy: 'Equivalent',
      ...(namespaces === undefined ? {} : { namespaceSelector: namespaces }),
      ...(objectSelector === undefined ? {} : { objectSelector }),
      resourceRules: [{ apiGroups: [group], apiVersions: [version], operations: policy.operations, resources: [plural], scope }],
    },
    ...(matchConditions.length === 0 ? {} : { matchConditions }),
    validations,
    ...(variables.length === 0 ? {} : { variables }),
  };
}

/** The mutating policies of the operator with their bindings. */
export function mutatingPolicies({ mutatingPolicies: policies = [] }: OperatorModel): readonly KubernetesObject[] {
  const apiVersion = 'admissionregistration.k8s.io/v1beta1';
  return policies.flatMap((model) => {
    const metadata = { name: model.name };
    const { policy, binding } = mutatingPolicyManifests(model);
    return [
      { apiVersion, kind: 'MutatingAdmissionPolicy', metadata, spec: policy },
      { apiVersion, kind: 'MutatingAdmissionPolicyBinding', metadata, spec: binding },
    ];
  });
}
