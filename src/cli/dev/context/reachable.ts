import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';
import type { OperatorInstallation } from '@keelson/testing/internal/cluster';
import type { WebhookAddress } from './webhook-address.js';

/** The parts of an operator as they fit a cluster that no Service of which leads to this machine. */
export interface ReachableParts {
  readonly definitions: readonly KubernetesObject[];
  readonly parts: readonly KubernetesObject[];
  readonly certificates: OperatorInstallation['certificates'];
  readonly servesWebhooks: boolean;
  /** Lines for the user: one for each part that was left out, and the way to have it. */
  readonly notes: readonly string[];
}

interface ServiceConfig {
  readonly service: { readonly path: string };
}

interface WebhookEntry {
  readonly name: string;
  readonly clientConfig: ServiceConfig;
}

interface Definition extends KubernetesObject {
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean; readonly storage: boolean }[];
    readonly conversion?: { readonly strategy: string; readonly webhook?: { readonly clientConfig: ServiceConfig } };
  };
}

const CONFIGURATIONS: readonly string[] = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

/**
 * With an address webhooks and conversions are called there by URL; without one they are left out, and kinds with a conversion are served in their storage version
 * alone.
 */
export function reachableParts(installation: OperatorInstallation, address: WebhookAddress | undefined): ReachableParts {
  const { webhookService, definitions, parts, certificates } = installation;
  // The Service would lead to Pods of the operator, and none of them is this process.
  const others = parts.filter(({ kind, metadata: { namespace, name } }) => kind !== 'Service' || `${namespace}/${name}` !== webhookService);
  if (webhookService === undefined) return { definitions, parts: others, certificates, servesWebhooks: false, notes: [] };
  if (address === undefined) {
    const kept = others.filter(({ kind }) => !CONFIGURATIONS.includes(kind));
    const left = others.filter(({ kind }) => CONFIGURATIONS.includes(kind)).flatMap((object) => webhooksOf(object).map(({ name }) => name));
    return {
      definitions: definitions.map(inStorageVersion),
      parts: kept,
      certificates: undefined,
      servesWebhooks: false,
      notes: [
        ...(left.length === 0 ? [] : [`its webhooks are not installed: ${left.join(', ')}. The cluster has no way to this machine`]),
        ...definitions.filter(isConverted).map((definition) => `${kindOf(definition)} is served as ${storageOf(definition)} alone`),
        'if the API server can reach this machine, say where: --webhook-url https://HOST:PORT',
      ],
    };
  }
  const byUrl = ({ service: { path } }: ServiceConfig): object => ({ url: `${address.url}${path}` });
  return {
    definitions: definitions.map((definition) => convertedBy(definition, byUrl)),
    parts: others.map((object) =>
      CONFIGURATIONS.includes(object.kind)
        ? ({ ...object, webhooks: webhooksOf(object).map((entry) => ({ ...entry, clientConfig: byUrl(entry.clientConfig) })) } as never)
        : object,
    ),
    certificates:
      certificates?.mode === 'selfManaged'
        ? { ...certificates, dnsNames: [...new Set([...certificates.dnsNames, address.host])] }
        : certificates,
    servesWebhooks: true,
    notes: [`its webhooks are called at ${address.url}`],
  };
}

/** A definition that needs no answer of the operator: clients get the storage version, and no other. */
export function inStorageVersion(definition: KubernetesObject): KubernetesObject {
  if (!isConverted(definition)) return definition;
  const { conversion: _, ...spec } = (definition as Definition).spec;
  const versions = spec.versions.map((version) => ({ ...version, served: version.storage }));
  return { ...definition, spec: { ...spec, versions, conversion: { strategy: 'None' } } } as never;
}

export function isConverted(definition: KubernetesObject): boolean {
  return (definition as Partial<Definition>).spec?.conversion?.strategy === 'Webhook';
}

function convertedBy(definition: KubernetesObject, byUrl: (config: ServiceConfig) => object): KubernetesObject {
  const { spec } = definition as Definition;
  if (spec.conversion?.webhook === undefined) return definition;
  const webhook = { ...spec.conversion.webhook, clientConfig: byUrl(spec.conversion.webhook.clientConfig) };
  return { ...definition, spec: { ...spec, conversion: { ...spec.conversion, webhook } } } as never;
}

const webhooksOf = (object: KubernetesObject): readonly WebhookEntry[] =>
  (object as never as { webhooks: readonly WebhookEntry[] }).webhooks;
const kindOf = (definition: KubernetesObject): string => (definition as Definition).spec.names.kind;
const storageOf = (definition: KubernetesObject): string =>
  (definition as Definition).spec.versions.find(({ storage }) => storage)?.name ?? '';
