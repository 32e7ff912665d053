import { defineController, defineCustomResource, defineOperator, k, type OperatorModel, read, validating, watch } from 'keelson';
import type { OperatorProps } from 'keelson/constructs';
import { ConfigMap, Namespace, Node, Pod, Secret, Service } from 'keelson/kinds';
import { z } from 'zod';
import { operator as memcachedOperator } from '../../examples/memcached/memcached-operator.js';
import type { Row } from './granted-rights.js';
import { servingCertificate } from './harness/index.js';

const settings = { spec: z.object({ size: k.int32() }), status: z.object({ a: z.string().optional() }) };
const Fleet = defineCustomResource({
  group: 'fleet.example.com',
  kind: 'Fleet',
  scope: 'Cluster',
  versions: { v1: { ...settings, storage: true }, v1beta1: { spec: z.object({ count: k.int32() }), status: settings.status } },
  convert: {
    v1beta1: {
      toStorage: ({ spec, status }) => ({ spec: { size: spec.count }, status }),
      fromStorage: ({ spec, status }) => ({ spec: { count: spec.size }, status }),
    },
  },
});
const Ship = defineCustomResource({ group: 'fleet.example.com', kind: 'Ship', versions: { v1: { spec: settings.spec } } });

/** Every way to ask for a right. */
const fleetOperator = defineOperator({
  name: 'fleet',
  controllers: [
    defineController({
      name: 'fleet',
      for: Fleet,
      owns: { ships: Ship },
      watches: {
        pods: watch(Pod, { verbs: ['delete', 'evict'] }),
        settings: watch(ConfigMap, { verbs: ['create', 'update'] }),
        nodes: Node,
      },
      reads: { namespaces: Namespace },
      reconcile: ({ done }) => done(),
    }),
    defineController({
      name: 'ship',
      for: Ship,
      watches: { secrets: watch(Secret, { verbs: ['apply'] }) },
      reads: { services: Service },
      permissions: [
        { apiGroups: [''], resources: ['pods/exec'], verbs: ['create'] },
        { apiGroups: [''], resources: ['endpoints'], resourceNames: ['harbour'], verbs: ['get'] },
        { apiGroups: ['storage.k8s.io'], resources: ['storageclasses'], verbs: ['get'], clusterScoped: true },
        { nonResourceURLs: ['/metrics'], verbs: ['get'] },
      ],
      reconcile: ({ done }) => done(),
      finalize: () => undefined,
    }),
  ],
  webhooks: [validating(Ship, () => [])],
});

/** Rights in single namespaces beside those everywhere. */
const namedOperator = defineOperator({
  name: 'named',
  controllers: [
    defineController({
      name: 'ship',
      for: Ship,
      watches: {
        settings: watch(ConfigMap, { select: { namespaces: ['kube-system'], fields: { 'metadata.name': 'harbour' } } }),
        pods: watch(Pod, { select: { namespaces: ['default', 'kube-system'] }, verbs: ['delete', 'evict'] }),
      },
      reads: { secrets: read(Secret, { verbs: ['get'], namespaces: ['default'] }) },
      permissions: [{ apiGroups: [''], resources: ['pods/log'], verbs: ['get'], namespaces: ['kube-system'] }],
      reconcile: ({ done }) => done(),
    }),
  ],
  webhooks: [validating(Ship, () => [], { watches: { services: watch(Service, { select: { namespaces: ['default'] } }) } })],
});

const memcachedRows = (where: 'cluster' | 'watched'): readonly Row[] => [
  { where, on: 'memcacheds.cache.example.com', verbs: 'get list watch patch' },
  { where, on: 'memcacheds.cache.example.com/status', verbs: 'patch' },
  { where, on: 'memcacheds.cache.example.com/finalizers', verbs: 'update' },
  { where, on: 'deployments.apps', verbs: 'list watch create patch delete' },
  { where, on: 'pods', verbs: 'list watch' },
  { where, on: 'events.events.k8s.io', verbs: 'create patch' },
];
const leaseRows = (lease: string): readonly Row[] => [
  { where: 'own', on: 'leases.coordination.k8s.io', verbs: 'create' },
  { where: 'own', on: 'leases.coordination.k8s.io', verbs: 'get update', names: [lease] },
];
const certificateRows = (name: string, configurations: readonly ('mutating' | 'validating')[]): readonly Row[] => [
  { where: 'own', on: 'secrets', verbs: 'create' },
  { where: 'own', on: 'secrets', verbs: 'get update', names: [`${name}-certificate`] },
  ...configurations.map((type): Row => {
    const on = `${type}webhookconfigurations.admissionregistration.k8s.io`;
    return { where: 'cluster', on, verbs: 'get patch', names: [name] };
  }),
];
const metricsRows: readonly Row[] = [
  { where: 'cluster', on: 'tokenreviews.authentication.k8s.io', verbs: 'create' },
  { where: 'cluster', on: 'subjectaccessreviews.authorization.k8s.io', verbs: 'create' },
];
const fleetRows = (where: 'cluster' | 'watched'): readonly Row[] => [
  { where: 'cluster', on: 'fleets.fleet.example.com', verbs: 'list watch' },
  { where: 'cluster', on: 'fleets.fleet.example.com/status', verbs: 'patch' },
  { where: 'cluster', on: 'fleets.fleet.example.com/finalizers', verbs: 'update' },
  { where: 'cluster', on: 'nodes', verbs: 'list watch' },
  { where: 'cluster', on: 'namespaces', verbs: 'get list' },
  { where: 'cluster', on: 'events.events.k8s.io', verbs: 'create patch' },
  { where: 'cluster', on: 'storageclasses.storage.k8s.io', verbs: 'get' },
  { where, on: 'ships.fleet.example.com', verbs: 'get list watch create patch delete' },
  { where, on: 'pods', verbs: 'list watch delete' },
  { where, on: 'pods/eviction', verbs: 'create' },
  { where, on: 'pods/exec', verbs: 'create' },
  { where, on: 'configmaps', verbs: 'list watch create update' },
  { where, on: 'secrets', verbs: 'list watch create patch' },
  { where, on: 'services', verbs: 'get list' },
  { where, on: 'endpoints', verbs: 'get', names: ['harbour'] },
];

export interface PermissionCase {
  readonly title: string;
  /** Unique in the cluster, as roles of the cluster are named after it. */
  readonly name: string;
  readonly operator: OperatorModel;
  readonly namespaced: boolean;
  readonly props: Partial<OperatorProps>;
  readonly rows: readonly Row[];
  readonly paths: readonly string[];
}

export const CASES: readonly PermissionCase[] = [
  {
    title: 'memcached, cluster-wide',
    name: 'memcached-operator',
    operator: memcachedOperator,
    namespaced: false,
    props: {},
    rows: [
      ...memcachedRows('cluster'),
      ...leaseRows('memcached-operator'),
      ...certificateRows('memcached-operator', ['mutating', 'validating']),
      ...metricsRows,
    ],
    paths: [],
  },
  {
    title: 'memcached in two namespaces, with a certificate of cert-manager and another lease',
    name: 'memcached-teams',
    operator: memcachedOperator,
    namespaced: true,
    props: { certificates: { certManager: {} }, leaderElection: { leaseName: 'leader' } },
    rows: [...memcachedRows('watched'), ...leaseRows('leader'), ...metricsRows],
    paths: [],
  },
  {
    title: 'all declarations, cluster-wide, with metrics and a conversion',
    name: 'fleet',
    operator: fleetOperator,
    namespaced: false,
    props: {},
    rows: [
      ...fleetRows('cluster'),
      ...leaseRows('fleet'),
      ...certificateRows('fleet', ['validating']),
      {
        where: 'cluster',
        on: 'customresourcedefinitions.apiextensions.k8s.io',
        verbs: 'get patch',
        names: ['fleets.fleet.example.com'],
      },
      // Its stored versions are migrated.
      { where: 'cluster', on: 'fleets.fleet.example.com', verbs: 'get patch' },
      {
        where: 'cluster',
        on: 'customresourcedefinitions.apiextensions.k8s.io/status',
        verbs: 'patch',
        names: ['fleets.fleet.example.com'],
      },
      ...metricsRows,
    ],
    paths: ['/metrics'],
  },
  {
    title: 'all declarations, in two namespaces, without election, with open metrics and a given certificate',
    name: 'fleet-teams',
    operator: fleetOperator,
    namespaced: true,
    props: {
      leaderElection: false,
      metrics: { secure: false },
      certificates: { secret: { name: 'given', caBundle: servingCertificate(['fleet.example.com']).certificate } },
    },
    rows: fleetRows('watched'),
    paths: ['/metrics'],
  },
  {
    title: 'declarations that name namespaces',
    name: 'named',
    operator: namedOperator,
    namespaced: false,
    props: { metrics: false },
    rows: [
      { where: 'cluster', on: 'ships.fleet.example.com', verbs: 'list watch' },
      { where: 'cluster', on: 'events.events.k8s.io', verbs: 'create patch' },
      { where: { namespaces: ['kube-system'] }, on: 'configmaps', verbs: 'list watch', names: ['harbour'] },
      { where: { namespaces: ['default', 'kube-system'] }, on: 'pods', verbs: 'list watch delete' },
      { where: { namespaces: ['default', 'kube-system'] }, on: 'pods/eviction', verbs: 'create' },
      { where: { namespaces: ['default'] }, on: 'secrets', verbs: 'get' },
      { where: { namespaces: ['kube-system'] }, on: 'pods/log', verbs: 'get' },
      { where: { namespaces: ['default'] }, on: 'services', verbs: 'list watch' },
      ...leaseRows('named'),
      ...certificateRows('named', ['validating']),
    ],
    paths: [],
  },
];
