import { defineController, defineCustomResource, defineOperator } from 'keelson';
import { defineOperatorPackage, type OlmBundle, type OlmBundleOptions, olmBundle } from 'keelson/packaging';
import { z } from 'zod';
import { operator as cronJobOperator } from '../../../examples/cronjob/cronjob-operator.js';
import { backupPackage, clusterPackage } from '../../../examples/etcd/package.js';
import { memcachedBundle } from '../../../examples/memcached/bundle.js';
import { operator as prometheusOperator } from '../../../examples/prometheus/prometheus-operator.js';
import { config as prometheusConfig } from '../../../examples/prometheus/settings.js';

const icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" fill="#37b"/></svg>';
const facts = {
  provider: { name: 'Example Inc.', url: 'https://example.com' },
  maintainers: [{ name: 'Platform team', email: 'platform@example.com' }],
  icon: { base64data: btoa(icon), mediatype: 'image/svg+xml' },
  minKubeVersion: '1.30.0',
} as const satisfies Partial<OlmBundleOptions>;

const stored = { backupStorageType: 'Directory', directory: { path: 'data' } };
const etcdSample = (kind: string, spec: object): object => ({
  apiVersion: 'etcd.database.coreos.com/v1beta2',
  kind,
  metadata: { name: 'data' },
  spec,
});
const etcdCluster = olmBundle(clusterPackage, {
  ...facts,
  displayName: 'etcd',
  categories: ['Database'],
  capabilities: 'Full Lifecycle',
  samples: [etcdSample('EtcdCluster', { size: 3 })],
});

const etcdBackup = olmBundle(backupPackage, {
  ...facts,
  displayName: 'etcd backups',
  categories: ['Database'],
  // A PersistentVolumeClaim is nothing that OLM installs: an administrator makes it.
  values: { volume: { claim: 'etcd-backups' } },
  samples: [
    etcdSample('EtcdBackup', { storageType: 'Directory', directory: { path: 'data' }, etcdEndpoints: ['http://data-client:2379'] }),
    etcdSample('EtcdRestore', { ...stored, etcdCluster: { name: 'data' } }),
  ],
});

const prometheus = olmBundle(
  defineOperatorPackage({
    operator: prometheusOperator,
    image: 'registry.example.com/prometheus-operator:0.1.0',
    version: '0.1.0',
    description: 'Prometheus and what it scrapes',
    props: () => ({ settings: [prometheusConfig.values({ repairPolicy: 'evict' })] }),
  }),
  {
    ...facts,
    displayName: 'Prometheus',
    categories: ['Monitoring'],
    channels: ['stable', 'candidate'],
    samples: [{ apiVersion: 'monitoring.coreos.com/v1', kind: 'Prometheus', metadata: { name: 'main' }, spec: { replicas: 2 } }],
  },
);

const cronSample = (version: string, schedule: unknown): object => ({
  apiVersion: `batch.example.com/${version}`,
  kind: 'CronJob',
  metadata: { name: 'hello' },
  spec: { schedule, jobTemplate: { spec: { template: { spec: { containers: [{ name: 'hello', image: 'busybox:1.37' }] } } } } },
});
const cronJob = olmBundle(
  defineOperatorPackage({
    operator: cronJobOperator,
    image: 'registry.example.com/cronjob-operator:0.1.0',
    version: '0.1.0',
    description: 'Jobs at times',
  }),
  {
    ...facts,
    displayName: 'Cron jobs',
    categories: ['Developer Tools'],
    samples: [cronSample('v2', { minute: '*/5' }), cronSample('v1', '*/5 * * * *')],
  },
);

const Plain = defineCustomResource({ group: 'plain.example.com', kind: 'Plain', versions: { v1: { spec: z.object({ size: z.int() }) } } });
/** Nothing but what has to be said: no icon, no samples, no maintainers, kinds without descriptions. */
const least = olmBundle(
  defineOperatorPackage({
    operator: defineOperator({
      name: 'plain-operator',
      controllers: [defineController({ name: 'plain', for: Plain, reconcile: ({ done }) => done() })],
    }),
    image: 'registry.example.com/plain-operator:1.0.0',
    version: '1.0.0',
  }),
  { displayName: 'Plain', provider: facts.provider, minKubeVersion: '1.30.0', categories: ['Networking'] },
);

/** Bundles that are judged: those of the examples, one with a conversion, and one with nothing that may be left out. */
export const BUNDLES: Readonly<Record<string, OlmBundle>> = {
  memcached: memcachedBundle,
  'etcd clusters': etcdCluster,
  'etcd backups': etcdBackup,
  prometheus,
  'cron jobs, with a conversion': cronJob,
  'the least': least,
};
