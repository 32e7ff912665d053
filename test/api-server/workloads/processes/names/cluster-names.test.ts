import { clusterNames } from '../../../../../src/api-server/workloads/processes/names/cluster-names.js';
import type { EndpointSlice, Service } from '../../../../../src/kubernetes/kinds/index.js';

const service = (name: string, spec: Service['spec'] = {}, namespace = 'shop'): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace },
  spec,
});
const slice = (name: string, endpoints: EndpointSlice['endpoints'], more: Partial<EndpointSlice> = {}): EndpointSlice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: `${name}-1`, namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
  addressType: 'IPv4',
  endpoints,
  ...more,
});
const names = (services: readonly Service[], slices: readonly EndpointSlice[] = []): readonly string[] =>
  clusterNames({ services, slices, apiServer: '127.0.0.1' }).map(
    ({ namespace, service: name, hostname, addresses }) =>
      `${hostname === undefined ? '' : `${hostname}.`}${name}.${namespace} ${addresses.join(',')}`,
  );

test('a Service has the name of its ClusterIP, with endpoints or without', () => {
  expect(names([service('web', { clusterIP: '127.16.254.1', clusterIPs: ['127.16.254.1'] })])).toEqual(['web.shop 127.16.254.1']);
});

test('a headless Service has that of its ready endpoints, and each that has a hostname its own', () => {
  const endpoints = [
    { addresses: ['127.16.0.4'], hostname: 'db-0', conditions: { ready: true } },
    { addresses: ['127.16.0.5'], hostname: 'db-1', conditions: { ready: false } },
    { addresses: ['127.16.0.6'] },
  ];
  const db = service('db', { clusterIP: 'None', clusterIPs: ['None'] });
  expect(names([db], [slice('db', endpoints)])).toEqual(['db.shop 127.16.0.4,127.16.0.6', 'db-0.db.shop 127.16.0.4']);
});

test('a Service without addresses has no name: nothing is ready, or it stands for another name', () => {
  expect(names([service('db', { clusterIP: 'None' }), service('far', { type: 'ExternalName', externalName: 'example.com' })])).toEqual([]);
});

test('slices of other Services, other namespaces and of names instead of addresses are not read', () => {
  const endpoints = [{ addresses: ['127.16.0.4'] }];
  const db = service('db', { clusterIP: 'None' });
  const elsewhere = { metadata: { name: 'x', namespace: 'other', labels: { 'kubernetes.io/service-name': 'db' } } };
  expect(
    names([db], [slice('web', endpoints), slice('db', endpoints, elsewhere), slice('db', endpoints, { addressType: 'FQDN' })]),
  ).toEqual([]);
});

test('kubernetes.default is where the API server is, since nothing listens at its ClusterIP', () => {
  expect(names([service('kubernetes', { clusterIP: '127.16.254.0' }, 'default')])).toEqual(['kubernetes.default 127.0.0.1']);
});
