import type { CustomResourceModel, OperatorModel } from '../../definition/index.js';

/** The names of an installed operator, as the constructs give them: the test installs what users install. */
export interface OperatorNames {
  /** The name of the ServiceAccount, the ClusterRole, the Lease and the webhook configurations. */
  readonly name: string;
  readonly namespace: string;
  readonly runtimeRole: string;
  readonly metricsReader: string;
  readonly webhookService: string;
  readonly certificate: string;
}

export function operatorNames({ name }: OperatorModel, namespace: string): OperatorNames {
  return {
    name,
    namespace,
    runtimeRole: `${name}-runtime`,
    metricsReader: `${name}-metrics-reader`,
    webhookService: `${name}-webhook`,
    certificate: `${name}-certificate`,
  };
}

export function operatorLabels({ name }: OperatorModel): Readonly<Record<string, string>> {
  return {
    'app.kubernetes.io/component': 'operator',
    'app.kubernetes.io/instance': name,
    'app.kubernetes.io/managed-by': 'keelson',
    'app.kubernetes.io/name': name,
  };
}

export function convertedResources({ customResources }: OperatorModel): readonly CustomResourceModel[] {
  return customResources.filter(({ conversions }) => conversions !== undefined);
}

export function hasWebhookServer(operator: OperatorModel): boolean {
  return operator.webhooks.length > 0 || convertedResources(operator).length > 0;
}
