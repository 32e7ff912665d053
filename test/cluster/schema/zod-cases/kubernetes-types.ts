import { z } from 'zod';
import { k } from '../../../../src/keelson/schema/index.js';
import type { ZodCases } from './zod-case.js';

/** What `k` adds: types of Kubernetes that zod has not. */
export const kubernetesTypes: ZodCases = {
  int32: {
    schema: k.int32(),
    valid: [{ value: -2147483648 }],
    invalid: [
      {
        value: 2147483648,
        refusals: [
          '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.int32',
          'spec.int32: Invalid value: 2147483648: spec.int32 in body should be less than or equal to 2147483647',
        ],
      },
    ],
  },
  int64: {
    schema: k.int64(),
    valid: [{ value: 9007199254740991 }],
    invalid: [
      {
        value: 9007199254740992,
        refusals: ['spec.int64: Invalid value: 9007199254740992: spec.int64 in body should be less than or equal to 9007199254740991'],
      },
      {
        value: 1.5,
        refusals: [
          '<nil>: Invalid value: "": Checked value must be of type integer with format int64 in spec.int64',
          'spec.int64: Invalid value: "float64": spec.int64 in body must be of type int64: "float64"',
        ],
      },
    ],
  },
  float: {
    schema: k.float(),
    valid: [{ value: 1.5 }, { value: 5 }, { value: -5 }],
    invalid: [
      {
        value: 1e39,
        refusals: [
          '<nil>: Invalid value: "": "spec.float" must validate at least one schema (anyOf)',
          '<nil>: Invalid value: "": Checked value must be of type number with format float in spec.float',
          'spec.float: Invalid value: 1e+39: spec.float in body should be less than or equal to 3.4028234663852886e+38',
        ],
      },
    ],
  },
  double: {
    schema: k.double(),
    valid: [{ value: 1e300 }],
    invalid: [{ value: '1', refusals: ['spec.double: Invalid value: "string": spec.double in body must be of type number: "string"'] }],
  },
  port: {
    schema: k.port(),
    valid: [{ value: 1 }, { value: 65535 }],
    invalid: [
      { value: 0, refusals: ['spec.port: Invalid value: 0: spec.port in body should be greater than or equal to 1'] },
      { value: 65536, refusals: ['spec.port: Invalid value: 65536: spec.port in body should be less than or equal to 65535'] },
    ],
  },
  quantity: {
    schema: k.quantity(),
    valid: [{ value: '500m' }, { value: '2Gi' }, { value: 3 }],
    invalid: [
      {
        value: '1 Gi',
        refusals: [
          'spec.quantity: Invalid value: "1 Gi": spec.quantity in body should match \'^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$\'',
        ],
      },
      {
        value: true,
        refusals: [
          'spec.quantity: Invalid value: "boolean": spec.quantity in body must be of type integer,string: "boolean"',
          '<nil>: Invalid value: "": "spec.quantity" must validate at least one schema (anyOf)',
          'spec.quantity: Invalid value: "boolean": spec.quantity in body must be of type integer: "boolean"',
        ],
      },
      {
        value: 'abc',
        refusals: [
          'spec.quantity: Invalid value: "abc": spec.quantity in body should match \'^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$\'',
        ],
      },
    ],
  },
  intOrString: {
    schema: k.intOrString(),
    valid: [{ value: 80 }, { value: 'http' }],
    invalid: [
      {
        value: true,
        refusals: [
          'spec.intOrString: Invalid value: "boolean": spec.intOrString in body must be of type integer,string: "boolean"',
          '<nil>: Invalid value: "": "spec.intOrString" must validate at least one schema (anyOf)',
          'spec.intOrString: Invalid value: "boolean": spec.intOrString in body must be of type integer: "boolean"',
        ],
      },
      {
        value: 3000000000,
        refusals: ['spec.intOrString: Invalid value: 3000000000: spec.intOrString in body should be less than or equal to 2147483647'],
      },
    ],
  },
  duration: {
    schema: k.duration(),
    valid: [{ value: '1h30m' }, { value: '0' }],
    invalid: [
      {
        value: '3 days',
        refusals: [
          'spec.duration: Invalid value: "3 days": spec.duration in body should match \'^(0|([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+)$\'',
        ],
      },
      {
        value: '1',
        refusals: [
          'spec.duration: Invalid value: "1": spec.duration in body should match \'^(0|([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+)$\'',
        ],
      },
    ],
  },
  timestamp: {
    schema: k.timestamp(),
    valid: [{ value: '2024-01-01T00:00:00Z' }, { value: '2024-01-01T00:00:00+02:00' }],
    invalid: [
      {
        value: '2024-01-01',
        refusals: ['spec.timestamp: Invalid value: "2024-01-01": spec.timestamp in body must be of type date-time: "2024-01-01"'],
      },
    ],
  },
  microTime: {
    schema: k.microTime(),
    valid: [{ value: '2024-01-01T00:00:00.123456Z' }],
    invalid: [
      {
        value: '2024-01-01T00:00:00Z',
        refusals: [
          'spec.microTime: Invalid value: "2024-01-01T00:00:00Z": spec.microTime in body should match \'\\.[0-9]{6}(Z|[+-][0-9]{2}:[0-9]{2})$\'',
        ],
      },
    ],
  },
  name: {
    schema: k.name(),
    valid: [{ value: 'a-1' }],
    invalid: [
      { value: 'A', refusals: ['spec.name: Invalid value: "A": spec.name in body should match \'^[a-z0-9]([-a-z0-9]*[a-z0-9])?$\''] },
      { value: '', refusals: ['spec.name: Invalid value: "": spec.name in body should be at least 1 chars long'] },
      {
        value: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
        refusals: ['spec.name: Too long: may not be more than 63 bytes'],
      },
    ],
  },
  subdomain: {
    schema: k.subdomain(),
    valid: [{ value: 'a.b-1' }],
    invalid: [
      {
        value: 'a..b',
        refusals: [
          'spec.subdomain: Invalid value: "a..b": spec.subdomain in body should match \'^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$\'',
        ],
      },
    ],
  },
  labelValue: {
    schema: k.labelValue(),
    valid: [{ value: '' }, { value: 'A_b.c' }],
    invalid: [
      {
        value: '-a',
        refusals: [
          'spec.labelValue: Invalid value: "-a": spec.labelValue in body should match \'^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$\'',
        ],
      },
    ],
  },
  labelKey: {
    schema: k.labelKey(),
    valid: [{ value: 'example.com/name' }, { value: 'a' }],
    invalid: [
      {
        value: '/a',
        refusals: [
          'spec.labelKey: Invalid value: "/a": spec.labelKey in body should match \'^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$\'',
        ],
      },
      {
        value: 'a/b/c',
        refusals: [
          'spec.labelKey: Invalid value: "a/b/c": spec.labelKey in body should match \'^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$\'',
        ],
      },
    ],
  },
  bytes: {
    schema: k.bytes(),
    valid: [{ value: 'aGVsbG8=' }],
    invalid: [
      { value: '*', refusals: ['spec.bytes: Invalid value: "*": spec.bytes in body must be of type byte: "*"'] },
      {
        value: '',
        refusals: [
          'spec.bytes: Invalid value: "": spec.bytes in body should be at least 1 chars long',
          'spec.bytes: Invalid value: "": spec.bytes in body must be of type byte: ""',
        ],
      },
    ],
  },
  email: {
    schema: k.email(),
    valid: [{ value: 'a@example.com' }],
    invalid: [{ value: 'a', refusals: ['spec.email: Invalid value: "a": spec.email in body must be of type email: "a"'] }],
  },
  uri: {
    schema: k.uri(),
    valid: [{ value: 'https://example.com/a' }],
    invalid: [{ value: 'no uri', refusals: ['spec.uri: Invalid value: "no uri": spec.uri in body must be of type uri: "no uri"'] }],
  },
  uuid: {
    schema: k.uuid(),
    valid: [{ value: '123e4567-e89b-12d3-a456-426614174000' }],
    invalid: [{ value: 'x', refusals: ['spec.uuid: Invalid value: "x": spec.uuid in body must be of type uuid: "x"'] }],
  },
  hostname: {
    schema: k.hostname(),
    valid: [{ value: 'example.com' }],
    invalid: [{ value: 'a b', refusals: ['spec.hostname: Invalid value: "a b": spec.hostname in body must be of type hostname: "a b"'] }],
  },
  ipv4: {
    schema: k.ipv4(),
    valid: [{ value: '10.0.0.1' }],
    invalid: [{ value: '10.0.0', refusals: ['spec.ipv4: Invalid value: "10.0.0": spec.ipv4 in body must be of type ipv4: "10.0.0"'] }],
  },
  ipv6: {
    schema: k.ipv6(),
    valid: [{ value: '::1' }],
    invalid: [
      { value: '10.0.0.1', refusals: ['spec.ipv6: Invalid value: "10.0.0.1": spec.ipv6 in body must be of type ipv6: "10.0.0.1"'] },
    ],
  },
  cidr: {
    schema: k.cidr(),
    valid: [{ value: '10.0.0.0/8' }, { value: 'fd00::/8' }],
    invalid: [
      { value: '10.0.0.0', refusals: ['spec.cidr: Invalid value: "10.0.0.0": spec.cidr in body must be of type cidr: "10.0.0.0"'] },
    ],
  },
  mac: {
    schema: k.mac(),
    valid: [{ value: '00:00:5e:00:53:01' }],
    invalid: [{ value: 'x', refusals: ['spec.mac: Invalid value: "x": spec.mac in body must be of type mac: "x"'] }],
  },
  date: {
    schema: k.date(),
    valid: [{ value: '2024-02-29' }],
    invalid: [
      { value: '2023-02-29', refusals: ['spec.date: Invalid value: "2023-02-29": spec.date in body must be of type date: "2023-02-29"'] },
    ],
  },
  formatted: {
    schema: z.string().check(k.format('isbn10')),
    valid: [{ value: '0321751043' }],
    invalid: [{ value: '1', refusals: ['spec.formatted: Invalid value: "1": spec.formatted in body must be of type isbn10: "1"'] }],
  },
  json: { schema: k.json(), valid: [{ value: 1 }, { value: 'a' }, { value: [1, { a: null }] }, { value: { a: { b: 1 } } }] },
  open: {
    schema: k.preserveUnknown(),
    valid: [{ value: { a: { b: [1] } } }],
    invalid: [{ value: 'x', refusals: ['spec.open: Invalid value: "string": spec.open in body must be of type object: "string"'] }],
  },
  halfOpen: {
    schema: k.preserveUnknown(z.object({ known: z.int().optional() })),
    valid: [{ value: { known: 1, kept: { a: 1 } } }],
    invalid: [
      {
        value: { known: 'x' },
        refusals: ['spec.halfOpen.known: Invalid value: "string": spec.halfOpen.known in body must be of type integer: "string"'],
      },
    ],
  },
  embedded: {
    schema: k.embedded(),
    valid: [{ value: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'b' } } }],
    invalid: [{ value: { kind: 'ConfigMap' }, refusals: ['spec.embedded.apiVersion: Required value'] }],
  },
  embeddedKind: {
    schema: k.embedded({ group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', scope: 'Namespaced', subresources: [] }),
    valid: [{ value: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec: {} } }],
    invalid: [
      {
        value: { apiVersion: 'v1', kind: 'Pod' },
        refusals: [
          'spec.embeddedKind.apiVersion: Unsupported value: "v1": supported values: "apps/v1"',
          'spec.embeddedKind.kind: Unsupported value: "Pod": supported values: "Deployment"',
        ],
      },
    ],
  },
  labelSelector: {
    schema: k.labelSelector(),
    valid: [{ value: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] } }, { value: {} }],
    invalid: [
      {
        value: { matchExpressions: [{ key: 'a', operator: 'Is' }] },
        refusals: [
          'spec.labelSelector.matchExpressions[0].operator: Unsupported value: "Is": supported values: "In", "NotIn", "Exists", "DoesNotExist"',
        ],
      },
    ],
  },
  conditions: {
    schema: k.conditions(),
    valid: [{ value: [{ type: 'Ready', status: 'True', reason: 'Done', message: '', lastTransitionTime: '2024-01-01T00:00:00Z' }] }],
    invalid: [
      {
        value: [{ type: 'Ready', status: 'Yes', reason: 'Done', message: '', lastTransitionTime: '2024-01-01T00:00:00Z' }],
        refusals: ['spec.conditions[0].status: Unsupported value: "Yes": supported values: "True", "False", "Unknown"'],
      },
      {
        value: [{ type: 'Ready' }],
        refusals: [
          'spec.conditions[0].lastTransitionTime: Required value',
          'spec.conditions[0].message: Required value',
          'spec.conditions[0].reason: Required value',
          'spec.conditions[0].status: Required value',
        ],
      },
    ],
  },
  byHand: {
    schema: k.structural<string>({ type: 'string', pattern: '^#' }),
    valid: [{ value: '#fff' }],
    invalid: [{ value: 'fff', refusals: ['spec.byHand: Invalid value: "fff": spec.byHand in body should match \'^#\''], passesZod: true }],
  },
};
