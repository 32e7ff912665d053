import { type App, Chart } from 'cdk8s';
import { CustomResource, Operator } from 'keelson/constructs';
import { ClusterRole, ClusterRoleBinding, ServiceAccount } from 'keelson/kinds';
import { Prometheus, PrometheusRule, ServiceMonitor } from './kinds.js';
import { operator } from './prometheus-operator.js';
import { config } from './settings.js';

/** The operator with all that it needs. */
export function operatorChart(app: App): Chart {
  const chart = new Chart(app, 'prometheus-operator', { namespace: 'monitoring' });
  const image = 'registry.example.com/prometheus-operator:0.1.0';
  const settings = [config.values({ repairPolicy: 'evict' })];
  new Operator(chart, 'operator', { operator, image, createNamespace: true, replicas: 2, settings });
  return chart;
}

const account = { namespace: 'monitoring', name: 'prometheus' };
const labels = { prometheus: 'main' };

// #region samples
/** A Prometheus with an account that may discover targets, and what it scrapes: the operator's own metrics. */
export function samplesChart(app: App): Chart {
  const chart = new Chart(app, 'prometheus-samples', { namespace: account.namespace });
  new CustomResource(chart, 'account', { definition: ServiceAccount, metadata: { name: account.name } });
  new CustomResource(chart, 'role', {
    definition: ClusterRole,
    metadata: { name: account.name },
    rules: [{ apiGroups: [''], resources: ['services', 'endpoints', 'pods'], verbs: ['get', 'list', 'watch'] }],
  });
  new CustomResource(chart, 'role-binding', {
    definition: ClusterRoleBinding,
    metadata: { name: account.name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: account.name },
    subjects: [{ kind: 'ServiceAccount', ...account }],
  });
  new CustomResource(chart, 'prometheus', {
    definition: Prometheus,
    metadata: { name: 'main' },
    spec: {
      replicas: 2,
      serviceAccountName: account.name,
      serviceMonitorSelector: { matchLabels: labels },
      serviceMonitorNamespaceSelector: {},
      ruleSelector: { matchLabels: labels },
    },
  });
  new CustomResource(chart, 'monitor', {
    definition: ServiceMonitor,
    metadata: { name: 'prometheus-operator', labels },
    spec: { selector: { matchLabels: { 'app.kubernetes.io/name': 'prometheus-operator' } }, endpoints: [{ port: 'metrics' }] },
  });
  new CustomResource(chart, 'rule', {
    definition: PrometheusRule,
    metadata: { name: 'targets', labels },
    spec: { groups: [{ name: 'targets', rules: [{ alert: 'TargetDown', expr: 'up == 0', for: '5m' }] }] },
  });
  return chart;
}
// #endregion
