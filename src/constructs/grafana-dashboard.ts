import type { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { dashboard } from './dashboard.js';
import { ManifestObject } from './manifest-object.js';
import type { OperatorSettings } from './operator-settings.js';
import { partMetadata } from './part-metadata.js';
import { resolveOperator } from './resolved-operator.js';

export interface GrafanaDashboardProps extends OperatorSettings {
  /**
   * More labels and annotations; a Grafana sidecar may look for another label than `grafana_dashboard`.
   * @default - labels of the installation and `grafana_dashboard: "1"`
   */
  readonly metadata?: ApiObjectMetadata | undefined;
}

/** A ConfigMap with a dashboard of the operator's metrics, in the form that Grafana's sidecar picks up. */
export class GrafanaDashboard extends Construct {
  readonly name: string;

  constructor(scope: Construct, id: string, props: GrafanaDashboardProps) {
    super(scope, id);
    const resolved = resolveOperator(this, props);
    this.name = `${resolved.name}-dashboard`;
    const labels = { grafana_dashboard: '1', ...props.metadata?.labels };
    new ManifestObject(this, 'Resource', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      scope: 'Namespaced',
      metadata: partMetadata(this, resolved, { name: this.name, given: { ...props.metadata, labels } }),
      body: { data: { [`${resolved.name}.json`]: `${JSON.stringify(dashboard(resolved), null, 2)}\n` } },
    });
  }
}
