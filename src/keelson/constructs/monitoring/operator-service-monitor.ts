import type { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { RUNTIME_CONTRACT } from '../../definition/index.js';
import { type Installation, type InstallationPart, installationOfPart, partMetadata } from '../installation/index.js';
import { METRICS_LABEL } from '../network/index.js';
import { ConstructError, ManifestObject } from '../object/index.js';

export interface OperatorServiceMonitorProps extends InstallationPart {
  /**
   * How often to scrape, as Prometheus writes durations.
   * @default - Prometheus' own interval
   */
  readonly interval?: string | undefined;
  /**
   * More labels (a Prometheus may select monitors by one, often `release`) and annotations.
   * @default - name, namespace and labels of the installation
   */
  readonly metadata?: ApiObjectMetadata | undefined;
}

/**
 * Has the Prometheus operator scrape the metrics Service. Its CRD (`monitoring.coreos.com`) must be in the cluster.
 *
 * @example
 * ```ts
 * new OperatorServiceMonitor(chart, 'monitor', { installation, interval: '30s' });
 * ```
 */
export class OperatorServiceMonitor extends Construct {
  constructor(scope: Construct, id: string, props: OperatorServiceMonitorProps) {
    super(scope, id);
    const installation = installationOfPart(this, props);
    if (installation.metrics === undefined) throw new ConstructError(this, 'metrics is false: there is nothing to scrape');
    new ManifestObject(this, 'Resource', {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'ServiceMonitor',
      scope: 'Namespaced',
      metadata: partMetadata(this, installation, { name: installation.name, given: props.metadata }),
      body: {
        spec: {
          endpoints: [
            {
              port: RUNTIME_CONTRACT.portNames.metrics,
              path: RUNTIME_CONTRACT.paths.metrics,
              interval: props.interval,
              ...(installation.metrics.secure ? secureEndpoint(installation) : { scheme: 'http' }),
            },
          ],
          namespaceSelector: { matchNames: [installation.namespace] },
          selector: { matchLabels: { ...installation.selector, ...METRICS_LABEL } },
        },
      },
    });
  }
}

/** The server is verified against the CA beside its certificate; the caller shows the token of Prometheus' own ServiceAccount. */
function secureEndpoint({ certificates, names, namespace }: Installation): object {
  return {
    scheme: 'https',
    bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
    tlsConfig: {
      ca: { secret: { name: certificates?.secretName, key: RUNTIME_CONTRACT.certificateFiles.authority } },
      serverName: `${names.metricsService}.${namespace}.svc`,
    },
  };
}
