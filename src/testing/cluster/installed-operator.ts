import type { OperatorModel } from '../../definition/index.js';
import type { Identity } from './identity.js';
import { hasWebhookServer, type OperatorNames, operatorNames } from './operator-names.js';
import type { ContentOptions } from './options.js';

/** An operator whose parts are in a cluster. */
export interface InstalledOperator {
  readonly model: OperatorModel;
  readonly names: OperatorNames;
  /** In whose name it asks. */
  readonly identity: Identity;
  /** Whether what is run here has to answer webhooks and conversions: configurations name them, and nobody else answers. */
  readonly servesWebhooks: boolean;
}

/** Undefined: none is installed. */
export function installedOperator({ operator: model, operatorNamespace, webhooks }: ContentOptions): InstalledOperator | undefined {
  if (model === undefined) return undefined;
  const names = operatorNames(model, operatorNamespace ?? `${model.name}-system`);
  const identity = { serviceAccount: `${names.namespace}/${names.name}` };
  return { model, names, identity, servesWebhooks: webhooks === undefined && hasWebhookServer(model) };
}
