import { isRecord, type Json } from '@keelson/kubernetes/apimachinery';
import { RUNTIME_CONTRACT } from '../../definition/index.js';
import { PackageError } from '../errors.js';
import type { PackageModel } from '../package/index.js';
import { fieldsAt, listAt, textAt } from './bundle-contents.js';

/** A namespace that no user has: OLM chooses the real one, so that every text with it must go. */
export const PROBE = 'x7-keelson-probe-7x';

/** Secret that the objects are synthesized with; OLM mounts its own, and the volume is taken out again. */
const PLACEHOLDER_SECRET = 'mounted-by-olm';
const PLACEHOLDER_CA = 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==';

/** Where OLM mounts the certificate of webhooks. Source: OLM `pkg/controller/install/deployment.go`. */
const CERTIFICATE_DIRECTORY = '/tmp/k8s-webhook-server/serving-certs';

const { env } = RUNTIME_CONTRACT;

export interface Rule {
  readonly [field: string]: unknown;
}

/** The objects of a package, sorted by their installer: OLM from the ClusterServiceVersion, or OLM from a file of their own. */
export interface InstalledObjects {
  readonly deployments: readonly Json[];
  /** Rules that the operator has in the whole cluster, and in the namespaces that it is given, with its ServiceAccount. */
  readonly clusterRules: readonly Rule[];
  readonly rules: readonly Rule[];
  readonly serviceAccountName: string;
  readonly webhooks: readonly { readonly type: 'Mutating' | 'Validating'; readonly webhook: Json }[];
  readonly crds: readonly Json[];
  /** Everything else, by the path of its construct. */
  readonly others: readonly (readonly [key: string, object: Json])[];
}

/**
 * Synthesizes a package for OLM.
 *
 * Differences from the plain manifests: OLM makes the ServiceAccount, its roles and the webhooks' Service; issues and mounts the certificate of webhooks; chooses the
 * namespace, and says in an annotation of the pod which namespaces to watch.
 *
 * @throws PackageError for an object that OLM does not install, and a text that names the namespace
 */
export function installedObjects(model: PackageModel, values: object, isNamespaced: boolean): InstalledObjects {
  const hasWebhooks = model.operator !== undefined && servesWebhooks(model.operator);
  const objects = model.plain(
    {
      ...values,
      ...(isNamespaced ? { watchNamespaces: [PROBE] } : {}),
      ...(hasWebhooks ? { certificates: { mode: 'secret', secret: { name: PLACEHOLDER_SECRET, caBundle: PLACEHOLDER_CA } } } : {}),
    },
    PROBE,
  );
  const all = [...objects.values()];
  const deployments = all.filter(isKind('Deployment'));
  const serviceAccountName = textAt(deployments[0], 'spec', 'template', 'spec', 'serviceAccountName');
  if (deployments.length === 0 || serviceAccountName === '')
    throw new PackageError('olmBundle: the package installs no Deployment with a ServiceAccount; OLM has nothing to run');
  const roles = rolesOf(all, serviceAccountName);
  const webhookServices = new Set(
    all
      .filter(isKind('MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'))
      .flatMap((configuration) => listAt(configuration, 'webhooks').map((webhook) => textAt(webhook, 'clientConfig', 'service', 'name'))),
  );
  for (const crd of all.filter(isKind('CustomResourceDefinition')))
    webhookServices.add(textAt(crd, 'spec', 'conversion', 'webhook', 'clientConfig', 'service', 'name'));
  const isElsewhere = (object: Json): boolean =>
    roles.objects.has(object) ||
    isKind('Deployment', 'MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration', 'CustomResourceDefinition')(object) ||
    (isKind('ServiceAccount')(object) && textAt(object, 'metadata', 'name') === serviceAccountName) ||
    (isKind('Service')(object) && webhookServices.has(textAt(object, 'metadata', 'name')));
  return {
    deployments: deployments.map((deployment) => settled(adapted(deployment))),
    clusterRules: roles.clusterRules,
    rules: roles.rules,
    serviceAccountName,
    webhooks: webhooksOf(all),
    crds: all
      .filter(isKind('CustomResourceDefinition'))
      .map(convertedByOlm(textAt(deployments[0], 'metadata', 'name')))
      .map(settled),
    others: [...objects]
      .filter(([, object]) => !isElsewhere(object))
      .map(([key, object]) => [key, settled(withoutNamespace(object))] as const),
  };
}

function servesWebhooks({ webhooks, customResources }: NonNullable<PackageModel['operator']>): boolean {
  return webhooks.length > 0 || customResources.some(({ conversions }) => conversions !== undefined);
}

function isKind(...kinds: readonly string[]): (object: Json) => boolean {
  return (object) => kinds.includes(textAt(object, 'kind'));
}

/** Roles that are bound to the operator alone, with their bindings; and their rules. */
function rolesOf(
  objects: readonly Json[],
  serviceAccountName: string,
): { readonly objects: ReadonlySet<Json>; readonly clusterRules: readonly Rule[]; readonly rules: readonly Rule[] } {
  const found = new Set<Json>();
  const [clusterRules, rules]: [Rule[], Rule[]] = [[], []];
  for (const binding of objects.filter(isKind('ClusterRoleBinding', 'RoleBinding'))) {
    const subjects = listAt(binding, 'subjects');
    const isOwn =
      subjects.length === 1 && textAt(subjects[0], 'kind') === 'ServiceAccount' && textAt(subjects[0], 'name') === serviceAccountName;
    const [kind, name] = [textAt(binding, 'roleRef', 'kind'), textAt(binding, 'roleRef', 'name')];
    const role = objects.find((object) => textAt(object, 'kind') === kind && textAt(object, 'metadata', 'name') === name);
    if (!isOwn || role === undefined) continue;
    found.add(binding).add(role);
    (isKind('ClusterRoleBinding')(binding) ? clusterRules : rules).push(...listAt(role, 'rules'));
  }
  return { objects: found, clusterRules, rules };
}

function webhooksOf(objects: readonly Json[]): InstalledObjects['webhooks'] {
  return (['Mutating', 'Validating'] as const).flatMap((type) =>
    objects
      .filter(isKind(`${type}WebhookConfiguration`))
      .flatMap((configuration) => listAt(configuration, 'webhooks').map((webhook) => ({ type, webhook: webhook as Json }))),
  );
}

/** A Deployment as OLM installs it: certificates and watched namespaces come from OLM. */
function adapted(deployment: Json): Json {
  const { spec, ...rest } = deployment as { readonly spec: Json };
  return { ...rest, spec: mapped(spec, adaptedField) } as unknown as Json;
}

function adaptedField(key: string, value: Json): Json {
  if (!isList(value)) return value;
  if (key === 'volumes') return value.filter((volume) => textAt(volume, 'secret', 'secretName') !== PLACEHOLDER_SECRET);
  if (key === 'volumeMounts') return value.filter((mount) => textAt(mount, 'mountPath') !== RUNTIME_CONTRACT.certificateDirectory);
  return key === 'env' ? value.map(adaptedVariable) : value;
}

/** `Array.isArray` would make a list of anything out of it. */
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function adaptedVariable(variable: Json): Json {
  const [name, value] = [textAt(variable, 'name'), textAt(variable, 'value')];
  if (name === env.certificateDirectory) return { name, value: CERTIFICATE_DIRECTORY };
  // Empty where the operator is installed for all namespaces, which is how the process reads it too.
  if (name === env.watchNamespaces)
    return { name, valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: "metadata.annotations['olm.targetNamespaces']" } } };
  // The kubelet fills in variables that stand before.
  return value.includes(PROBE) ? { name, value: value.replaceAll(PROBE, `$(${env.podNamespace})`) } : variable;
}

/** OLM writes the client configuration of a conversion itself; until then it must be valid. */
function convertedByOlm(deployment: string): (crd: Json) => Json {
  return (crd) => {
    const { spec, ...rest } = crd as { readonly spec: { readonly [key: string]: Json } };
    const { conversion } = spec;
    if (textAt(conversion, 'strategy') !== 'Webhook') return crd;
    const { path, port } = fieldsAt(conversion, 'webhook', 'clientConfig', 'service');
    const service = {
      name: `${deployment}-service`,
      namespace: 'operators',
      path: path ?? RUNTIME_CONTRACT.paths.conversion,
      port: port ?? 443,
    };
    const { conversionReviewVersions } = fieldsAt(conversion, 'webhook');
    const converted = { strategy: 'Webhook', webhook: { clientConfig: { service }, conversionReviewVersions } } as unknown as Json;
    return { ...rest, spec: { ...spec, conversion: converted } };
  };
}

function withoutNamespace(object: Json): Json {
  const { metadata, ...rest } = object as { readonly metadata: { readonly namespace?: string } };
  const { namespace: _namespace, ...named } = metadata;
  return { ...rest, metadata: named } as unknown as Json;
}

function mapped(node: Json, change: (key: string, value: Json) => Json): Json {
  if (isList(node)) return node.map((item) => mapped(item, change));
  if (!isRecord(node)) return node;
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, mapped(change(key, value as Json), change)]));
}

/** @throws PackageError if the object still names the namespace */
function settled(object: Json): Json {
  const path = pathOf(object, []);
  if (path === undefined) return object;
  throw new PackageError(
    `olmBundle: ${textAt(object, 'kind')} ${textAt(object, 'metadata', 'name')} names its namespace in ${path.join('.')}, and OLM chooses the namespace; leave the part out with values`,
  );
}

function pathOf(node: unknown, path: readonly string[]): readonly string[] | undefined {
  // The namespace of the Deployment itself is not written.
  if (path.join('.') === 'metadata.namespace') return undefined;
  if (typeof node === 'string') return node.includes(PROBE) || node === PLACEHOLDER_SECRET ? path : undefined;
  if (typeof node !== 'object' || node === null) return undefined;
  for (const [key, value] of Object.entries(node)) {
    const found = pathOf(value, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}
