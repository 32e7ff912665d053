import type { CustomResourceModel, OperatorModel } from '../model.js';

/** Names of the objects that several parts of an installation refer to. */
export interface InstallationNames {
  /** Role of the operator's own namespace: Lease, certificate. */
  readonly runtimeRole: string;
  readonly metricsReader: string;
  readonly webhookService: string;
  readonly metricsService: string;
  /** Secret, and with cert-manager Certificate, of what is served over TLS. */
  readonly certificate: string;
  /** `undefined` without mutating webhooks. */
  readonly mutatingConfiguration: string | undefined;
  /** `undefined` without validating webhooks. */
  readonly validatingConfiguration: string | undefined;
}

/** The names in an installation of this name; ServiceAccount, ClusterRole and webhook configurations are called as the installation itself. */
export function installationNames(name: string, model: OperatorModel): InstallationNames {
  const has = (type: 'mutating' | 'validating'): boolean => model.webhooks.some((webhook) => webhook.type === type);
  return {
    runtimeRole: `${name}-runtime`,
    metricsReader: `${name}-metrics-reader`,
    webhookService: `${name}-webhook`,
    metricsService: `${name}-metrics`,
    certificate: `${name}-certificate`,
    mutatingConfiguration: has('mutating') ? name : undefined,
    validatingConfiguration: has('validating') ? name : undefined,
  };
}

/** Labels that every object of an installation has. `manager` is the program that installs it. */
export function installationLabels(name: string, model: OperatorModel, manager: string): Readonly<Record<string, string>> {
  return {
    'app.kubernetes.io/component': 'operator',
    'app.kubernetes.io/instance': name,
    'app.kubernetes.io/managed-by': manager,
    'app.kubernetes.io/name': model.name,
  };
}

/** Selects the Pods of an installation. It never changes, because the selector of a Deployment cannot. */
export function installationSelector(name: string, model: OperatorModel): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/instance': name, 'app.kubernetes.io/name': model.name };
}

/** Custom resources whose versions the process converts. */
export function convertedResources({ customResources }: OperatorModel): readonly CustomResourceModel[] {
  return customResources.filter(({ conversions }) => conversions !== undefined);
}

/** Whether the API server calls the process: it has webhooks or conversions. */
export function hasWebhookServer(model: OperatorModel): boolean {
  return model.webhooks.length > 0 || convertedResources(model).length > 0;
}

/** Names of the CRDs with several versions. A custom resource that has had one version only is stored in that one. */
export function storedVersionNames({ customResources }: OperatorModel): readonly string[] {
  return customResources.filter(({ versionList }) => versionList.length > 1).map(crdName);
}

/** `<plural>.<group>`. */
export function crdName({ plural, group }: Pick<CustomResourceModel, 'plural' | 'group'>): string {
  return `${plural}.${group}`;
}
