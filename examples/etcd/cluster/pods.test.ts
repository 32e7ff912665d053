import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEADLINE_MS } from '../../../test/deadline.cjs';
import { etcdCluster } from './cluster-objects.js';
import { claimFor, DATA_DIRECTORY, DATA_MOUNT, podFor } from './pods.js';

const member = { name: 'ring-a', version: '3.6.16', state: 'existing', initialCluster: 'ring-a=http://a:2380' } as const;
const argsOf = (spec: Parameters<typeof etcdCluster>[0]) => podFor(etcdCluster(spec), member).spec.containers[0]?.args;

test('a member listens everywhere, and is known by its own name', () => {
  expect(argsOf({})).toEqual([
    '--data-dir=/var/etcd/data',
    '--name=ring-a',
    '--initial-advertise-peer-urls=http://ring-a.ring.shop.svc:2380',
    '--listen-peer-urls=http://0.0.0.0:2380',
    '--listen-client-urls=http://0.0.0.0:2379',
    '--advertise-client-urls=http://ring-a.ring.shop.svc:2379',
    '--listen-metrics-urls=http://0.0.0.0:2381',
    '--initial-cluster=ring-a=http://a:2380',
    '--initial-cluster-state=existing',
  ]);
});

test('only a new cluster has a token, that of its uid', () => {
  const { args } = podFor(etcdCluster(), { ...member, state: 'new' }).spec.containers[0] ?? {};
  expect(args?.at(-1)).toBe('--initial-cluster-token=uid-of-ring');
});

test('2A-31 with Secrets peers and clients must show certificates, which are read from folders', () => {
  const TLS = { static: { member: { peerSecret: 'peers', serverSecret: 'servers' }, operatorSecret: 'client' } };
  const { containers, volumes } = podFor(etcdCluster({ TLS }), member).spec;
  expect(containers[0]?.args).toEqual(
    expect.arrayContaining([
      '--listen-client-urls=https://0.0.0.0:2379',
      '--advertise-client-urls=https://ring-a.ring.shop.svc:2379',
      '--initial-advertise-peer-urls=https://ring-a.ring.shop.svc:2380',
      '--listen-metrics-urls=http://0.0.0.0:2381',
      '--peer-client-cert-auth=true',
      '--peer-cert-file=/etc/etcdtls/member/peer-tls/peer.crt',
      '--peer-trusted-ca-file=/etc/etcdtls/member/peer-tls/peer-ca.crt',
      '--client-cert-auth=true',
      '--key-file=/etc/etcdtls/member/server-tls/server.key',
    ]),
  );
  expect(volumes?.map(({ secret }) => secret?.secretName)).toEqual([undefined, 'peers', 'servers']);
  expect(containers[0]?.volumeMounts?.every(({ subPath }) => subPath === undefined)).toBe(true);
});

test('a claim names the member whose data it holds', () => {
  expect(claimFor(etcdCluster(), 'ring-a', '17')).toBeUndefined();
  const pod = { ...etcdCluster().spec.pod, persistentVolumeClaimSpec: { resources: { requests: { storage: '1Gi' } } } };
  expect(claimFor(etcdCluster({ pod }), 'ring-a', '17')?.metadata).toMatchObject({
    name: 'ring-a',
    annotations: { 'etcd.database.coreos.com/member': '17' },
  });
  expect(podFor(etcdCluster({ pod }), member).spec.volumes?.[0]).toEqual({
    name: 'etcd-data',
    persistentVolumeClaim: { claimName: 'ring-a' },
  });
});

test('what runs before etcd finds its data where etcd does', () => {
  const restore = { name: 'restore', image: 'restore:1', args: [`--data-dir=${DATA_DIRECTORY}`], volumeMounts: [DATA_MOUNT] };
  const { initContainers, containers } = podFor(etcdCluster(), { ...member, initContainers: [restore] }).spec;
  expect(initContainers?.map(({ name }) => name)).toEqual(['check-dns', 'restore']);
  expect(containers[0]?.args).toContain(`--data-dir=${DATA_DIRECTORY}`);
  expect(containers[0]?.volumeMounts).toContain(DATA_MOUNT);
});

test('no container asks for a privilege: with a user in spec.pod.securityContext they are as the standard restricted has it', () => {
  const securityContext = { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } } as const;
  const pod = { ...etcdCluster().spec.pod, securityContext };
  const { spec } = podFor(etcdCluster({ pod }), member);
  expect(spec.securityContext).toEqual(securityContext);
  const containers = [...(spec.initContainers ?? []), ...spec.containers];
  expect(containers.map(({ name }) => name)).toEqual(['check-dns', 'etcd']);
  for (const container of containers)
    expect(container.securityContext).toEqual({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
});

test.each([
  ['that follows the search list by itself', 'ring-a.ring.shop.svc', 'ring-a.ring.shop.svc'],
  ['that does not', 'ring-a.ring.shop.svc.cluster.local', 'ring-a.ring.shop.svc'],
])('a member waits for its own name, with an nslookup %s', (_, known, asked) => {
  const { initContainers } = podFor(etcdCluster({ pod: { ...etcdCluster().spec.pod, DNSTimeoutInSecond: 2 } }), member).spec;
  const [shell = '', ...args] = initContainers?.[0]?.command ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'keelson-dns-'));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  try {
    // In place of /etc/resolv.conf of a Pod, and of DNS.
    write('sed', 'echo shop.svc.cluster.local svc.cluster.local cluster.local');
    write('nslookup', `echo "$1" >> ${folder}/asked; [ "$1" = ${known} ]`);
    write('sleep', 'exit 0');
    const run = (): number | null => spawnSync(shell, args, { env: { PATH: folder }, timeout: DEADLINE_MS }).status;
    expect(run()).toBe(0);
    expect(readFileSync(join(folder, 'asked'), 'utf8').split('\n')[0]).toBe(asked);
    write('nslookup', 'exit 1');
    expect(run()).toBe(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('labels of the operator go before those of the spec', () => {
  const pod = { ...etcdCluster().spec.pod, labels: { team: 'a', app: 'mine' } };
  expect(podFor(etcdCluster({ pod }), member).metadata.labels).toEqual({
    team: 'a',
    app: 'etcd',
    etcd_cluster: 'ring',
    etcd_node: 'ring-a',
  });
});
