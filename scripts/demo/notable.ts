import type { ManifestObject } from './manifests.js';

/** The facts that a reviewer asks for first, one line each; nothing for kinds whose name says it. */
export function notable(object: ManifestObject): string[] {
  switch (object.kind) {
    case 'CustomResourceDefinition':
      return versionsOf(object as unknown as CustomResourceDefinitionObject);
    case 'MutatingWebhookConfiguration':
    case 'ValidatingWebhookConfiguration':
      return webhooksOf(object as unknown as WebhookConfigurationObject);
    case 'Deployment':
      return podsOf(object as unknown as DeploymentObject);
    case 'Role':
    case 'ClusterRole':
      return [`${(object as unknown as RoleObject).rules?.length ?? 0} rules`];
    default:
      return [];
  }
}

interface CustomResourceDefinitionObject {
  readonly spec: {
    readonly scope: string;
    readonly conversion?: { readonly strategy: string };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly storage: boolean;
      readonly deprecated?: boolean;
      readonly subresources?: Readonly<Record<string, unknown>>;
      readonly additionalPrinterColumns?: readonly { readonly name: string }[];
    }[];
  };
}

function versionsOf({ spec }: CustomResourceDefinitionObject): string[] {
  const lines = spec.versions.map((version) => {
    const roles = [
      version.served ? 'served' : 'not served',
      ...(version.storage ? ['stored'] : []),
      ...(version.deprecated ? ['deprecated'] : []),
    ];
    const columns = (version.additionalPrinterColumns ?? []).map(({ name }) => name);
    const parts = [
      `version ${version.name}: ${roles.join(', ')}`,
      ...labelled('subresources', Object.keys(version.subresources ?? {})),
      ...labelled('columns', columns),
    ];
    return parts.join('; ');
  });
  const strategy = spec.conversion?.strategy;
  return [`scope ${spec.scope}`, ...lines, ...(strategy === undefined || strategy === 'None' ? [] : [`conversion ${strategy}`])];
}

interface WebhookConfigurationObject {
  readonly webhooks?: readonly {
    readonly failurePolicy?: string;
    readonly clientConfig: { readonly service?: { readonly path?: string }; readonly url?: string };
    readonly rules?: readonly { readonly operations: readonly string[]; readonly resources: readonly string[] }[];
  }[];
}

function webhooksOf({ webhooks = [] }: WebhookConfigurationObject): string[] {
  return webhooks.map(({ clientConfig, failurePolicy, rules = [] }) => {
    const on = rules.map(({ operations, resources }) => `${operations.join(', ')} of ${resources.join(', ')}`).join('; ');
    return `${clientConfig.service?.path ?? clientConfig.url ?? ''} on ${on}; failurePolicy ${failurePolicy ?? 'Fail'}`;
  });
}

interface DeploymentObject {
  readonly spec: {
    readonly replicas?: number;
    readonly template: { readonly spec: { readonly containers: readonly { readonly image?: string }[] } };
  };
}

function podsOf({ spec }: DeploymentObject): string[] {
  const images = spec.template.spec.containers.map(({ image = '' }) => image);
  return [`replicas ${spec.replicas ?? 1}; image ${images.join(', ')}`];
}

interface RoleObject {
  readonly rules?: readonly unknown[];
}

const labelled = (label: string, values: readonly string[]): string[] => (values.length === 0 ? [] : [`${label} ${values.join(', ')}`]);
