import type { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { type InstalledObject, RUNTIME_CONTRACT, serviceObject, webhookServiceObject } from '../../definition/index.js';
import {
  type Installation,
  type InstallationPart,
  installationOfPart,
  installedManifest,
  type NamedReference,
  partMetadata,
} from '../installation/index.js';
import { ConstructError } from '../object/index.js';

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
    const { names, namespace, selector } = installation;
    const service = webhookServiceObject({ name: names.webhookService, namespace }, selector);
    this.name = written(this, installation, service, { given: props.metadata });
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
    const { names, namespace, selector } = installation;
    const service = serviceObject(
      { name: names.metricsService, namespace },
      { name: portNames.metrics, port, targetPort: portNames.metrics },
      selector,
    );
    this.name = written(this, installation, service, { given: props.metadata, labels: METRICS_LABEL });
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
    const { name, port, serviceName } = endpoint;
    const { namespace, selector } = installation;
    const service = serviceObject({ name: serviceName, namespace }, { name, port, targetPort: name }, selector);
    this.name = written(this, installation, service, { given: props.metadata, labels: { 'app.kubernetes.io/component': name } });
  }
}

/** Tells the metrics Service from the webhook Service, which has the same recommended labels. */
export const METRICS_LABEL = { 'app.kubernetes.io/component': 'metrics' } as const;

interface ServiceMetadata {
  readonly given: ApiObjectMetadata | undefined;
  readonly labels?: Readonly<Record<string, string>>;
}

function written(scope: Construct, installation: Installation, service: InstalledObject, { given, labels }: ServiceMetadata): string {
  const { name } = service.metadata;
  const metadata = partMetadata(scope, installation, { name, given: { ...given, labels: { ...labels, ...given?.labels } } });
  return installedManifest(scope, 'Resource', service, metadata).name;
}
