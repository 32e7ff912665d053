import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { CronJob } from '../../../examples/cronjob/cron-job.js';
import { EtcdBackup } from '../../../examples/etcd/backup/etcd-backup.js';
import { EtcdCluster } from '../../../examples/etcd/cluster/etcd-cluster.js';
import { EtcdRestore } from '../../../examples/etcd/restore/etcd-restore.js';
import { Memcached } from '../../../examples/memcached/memcached.js';
import { PodMonitor, Prometheus, PrometheusRule, ServiceMonitor } from '../../../examples/prometheus/kinds.js';
import { SidecarSet } from '../../../examples/sidecarset/sidecar-set.js';
import { customResourceDefinitionManifest } from '../../../src/keelson/index.js';
import { compiled, emptyWork, keelson, node } from '../scaffolded.js';

const root = process.cwd();

describe('the definitions of the examples, from their CRDs', () => {
  const kinds = {
    CronJob,
    EtcdBackup,
    EtcdCluster,
    EtcdRestore,
    Memcached,
    Prometheus,
    ServiceMonitor,
    PodMonitor,
    PrometheusRule,
    SidecarSet,
  };
  const manifests = Object.entries(kinds).map(([kind, { customResource }]) => ({
    kind,
    manifest: customResourceDefinitionManifest(customResource, {
      conversionWebhook: { serviceName: 'webhook', serviceNamespace: 'system' },
    }) as unknown as Readonly<Record<string, unknown>>,
  }));
  const work = emptyWork('init-from');
  let said = '';

  beforeAll(async () => {
    writeFileSync(
      join(work, 'crds.yaml'),
      manifests.map(({ manifest }) => stringify(manifest, { aliasDuplicateObjects: false })).join('---\n'),
    );
    const { status, out, error } = await keelson('init all --from crds.yaml', work);
    expect([status, error]).toEqual([0, '']);
    said = out;
  });

  test('make the very CRDs again', () => {
    writeFileSync(
      join(work, 'emit.ts'),
      `import { customResourceDefinitionManifest } from 'keelson';
import { operator } from './all/src/operator.js';
const all = operator.controllers.map(({ for: { customResource } }: any) => [customResource.kind, customResourceDefinitionManifest(customResource, { conversionWebhook: false })]);
console.log(JSON.stringify(Object.fromEntries(all)));
`,
    );
    const made = JSON.parse(
      node([join(root, 'node_modules/tsx/dist/cli.mjs'), '--tsconfig', join(root, 'tsconfig.json'), 'emit.ts'], work),
    ) as object;
    expect(Object.keys(made).sort()).toEqual(Object.keys(kinds).sort());
    // A version whose objects are converted is left out, and listed.
    const kept = manifests.map(({ kind, manifest }) => [kind, { ...manifest, spec: keptOf(manifest['spec']) }]);
    expect(made).toEqual(JSON.parse(JSON.stringify(Object.fromEntries(kept))));
  });

  const keptOf = (value: unknown): object => {
    const { conversion, ...spec } = value as { readonly conversion?: object; readonly versions: readonly { readonly storage: boolean }[] };
    return { ...spec, versions: spec.versions.filter(({ storage }) => storage || conversion === undefined) };
  };

  test('compile', () => {
    rmSync(join(work, 'emit.ts'), { force: true });
    expect(compiled(work)).toBe('');
  });

  test('list what is not in them', () => {
    expect(said).toContain('Beside the CRDs');
    expect(readFileSync(join(work, 'all/README.md'), 'utf8')).toContain('## Beside the CRDs');
    expect(said).toContain('`spec.conversion`: the webhook that converts is code: write convert');
  });
});
