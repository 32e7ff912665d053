import type { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { RUNTIME_CONTRACT } from '../definition/index.js';
import { ConstructError } from './construct-error.js';
import { ManifestObject } from './manifest-object.js';
import { METRICS_LABEL } from './operator-services.js';
import type { OperatorSettings } from './operator-settings.js';
import { partMetadata } from './part-metadata.js';
import { type ResolvedOperator, resolveOperator } from './resolved-operator.js';

export interface OperatorServiceMonitorProps extends OperatorSettings {
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

/** Has the Prometheus operator scrape the metrics Service. Its CRD (`monitoring.coreos.com`) must be in the cluster. */
export class OperatorServiceMonitor extends Construct {
  constructor(scope: Construct, id: string, props: OperatorServiceMonitorProps) {
    super(scope, id);
    const resolved = resolveOperator(this, props);
    if (resolved.metrics === undefined) throw new ConstructError(this, 'metrics is false: there is nothing to scrape');
    new ManifestObject(this, 'Resource', {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'ServiceMonitor',
      scope: 'Namespaced',
      metadata: partMetadata(this, resolved, { name: resolved.name, given: props.metadata }),
      body: {
        spec: {
          endpoints: [
            {
              port: RUNTIME_CONTRACT.portNames.metrics,
              path: RUNTIME_CONTRACT.paths.metrics,
              interval: props.interval,
              ...(resolved.metrics.secure ? secureEndpoint(resolved) : { scheme: 'http' }),
            },
          ],
          namespaceSelector: { matchNames: [resolved.namespace] },
          selector: { matchLabels: { ...resolved.selector, ...METRICS_LABEL } },
        },
      },
    });
  }
}

/** The server is verified against the CA beside its certificate; the caller shows the token of Prometheus' own ServiceAccount. */
function secureEndpoint({ certificates, names, namespace }: ResolvedOperator): object {
  return {
    scheme: 'https',
    bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
    tlsConfig: {
      ca: { secret: { name: certificates?.secretName, key: RUNTIME_CONTRACT.certificateFiles.authority } },
      serverName: `${names.metricsService}.${namespace}.svc`,
    },
  };
}
