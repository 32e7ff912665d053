import { explore } from '@keelson/testing';
import { Secret, StatefulSet } from 'keelson/kinds';
import { Probe, Prometheus, PrometheusRule, ScrapeConfig, ServiceMonitor } from './kinds.js';
import { operator } from './prometheus-operator.js';
import { ALL_OF_TEAM_A } from './prometheus-world.js';

const labels = { team: 'a' };

// #region explore
test('whatever goes wrong, it ends as if nothing had', async () => {
  await explore(operator, {
    story: ({ apply, change, remove }) => [
      apply(ServiceMonitor({ metadata: { name: 'web', labels }, spec: { selector: {}, endpoints: [{ port: 'web' }] } })),
      apply(Prometheus({ metadata: { name: 'main' }, spec: { ...ALL_OF_TEAM_A, shards: 2 } })),
      apply(ScrapeConfig({ metadata: { name: 'db', labels }, spec: { staticConfigs: [{ targets: ['db:9187'] }] } })),
      apply(
        PrometheusRule({
          metadata: { name: 'down', labels },
          spec: { groups: [{ name: 'g', rules: [{ alert: 'Down', expr: 'up == 0' }] }] },
        }),
      ),
      change(Prometheus, 'main', { spec: { replicas: 2, shards: 1 } }),
      remove(StatefulSet, 'prometheus-main'),
      remove(Secret, 'prometheus-main'),
      change(ServiceMonitor, 'web', { spec: { endpoints: [{ port: 'web', scrapeTimeout: '1h' }] } }),
      apply(
        Probe({
          metadata: { name: 'pages', labels },
          spec: { prober: { url: 'blackbox' }, targets: { staticConfig: { static: ['https://a'] } } },
        }),
      ),
      change(ScrapeConfig, 'db', { metadata: { labels: { team: 'b' } } }),
      apply(Prometheus({ metadata: { name: 'other' }, spec: ALL_OF_TEAM_A })),
      remove(Prometheus, 'other'),
      change(ScrapeConfig, 'db', { metadata: { labels } }),
      remove(ServiceMonitor, 'web'),
    ],
    workloads: true,
    // The configuration is packed, and names the namespace, which is another one in each run; files of rules carry uids.
    ignore: ['data'],
    seeds: 2,
  });
});
// #endregion
