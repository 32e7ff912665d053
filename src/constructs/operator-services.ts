import type { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { RUNTIME_CONTRACT } from '../definition/index.js';
import { ConstructError } from './construct-error.js';
import { ManifestObject } from './manifest-object.js';
import type { NamedReference, OperatorSettings } from './operator-settings.js';
import { partMetadata } from './part-metadata.js';
import { type ResolvedOperator, resolveOperator } from './resolved-operator.js';

export interface OperatorServiceProps extends OperatorSettings {
  /**
   * More labels and annotations.
   * @default - name, namespace and labels of the installation
   */
  readonly metadata?: ApiObjectMetadata | undefined;
}

/** The Service that the API server calls for admission and conversion: port 443 to the pod's webhook port. */
export class WebhookService extends Construct implements NamedReference {
  readonly name: string;

  constructor(scope: Construct, id: string, props: OperatorServiceProps) {
    super(scope, id);
    const resolved = resolveOperator(this, props);
    if (!resolved.hasWebhookServer) {
      throw new ConstructError(
        this,
        `operator ${props.operator.name} has no webhooks and no conversions: nobody would answer behind this Service`,
      );
    }
    const { servicePorts, portNames } = RUNTIME_CONTRACT;
    this.name = service(this, resolved, {
      name: resolved.names.webhookService,
      port: { name: 'https', port: servicePorts.webhook, protocol: 'TCP', targetPort: portNames.webhook },
      given: props.metadata,
    });
  }
}

/** The Service that Prometheus finds the pods by. */
export class MetricsService extends Construct implements NamedReference {
  readonly name: string;

  constructor(scope: Construct, id: string, props: OperatorServiceProps) {
    super(scope, id);
    const resolved = resolveOperator(this, props);
    if (resolved.metrics === undefined) throw new ConstructError(this, 'metrics is false: nobody would answer behind this Service');
    const { servicePorts, portNames } = RUNTIME_CONTRACT;
    const port = resolved.metrics.secure ? servicePorts.secureMetrics : servicePorts.metrics;
    this.name = service(this, resolved, {
      name: resolved.names.metricsService,
      port: { name: portNames.metrics, port, protocol: 'TCP', targetPort: portNames.metrics },
      given: props.metadata,
      labels: METRICS_LABEL,
    });
  }
}

/** Tells the metrics Service from the webhook Service, which has the same recommended labels. */
export const METRICS_LABEL = { 'app.kubernetes.io/component': 'metrics' } as const;

interface ServiceParts {
  readonly name: string;
  readonly port: object;
  readonly given: ApiObjectMetadata | undefined;
  readonly labels?: Readonly<Record<string, string>>;
}

function service(scope: Construct, resolved: ResolvedOperator, { name, port, given, labels }: ServiceParts): string {
  return new ManifestObject(scope, 'Resource', {
    apiVersion: 'v1',
    kind: 'Service',
    scope: 'Namespaced',
    metadata: partMetadata(scope, resolved, { name, given: { ...given, labels: { ...labels, ...given?.labels } } }),
    body: { spec: { ports: [port], selector: resolved.selector } },
  }).name;
}
