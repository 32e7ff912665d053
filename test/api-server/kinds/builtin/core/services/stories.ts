import type { Json } from '../../../../../../src/kubernetes/apimachinery/index.js';
import { type Fields, namespaced, type Step, type Story, story } from '../../stories/story.js';

const endpoints = namespaced('v1', 'Endpoints', 'endpoints');
const kind = namespaced('v1', 'Service', 'services');
const port = (number: number, fields: Fields = {}): Json => ({ port: number, ...fields });
const named = (name: string, number: number, fields: Fields = {}): Json => ({ name, port: number, ...fields });
const service = (title: string, spec: Fields, ...then: Step[]): Story => story(kind, title, { spec }, ...then);
const patch = (spec: Fields): Step => ({ patch: { spec } });

export const servicesStories: readonly Story[] = [
  story(
    endpoints,
    'plain',
    { subsets: [{ addresses: [{ ip: '1.2.3.4', nodeName: 'n', targetRef: { kind: 'Pod', name: 'p' } }], ports: [{ port: 80 }] }] },
    { put: { subsets: [{ notReadyAddresses: [{ ip: '1.2.3.4' }] }] } },
  ),
  story(endpoints, 'bad', {
    subsets: [
      {},
      {
        addresses: [
          { ip: '127.0.0.1' },
          { ip: '0.0.0.0', hostname: 'A' },
          { ip: '169.254.1.1', nodeName: 'B_' },
          { ip: '224.0.0.5' },
          { ip: 'x' },
          { ip: '::1' },
          { ip: 'fe80::1' },
        ],
        ports: [{ port: 0 }, { name: 'a.b', port: 70000, protocol: 'ICMP', appProtocol: 'x y' }],
      },
    ],
  }),
  story(endpoints, 'odd addresses', { subsets: [{ addresses: [{ ip: '010.1.1.1' }, { ip: '::ffff:1.2.3.4' }, { ip: 'FD00::1' }] }] }),
  service(
    'plain',
    { selector: { app: 'a' }, ports: [port(80)] },
    { get: '' },
    { put: { spec: { selector: { app: 'b' }, ports: [port(81, { targetPort: 'web' })] } } },
    patch({ clusterIP: '10.0.0.9' }),
    patch({ clusterIP: null }),
    patch({ clusterIPs: ['10.0.0.9'], clusterIP: '10.0.0.9' }),
    patch({ clusterIP: 'None' }),
    patch({ clusterIPs: null }),
    { delete: {} },
  ),
  service('without ports', { selector: { app: 'a' } }),
  service(
    'given address',
    { clusterIP: '10.0.0.8', ports: [port(80)] },
    { post: { metadata: { name: 'other' }, spec: { clusterIP: '10.0.0.8', ports: [port(80)] } } },
  ),
  service(
    'made again with its address and port',
    { type: 'NodePort', clusterIP: '10.0.0.11', ports: [port(80, { nodePort: 30_011 })] },
    { delete: {} },
    { post: { metadata: { name: 'again' }, spec: { type: 'NodePort', clusterIP: '10.0.0.11', ports: [port(80, { nodePort: 30_011 })] } } },
    { post: { metadata: { name: 'third' }, spec: { clusterIP: '10.0.0.11', ports: [port(80)] } } },
  ),
  service(
    'refused with its address and port',
    { type: 'NodePort', clusterIP: '10.0.0.12', ports: [port(80, { nodePort: 30_012 }), port(80)] },
    { post: { metadata: { name: 'later' }, spec: { type: 'NodePort', clusterIP: '10.0.0.12', ports: [port(80, { nodePort: 30_012 })] } } },
  ),
  service('only plural', { clusterIPs: ['10.0.0.7'], ports: [port(80)] }),
  service('not of the range', { clusterIP: '10.1.0.8', ports: [port(80)] }),
  service('network address', { clusterIP: '10.0.0.0', ports: [port(80)] }),
  service('broadcast address', { clusterIP: '10.0.0.255', ports: [port(80)] }),
  service('no address', { clusterIP: 'x', ports: [port(80)] }),
  service('of six', { clusterIP: 'fd00::1', ports: [port(80)] }),
  service('two addresses', { clusterIP: '10.0.0.7', clusterIPs: ['10.0.0.7', '10.0.0.6'], ports: [port(80)] }),
  service('two stacks', { clusterIP: '10.0.0.7', clusterIPs: ['10.0.0.7', 'fd00::1'], ports: [port(80)] }),
  service('three addresses', { clusterIP: '10.0.0.7', clusterIPs: ['10.0.0.7', 'fd00::1', '10.0.0.6'], ports: [port(80)] }),
  service('none and more', { clusterIP: 'None', clusterIPs: ['None', '10.0.0.6'], ports: [port(80)] }),
  service('disagreeing', { clusterIP: '10.0.0.7', clusterIPs: ['10.0.0.6'], ports: [port(80)] }),
  service('wants both', { ipFamilyPolicy: 'RequireDualStack', ports: [port(80)] }),
  service('prefers both', { ipFamilyPolicy: 'PreferDualStack', ports: [port(80)] }, patch({ ports: [port(81)] })),
  service('bad policy', { ipFamilyPolicy: 'Any', ipFamilies: ['IPv5', 'IPv4', 'IPv4'], ports: [port(80)] }),
  service('six only', { ipFamilies: ['IPv6'], ports: [port(80)] }),
  service('both families', { ipFamilies: ['IPv4', 'IPv6'], ports: [port(80)] }),
  service('family of another', { ipFamilies: ['IPv6'], clusterIP: '10.0.0.7', ports: [port(80)] }),
  service(
    'headless',
    { clusterIP: 'None', selector: { a: 'b' } },
    patch({ clusterIP: '10.0.0.4' }),
    patch({ type: 'NodePort' }),
    patch({ ports: [port(80)] }),
  ),
  service(
    'headless and free',
    { clusterIP: 'None', sessionAffinity: 'ClientIP', externalIPs: ['1.2.3.4'] },
    patch({ ipFamilyPolicy: 'SingleStack' }),
  ),
  service('headless of six', { clusterIP: 'None', ipFamilies: ['IPv6'] }),
  service('headless and single', { clusterIP: 'None', ipFamilyPolicy: 'SingleStack' }),
  service(
    'external name',
    { type: 'ExternalName', externalName: 'example.com.' },
    patch({ type: 'ClusterIP' }),
    patch({ type: 'ClusterIP', ports: [port(80)], externalName: null }),
  ),
  service('external name missing', { type: 'ExternalName' }),
  service('external name too much', {
    type: 'ExternalName',
    externalName: 'A_b',
    clusterIP: '10.0.0.7',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    externalIPs: ['1.2.3.4'],
    internalTrafficPolicy: 'Local',
  }),
  service('becomes external', { ports: [port(80)] }, patch({ type: 'ExternalName', externalName: 'x' }), { get: '' }),
  service(
    'node port',
    { type: 'NodePort', ports: [named('a', 80), named('b', 80, { protocol: 'UDP' }), named('c', 81, { nodePort: 30_001 })] },
    { put: { spec: { type: 'NodePort', ports: [named('a', 80), named('d', 82)] } } },
    patch({ ports: [named('a', 80, { nodePort: 30_002 })] }),
    patch({ ports: [named('a', 80, { nodePort: 29_999 })] }),
    patch({ type: 'ClusterIP' }),
    patch({ ports: [named('a', 80, { nodePort: 30_003 })] }),
    patch({ type: 'LoadBalancer' }),
  ),
  service(
    'node port taken',
    { type: 'NodePort', ports: [port(80, { nodePort: 30_005 })] },
    {
      post: { metadata: { name: 'other' }, spec: { type: 'NodePort', ports: [port(80, { nodePort: 30_005 })] } },
    },
  ),
  service('node ports that clash', {
    type: 'NodePort',
    ports: [named('a', 80, { nodePort: 30_006 }), named('b', 81, { nodePort: 30_006 })],
  }),
  service('node port of protocols', {
    type: 'NodePort',
    ports: [named('a', 53, { protocol: 'UDP' }), named('b', 53, { nodePort: 30_007 })],
  }),
  service('node port too high', { type: 'NodePort', ports: [port(80, { nodePort: 40_000 })] }),
  service('node port without type', { ports: [port(80, { nodePort: 30_008 })] }),
  service('bad ports', {
    ports: [
      named('a', 80),
      named('a', 80),
      named('A', 0, { targetPort: 70_000 }),
      port(81, { protocol: 'X', targetPort: 'a--b', appProtocol: 'x y' }),
    ],
  }),
  service(
    'load balancer',
    {
      type: 'LoadBalancer',
      ports: [port(80)],
      loadBalancerClass: 'example.com/x',
      loadBalancerSourceRanges: [' 10.0.0.0/8 ', '1.2.3.4/8'],
    },
    patch({ loadBalancerClass: 'other' }),
    { patch: { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }, { hostname: 'a.b' }] } } }, of: 'status' },
    {
      patch: {
        status: { loadBalancer: { ingress: [{ ip: 'x', ipMode: 'Y' }, { hostname: '1.2.3.4', ipMode: 'VIP' }, { hostname: 'A' }] } },
      },
      of: 'status',
    },
    { get: '' },
    patch({ type: 'ClusterIP', loadBalancerSourceRanges: null }),
    { patch: { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } }, of: 'status' },
  ),
  service(
    'local load balancer',
    { type: 'LoadBalancer', ports: [port(80)], externalTrafficPolicy: 'Local', healthCheckNodePort: 30_010 },
    patch({ healthCheckNodePort: 30_011 }),
    { put: { spec: { type: 'LoadBalancer', ports: [port(80)], externalTrafficPolicy: 'Local' } } },
    patch({ externalTrafficPolicy: 'Cluster' }),
    patch({ externalTrafficPolicy: 'Local' }),
  ),
  service('local load balancer taken', {
    type: 'LoadBalancer',
    ports: [port(80)],
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 20_000,
  }),
  service(
    'load balancer without ports of nodes',
    { type: 'LoadBalancer', ports: [port(80)], allocateLoadBalancerNodePorts: false },
    patch({ allocateLoadBalancerNodePorts: true }),
  ),
  service('fields of load balancers', {
    ports: [port(80)],
    allocateLoadBalancerNodePorts: true,
    loadBalancerClass: 'x',
    loadBalancerSourceRanges: ['x'],
    loadBalancerIP: '010.1.1.1',
    healthCheckNodePort: 30_012,
    externalTrafficPolicy: 'Local',
  }),
  service('policies', {
    ports: [port(80)],
    internalTrafficPolicy: 'X',
    trafficDistribution: 'Y',
    externalIPs: ['1.2.3.4', '127.0.0.1', 'x'],
    externalTrafficPolicy: 'Z',
  }),
  service(
    'affinity',
    { ports: [port(80)], sessionAffinity: 'ClientIP' },
    patch({ sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } } }),
    patch({ sessionAffinity: 'None' }),
  ),
  service('bad affinity', { ports: [port(80)], sessionAffinity: 'X', type: 'Y' }),
  service('distribution', { ports: [port(80)], trafficDistribution: 'PreferSameNode', publishNotReadyAddresses: true }),
  service('bad selector', { ports: [port(80)], selector: { 'a b': '-' } }),
  story(kind, 'annotations', {
    metadata: {
      annotations: {
        'service.kubernetes.io/topology-aware-hints': 'a',
        'service.kubernetes.io/topology-mode': 'b',
        'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8, x',
      },
    },
    spec: { ports: [port(80)] },
  }),
  story(kind, 'bad name', { metadata: { name: '1a' }, spec: { ports: [port(80)] } }),
  story(kind, 'by update', { metadata: { name: 'ABC' }, spec: {} }, { delete: {} }),
];
