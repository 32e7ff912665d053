import type { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { type InstallationPart, installationOfPart, partMetadata } from '../installation/index.js';
import { ManifestObject } from '../object/index.js';
import { dashboard } from './dashboard.js';

export interface GrafanaDashboardProps extends InstallationPart {
  /**
   * More labels and annotations; a Grafana sidecar may look for another label than `grafana_dashboard`.
   * @default - labels of the installation and `grafana_dashboard: "1"`
   */
  readonly metadata?: ApiObjectMetadata | undefined;
}

/**
 * A ConfigMap with a dashboard of the operator's metrics, in the form that Grafana's sidecar picks up.
 *
 * @example
 * ```ts
 * new GrafanaDashboard(chart, 'dashboard', { installation, metadata: { labels: { grafana_dashboard: '1' } } });
 * ```
 */
export class GrafanaDashboard extends Construct {
  readonly name: string;

  constructor(scope: Construct, id: string, props: GrafanaDashboardProps) {
    super(scope, id);
    const installation = installationOfPart(this, props);
    this.name = `${installation.name}-dashboard`;
    const labels = { grafana_dashboard: '1', ...props.metadata?.labels };
    new ManifestObject(this, 'Resource', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      scope: 'Namespaced',
      metadata: partMetadata(this, installation, { name: this.name, given: { ...props.metadata, labels } }),
      body: { data: { [`${installation.name}.json`]: `${JSON.stringify(dashboard(installation), null, 2)}\n` } },
    });
  }
}
