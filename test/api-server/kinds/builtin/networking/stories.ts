import type { Json } from '../../../../../src/kubernetes/apimachinery/index.js';
import { clusterWide, type Fields, namespaced, type Story, story } from '../stories/story.js';

const NETWORKING = 'networking.k8s.io/v1';
const policy = namespaced(NETWORKING, 'NetworkPolicy', 'networkpolicies');
const ingress = namespaced(NETWORKING, 'Ingress', 'ingresses');
const ingressClass = clusterWide(NETWORKING, 'IngressClass', 'ingressclasses');
const backend = (name: string, port: Fields): Json => ({ service: { name, port } });
const path = (fields: Fields): Json => ({ backend: backend('a', { number: 80 }), ...fields });
const rule = (host: string | null, ...paths: Json[]): Json => ({ ...(host === null ? {} : { host }), http: { paths } });

export const networkingStories: readonly Story[] = [
  story(
    policy,
    'plain',
    {
      spec: {
        podSelector: {},
        ingress: [
          {
            ports: [{ port: 80 }, { port: 'web', protocol: 'UDP' }],
            from: [{ podSelector: {} }, { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }],
          },
        ],
      },
    },
    { patch: { spec: { egress: [{}] } } },
    { patch: { spec: { policyTypes: ['Egress'] } } },
    { patch: { metadata: { labels: { a: 'b' } } } },
    { patch: { spec: { ingress: [{ from: [{}] }] } } },
    { delete: {} },
  ),
  story(policy, 'with egress', { spec: { podSelector: { matchLabels: { a: 'b' } }, egress: [{ ports: [{ port: 1, endPort: 2 }] }] } }),
  story(policy, 'empty', {}),
  story(policy, 'bad', {
    spec: {
      podSelector: {
        matchLabels: { 'a b': 'c d' },
        matchExpressions: [
          { key: 'x', operator: 'In' },
          { key: 'y', operator: 'Is' },
          { key: 'z', operator: 'Exists', values: ['1'] },
        ],
      },
      policyTypes: ['Ingress', 'Other'],
      ingress: [
        {
          ports: [
            { port: 0 },
            { port: 'a--b' },
            { port: 80, endPort: 79 },
            { port: 80, endPort: 70000 },
            { port: 'x', endPort: 1 },
            { endPort: 1 },
            { protocol: 'ICMP' },
          ],
          from: [
            {},
            { ipBlock: { cidr: '' } },
            { ipBlock: { cidr: 'x' } },
            { podSelector: {}, ipBlock: { cidr: '10.0.0.0/8', except: ['x', '11.0.0.0/16', '10.0.0.0/8'] } },
          ],
        },
      ],
    },
  }),
  story(policy, 'too many types', { spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress', 'Ingress'] } }),
  story(policy, 'odd ranges', {
    spec: { podSelector: {}, egress: [{ to: [{ ipBlock: { cidr: '10.0.0.1/8', except: ['010.1.0.0/16'] } }] }] },
  }),
  story(
    ingress,
    'plain',
    {
      metadata: { annotations: { 'kubernetes.io/ingress.class': 'x' } },
      spec: { rules: [rule('a.example.com', path({ path: '/', pathType: 'Prefix' }))], tls: [{ hosts: ['*.a', 'b'], secretName: 's' }] },
    },
    { patch: { spec: { ingressClassName: 'y' } } },
    {
      patch: { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }, { hostname: 'x', ports: [{ port: 80, protocol: 'TCP' }] }] } } },
      of: 'status',
    },
    { patch: { status: { loadBalancer: { ingress: [{ ip: 'x' }, { hostname: '1.2.3.4' }, { hostname: 'A' }] } } }, of: 'status' },
    { delete: {} },
  ),
  story(ingress, 'empty', { spec: {} }),
  story(
    ingress,
    'default backend',
    { spec: { defaultBackend: { resource: { apiGroup: 'a.b', kind: 'K', name: 'n' } } } },
    { patch: { spec: { defaultBackend: null } } },
  ),
  story(ingress, 'of two classes', {
    metadata: { annotations: { 'kubernetes.io/ingress.class': 'x' } },
    spec: { ingressClassName: 'y', defaultBackend: backend('a', { name: 'web' }) },
  }),
  story(ingress, 'bad rules', {
    spec: {
      ingressClassName: 'A',
      rules: [
        rule('1.2.3.4'),
        rule('*', path({ path: 'x', pathType: 'Exact' })),
        rule(
          '*.A',
          path({ path: '//a/./b/../%2f%2F', pathType: 'Prefix' }),
          path({ path: '/..', pathType: 'Prefix' }),
          path({ path: '/.', pathType: 'Exact' }),
        ),
        rule(
          'A_b',
          path({ path: '/' }),
          path({ pathType: 'X' }),
          path({ pathType: 'ImplementationSpecific' }),
          path({ path: 'x', pathType: 'ImplementationSpecific' }),
          path({ pathType: 'Prefix' }),
        ),
        {},
      ],
      tls: [{ hosts: ['*', 'A', ''], secretName: 'B_' }],
    },
  }),
  story(ingress, 'bad backends', {
    spec: {
      rules: [
        rule(
          null,
          ...[
            {},
            { resource: { kind: '', name: '' }, service: { name: 'a', port: { number: 1 } } },
            { resource: { apiGroup: 'A', kind: 'a/b', name: '%' } },
            { resource: { kind: '', name: '' } },
            backend('', { number: 1 }),
            backend('1a', { name: 'web', number: 1 }),
            backend('a', {}),
            backend('a', { name: 'WEB' }),
            backend('a', { number: 70000 }),
          ].map((item) => ({ pathType: 'Prefix', path: '/', backend: item })),
        ),
      ],
    },
  }),
  story(
    ingressClass,
    'plain',
    { spec: { controller: 'example.com/x', parameters: { apiGroup: 'a.b', kind: 'K', name: 'n' } } },
    { patch: { spec: { controller: 'example.com/y' } } },
    { patch: { spec: { parameters: null } } },
    { delete: {} },
  ),
  story(ingressClass, 'bad', { spec: { controller: 'x', parameters: { kind: '', name: 'a/b', scope: 'Other' } } }),
  story(ingressClass, 'bad controller', {
    spec: { controller: `A/${'é'.repeat(250)}`, parameters: { kind: 'K', name: 'n', scope: 'Namespace' } },
  }),
  story(ingressClass, 'namespaces', {
    spec: { controller: 'a.b/c', parameters: { kind: 'K', name: 'n', scope: 'Cluster', namespace: 'x' } },
  }),
  story(ingressClass, 'bad namespace', { spec: { parameters: { kind: 'K', name: 'n', scope: 'Namespace', namespace: 'A' } } }),
];
