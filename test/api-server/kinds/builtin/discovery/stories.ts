import { namespaced, type Story, story } from '../stories/story.js';

const slice = namespaced('discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices');

export const discoveryStories: readonly Story[] = [
  story(
    slice,
    'plain',
    {
      metadata: { labels: { 'kubernetes.io/service-name': 'a' } },
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['1.2.3.4'],
          conditions: { ready: true },
          nodeName: 'n',
          zone: 'z',
          deprecatedTopology: { a: 'b' },
          hints: { forZones: [{ name: 'z' }], forNodes: [{ name: 'n' }] },
        },
      ],
      ports: [{ port: 80 }, { name: 'b', port: 81, protocol: 'UDP', appProtocol: 'http' }],
    },
    { patch: { metadata: { labels: { a: 'b' } } } },
    { patch: { metadata: { annotations: { a: 'b' } } } },
    { patch: { addressType: 'IPv6' } },
    { patch: { endpoints: [] } },
    { delete: {} },
  ),
  story(slice, 'bare', { addressType: 'FQDN', endpoints: [{ addresses: ['a.b.', 'x', '', 'A.b'] }] }),
  story(slice, 'names', { addressType: 'FQDN', endpoints: [{ addresses: ['example.com.'] }], ports: null }),
  story(slice, 'no type', { endpoints: [] }),
  story(slice, 'bad', {
    addressType: 'IPv4',
    endpoints: [
      { addresses: [] },
      {
        addresses: ['127.0.0.1', 'fd00::1', 'x', '010.1.1.1'],
        nodeName: 'A',
        hostname: 'B',
        hints: { forZones: [{ name: 'a' }, { name: 'a' }, { name: '-' }], forNodes: [{ name: 'A' }, { name: 'A' }] },
      },
    ],
    ports: [{ name: 'A' }, { name: 'A', protocol: 'X', appProtocol: ' ' }, {}, {}],
  }),
  story(slice, 'bad six', {
    addressType: 'IPv6',
    endpoints: [{ addresses: ['1.2.3.4', 'FD00::1', '::ffff:1.2.3.4', 'fe80::1', 'fd00::00:1'] }],
  }),
  story(slice, 'bad type', { addressType: 'Other', endpoints: [{ addresses: ['x'] }] }),
];
