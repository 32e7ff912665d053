import type { OperatorModel, RuntimeSettings } from 'keelson/internal/definition';
import { hasWebhookServer, type InstallationNames, installationNames, selfManagedCertificate } from 'keelson/internal/definition';
import type { Identity } from './identity.js';
import type { ContentOptions } from './options.js';

/** The names of an installed operator: a test installs what users install. */
export interface OperatorNames extends InstallationNames {
  /** The name of the ServiceAccount, the ClusterRole, the Lease and the webhook configurations. */
  readonly name: string;
  readonly namespace: string;
}

/** An operator whose parts are in a cluster. */
export interface InstalledOperator {
  readonly model: OperatorModel;
  readonly names: OperatorNames;
  /** In whose name it asks. */
  readonly identity: Identity;
  /** Whether what is run here has to answer webhooks and conversions: configurations name them, and no other server answers. */
  readonly servesWebhooks: boolean;
}

/** Undefined: none is installed. */
export function installedOperator(options: ContentOptions & { readonly operator: OperatorModel }): InstalledOperator;
export function installedOperator(options: ContentOptions): InstalledOperator | undefined;
export function installedOperator({ operator: model, operatorNamespace, webhooks }: ContentOptions): InstalledOperator | undefined {
  if (model === undefined) return undefined;
  const { name } = model;
  const names = { ...installationNames(name, model), name, namespace: operatorNamespace ?? `${name}-system` };
  const identity = { serviceAccount: `${names.namespace}/${names.name}` };
  return { model, names, identity, servesWebhooks: webhooks === undefined && hasWebhookServer(model) };
}

/** The operator issues its certificate itself, as its manifests have it by default. */
export function certificateSettings({ model, names, servesWebhooks }: InstalledOperator): Pick<RuntimeSettings, 'certificates'> {
  if (!servesWebhooks) return {};
  const dnsNames = [`${names.webhookService}.${names.namespace}.svc`, 'localhost'];
  return { certificates: selfManagedCertificate(model, names, { dnsNames }) };
}
