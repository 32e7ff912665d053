import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';
import type { OperatorModel, RuntimeSettings } from 'keelson/internal/definition';
// Not by the door of the folder, which loads an API server: the operator's process has none.
import { definitionOf, operatorObjects } from './installation/operator-objects.js';
import { certificateSettings, installedOperator } from './installed-operator.js';

/** The parts of an operator that runs beside an API server instead of in a Pod. */
export interface OperatorInstallation {
  readonly name: string;
  readonly namespace: string;
  /** The ServiceAccount in whose name it asks. */
  readonly serviceAccount: string;
  /** `namespace/name` of the Service of its webhooks; undefined: it has none. */
  readonly webhookService: string | undefined;
  readonly definitions: readonly KubernetesObject[];
  /** The other objects: account, roles, policies, Service, webhook configurations. */
  readonly parts: readonly KubernetesObject[];
  readonly certificates: RuntimeSettings['certificates'];
}

/** The objects that `TestCluster` installs for an operator, as data: a process that runs it can hand it to another one that has the API server. */
export function operatorInstallation(operator: OperatorModel): OperatorInstallation {
  const installed = installedOperator({ operator });
  const { names, servesWebhooks } = installed;
  const target = { service: true, port: undefined, authority: undefined };
  return {
    name: operator.name,
    namespace: names.namespace,
    serviceAccount: names.name,
    webhookService: servesWebhooks ? `${names.namespace}/${names.webhookService}` : undefined,
    definitions: operator.customResources.map((resource) => definitionOf(resource, { names, target })),
    parts: operatorObjects(operator, names, target),
    certificates: certificateSettings(installed).certificates,
  };
}
