import type { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { RUNTIME_CONTRACT } from '../../definition/index.js';
import { type Installation, type InstallationPart, installationOfPart, type NamedReference, partMetadata } from '../installation/index.js';
import { ConstructError, ManifestObject } from '../object/index.js';

export interface OperatorServiceProps extends InstallationPart {
  /**
   * More labels and annotations.
   * @default - name, namespace and labels of the installation
   */
  readonly metadata?: ApiObjectMetadata | undefined;
}

/**
 * The Service that the API server calls for admission and conversion: port 443 to the pod's webhook port.
 *
 * @example
 * ```ts
 * new WebhookService(chart, 'webhooks', { installation });
 * ```
 */
export class WebhookService extends Construct implements NamedReference {
  readonly name: string;

  constructor(scope: Construct, id: string, props: OperatorServiceProps) {
    super(scope, id);
    const installation = installationOfPart(this, props);
    if (!installation.hasWebhookServer) {
      throw new ConstructError(
        this,
        `operator ${installation.model.name} has no webhooks and no conversions: no server would answer behind this Service`,
      );
    }
    if (installation.webhookUrl !== undefined)
      throw new ConstructError(this, `webhooks are called by the URL ${installation.webhookUrl.url}: this Service would not be used`);
    const { servicePorts, portNames } = RUNTIME_CONTRACT;
    this.name = service(this, installation, {
      name: installation.names.webhookService,
      port: { name: 'https', port: servicePorts.webhook, protocol: 'TCP', targetPort: portNames.webhook },
      given: props.metadata,
    });
  }
}

/**
 * The Service that Prometheus finds the pods by.
 *
 * @example
 * ```ts
 * new MetricsService(chart, 'metrics', { installation });
 * ```
 */
export class MetricsService extends Construct implements NamedReference {
  readonly name: string;

  constructor(scope: Construct, id: string, props: OperatorServiceProps) {
    super(scope, id);
    const installation = installationOfPart(this, props);
    if (installation.metrics === undefined) throw new ConstructError(this, 'metrics is false: no server would answer behind this Service');
    const { servicePorts, portNames } = RUNTIME_CONTRACT;
    const port = installation.metrics.secure ? servicePorts.secureMetrics : servicePorts.metrics;
    this.name = service(this, installation, {
      name: installation.names.metricsService,
      port: { name: portNames.metrics, port, protocol: 'TCP', targetPort: portNames.metrics },
      given: props.metadata,
      labels: METRICS_LABEL,
    });
  }
}

export interface EndpointServiceProps extends OperatorServiceProps {
  /** Name of the endpoint, as `defineOperator({ endpoints })` has it. */
  readonly endpoint: string;
}

/**
 * The Service of one of the operator's endpoints: its port, on every replica.
 *
 * @example
 * ```ts
 * new EndpointService(chart, 'backups', { installation, endpoint: 'backups' });
 * ```
 */
export class EndpointService extends Construct implements NamedReference {
  readonly name: string;

  constructor(scope: Construct, id: string, props: EndpointServiceProps) {
    super(scope, id);
    const installation = installationOfPart(this, props);
    const endpoint = installation.endpoints.find(({ name }) => name === props.endpoint);
    if (endpoint === undefined) {
      const known = installation.endpoints.map(({ name }) => name).join(', ') || 'none';
      throw new ConstructError(this, `operator ${installation.model.name} has no endpoint '${props.endpoint}'; it has ${known}`);
    }
    this.name = service(this, installation, {
      name: endpoint.serviceName,
      port: { name: endpoint.name, port: endpoint.port, protocol: 'TCP', targetPort: endpoint.name },
      given: props.metadata,
      labels: { 'app.kubernetes.io/component': endpoint.name },
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

function service(scope: Construct, installation: Installation, { name, port, given, labels }: ServiceParts): string {
  return new ManifestObject(scope, 'Resource', {
    apiVersion: 'v1',
    kind: 'Service',
    scope: 'Namespaced',
    metadata: partMetadata(scope, installation, { name, given: { ...given, labels: { ...labels, ...given?.labels } } }),
    body: { spec: { ports: [port], selector: installation.selector } },
  }).name;
}
