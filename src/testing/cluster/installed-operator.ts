import type { OperatorModel, RuntimeSettings } from '../../definition/index.js';
import type { Identity } from './identity.js';
import { convertedResources, hasWebhookServer, type OperatorNames, operatorNames } from './operator-names.js';
import type { ContentOptions } from './options.js';

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
  const names = operatorNames(model, operatorNamespace ?? `${model.name}-system`);
  const identity = { serviceAccount: `${names.namespace}/${names.name}` };
  return { model, names, identity, servesWebhooks: webhooks === undefined && hasWebhookServer(model) };
}

/** The operator issues its certificate itself, as its manifests have it by default. */
export function certificateSettings({ model, names, servesWebhooks }: InstalledOperator): Pick<RuntimeSettings, 'certificates'> {
  if (!servesWebhooks) return {};
  const { name, namespace, certificate: secretName, webhookService } = names;
  const has = (type: 'mutating' | 'validating'): boolean => model.webhooks.some((webhook) => webhook.type === type);
  return {
    certificates: {
      mode: 'selfManaged',
      secretName,
      dnsNames: [`${webhookService}.${namespace}.svc`, 'localhost'],
      ...(has('mutating') ? { mutatingConfiguration: name } : {}),
      ...(has('validating') ? { validatingConfiguration: name } : {}),
      conversionCrds: convertedResources(model).map(({ plural, group }) => `${plural}.${group}`),
    },
  };
}
