import { backupPackage, clusterPackage, etcdClusterPackage, etcdPackage } from './package.js';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: Record<string, unknown>;
}

const named = (objects: readonly object[], kind: string): readonly string[] =>
  (objects as Manifest[]).filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);

test('the set installs both operators under names of its own, and one of them alone', () => {
  const both = etcdPackage.manifests();
  expect(named(both, 'Deployment')).toEqual(['etcd-operators-cluster', 'etcd-operators-backup']);
  expect(named(both, 'CustomResourceDefinition')).toEqual([
    'etcdclusters.etcd.database.coreos.com',
    'etcdbackups.etcd.database.coreos.com',
    'etcdrestores.etcd.database.coreos.com',
  ]);
  const alone = etcdPackage.manifests({ backup: { enabled: false } });
  expect(named(alone, 'Deployment')).toEqual(['etcd-operators-cluster']);
});

test('Pods of restored clusters reach the Service of the release, unless another address is given', () => {
  const text = JSON.stringify(etcdPackage.manifests());
  expect(text).toContain('{"name":"ETCD_RESTORE_URL","value":"http://etcd-operators-backup-backups.etcd-system.svc:19999"}');
  expect(named(etcdPackage.manifests(), 'Service')).toContain('etcd-operators-backup-backups');
  const given = JSON.stringify(backupPackage.manifests({ settings: { url: 'https://backups.example.com' } }));
  expect(given).toContain('{"name":"ETCD_RESTORE_URL","value":"https://backups.example.com"}');
});

test('settings of the operator are values, and texts that are none of a choice are refused', () => {
  const text = JSON.stringify(clusterPackage.manifests({ settings: { scope: 'clusterwide', deadMemberAfterSeconds: 60 } }));
  expect(text).toContain('{"name":"ETCD_SCOPE","value":"clusterwide"}');
  expect(text).toContain('{"name":"ETCD_DEAD_MEMBER_AFTER_SECONDS","value":"60"}');
  expect(() => clusterPackage.manifests({ settings: { scope: 'everywhere' } })).toThrow(/^values\.settings\.scope: /);
});

test('a claim is created for backups, unless one is given', () => {
  expect(named(backupPackage.manifests(), 'PersistentVolumeClaim')).toEqual(['etcd-backup-operator-backups']);
  expect(named(backupPackage.manifests({ volume: { claim: 'mine' } }), 'PersistentVolumeClaim')).toEqual([]);
});

test('a cluster has volumes if it is given their size', () => {
  const [plain] = etcdClusterPackage.manifests() as Manifest[];
  expect(plain?.spec).toEqual({ size: 3, version: '3.6.16', repository: 'quay.io/coreos/etcd', pod: {} });
  const [stored] = etcdClusterPackage.manifests({ storage: '8Gi', size: 5 }) as Manifest[];
  expect(stored?.spec).toMatchObject({
    size: 5,
    pod: { persistentVolumeClaimSpec: { resources: { requests: { storage: '8Gi' } } } },
  });
});
