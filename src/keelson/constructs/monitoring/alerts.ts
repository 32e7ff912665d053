import type { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { type InstallationPart, installationOfPart, partMetadata } from '../installation/index.js';
import { ConstructError, ManifestObject } from '../object/index.js';
import { type AlertRule, alertRules } from './alert-rules.js';
import { promQl } from './series.js';

export interface AlertsProps extends InstallationPart {
  /**
   * URL of the page that the people on call open. Each alert adds its own name in lower case as the anchor, such as `#operatordown`.
   * `docs/troubleshooting.md` of keelson has these anchors: publish it, or a page of your own with the same headings.
   */
  readonly runbook: string;
  /**
   * More labels (a Prometheus may select rules by one, often `release`) and annotations.
   * @default - name, namespace and labels of the installation
   */
  readonly metadata?: ApiObjectMetadata | undefined;
}

/**
 * Alerts about the operator, as a PrometheusRule of the Prometheus operator. Its CRD (`monitoring.coreos.com`) must be in the cluster.
 *
 * The rules read series with the labels that {@link OperatorServiceMonitor} gives them: `namespace` and `service`.
 *
 * @example
 * ```ts
 * new Alerts(chart, 'alerts', { installation, runbook: 'https://wiki.example.com/keelson-troubleshooting' });
 * ```
 */
export class Alerts extends Construct {
  constructor(scope: Construct, id: string, props: AlertsProps) {
    super(scope, id);
    const installation = installationOfPart(this, props);
    if (installation.metrics === undefined) throw new ConstructError(this, 'metrics is false: there is nothing to alert on');
    const { runbook } = props;
    if (!isPage(runbook)) throw new ConstructError(this, `runbook is ${JSON.stringify(runbook)}; write an http or https URL without #`);
    const { name, namespace } = installation;
    const written = ({ name: alert, severity, lasts, expr, summary, description }: AlertRule): object => ({
      alert,
      expr: promQl(expr, installation),
      for: lasts,
      labels: { severity, operator: name, namespace },
      annotations: { summary: `${name}: ${summary}`, description, runbook_url: `${runbook}#${alert.toLowerCase()}` },
    });
    new ManifestObject(this, 'Resource', {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      scope: 'Namespaced',
      metadata: partMetadata(this, installation, { name, given: props.metadata }),
      body: { spec: { groups: [{ name, rules: alertRules(installation).map(written) }] } },
    });
  }
}

function isPage(runbook: unknown): boolean {
  return typeof runbook === 'string' && /^https?:\/\/[^\s#]+$/.test(runbook) && URL.canParse(runbook);
}
