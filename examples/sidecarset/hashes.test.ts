import fc from 'fast-check';
import { containersJson } from './container-json.js';
import { hashesOf } from './hashes.js';

test('the hashes are those of the first SidecarSet', () => {
  expect(hashesOf({ containers: [{ name: 'test-sidecar', image: 'test-image:v1' }] })).toEqual({
    hash: 'vd6xbxv9w5f8794x5v852cf9288x4v8d926zw2bbcc8545847xw4w7f4xdbx5z6b',
    hashWithoutImage: 'cfd67dc8z844x4f7cd9f7b624x5ddxxd97wdwv45x48z49cx4942w5c8z84v2dzx',
  });
});

test('a container is written as Go writes it: its order, zero values left out, < > & escaped', () => {
  const container = {
    tty: false,
    volumeMounts: [{ mountPath: '/a', name: 'v', readOnly: false }],
    env: [
      { value: '', name: 'EMPTY' },
      { value: 'a<b>&c', name: 'HTML' },
      { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
    ],
    ports: [{ protocol: 'TCP', containerPort: 80, name: '' }],
    resources: { requests: { memory: '1Gi', cpu: '1' } },
    securityContext: { runAsNonRoot: false, capabilities: { add: [], drop: ['ALL'] } },
    readinessProbe: { successThreshold: 1, initialDelaySeconds: 0, tcpSocket: { port: 'http' } },
    lifecycle: { preStop: { exec: { command: ['sleep', '1'] } } },
    image: 'a:1',
    name: 'a',
  };
  expect(containersJson([container])).toBe(
    '[{"name":"a","image":"a:1","ports":[{"containerPort":80,"protocol":"TCP"}],' +
      '"env":[{"name":"EMPTY"},{"name":"HTML","value":"a\\u003cb\\u003e\\u0026c"},' +
      '{"name":"CPU","valueFrom":{"resourceFieldRef":{"resource":"limits.cpu","divisor":"0"}}}],' +
      '"resources":{"requests":{"cpu":"1","memory":"1Gi"}},"volumeMounts":[{"name":"v","mountPath":"/a"}],' +
      '"readinessProbe":{"tcpSocket":{"port":"http"},"successThreshold":1},"lifecycle":{"preStop":{"exec":{"command":["sleep","1"]}}},' +
      '"securityContext":{"capabilities":{"drop":["ALL"]},"runAsNonRoot":false}}]',
  );
});

test('an image changes the one hash, anything else both', () => {
  const before = hashesOf({ containers: [{ name: 'a', image: 'a:1' }] });
  const image = hashesOf({ containers: [{ name: 'a', image: 'a:2' }] });
  expect(image.hash).not.toBe(before.hash);
  expect(image.hashWithoutImage).toBe(before.hashWithoutImage);
  const others = [
    hashesOf({ containers: [{ name: 'a', image: 'a:1', env: [{ name: 'A', value: '1' }] }] }),
    hashesOf({ containers: [{ name: 'a', image: 'a:1' }], initContainers: [{ name: 'i', image: 'i:1' }] }),
    hashesOf({ containers: [{ name: 'a', image: 'a:1' }], volumes: [{ name: 'v', emptyDir: {} }] }),
  ];
  expect(new Set([before, ...others].map(({ hash }) => hash)).size).toBe(4);
  expect(new Set([before, ...others].map(({ hashWithoutImage }) => hashWithoutImage)).size).toBe(4);
});

test('the order in which a client writes fields makes no other hash', () => {
  const image = fc.string({ minLength: 1 });
  const field = fc.tuple(fc.constantFrom('image', 'workingDir', 'imagePullPolicy', 'terminationMessagePath'), image);
  fc.assert(
    fc.property(fc.uniqueArray(field, { selector: ([name]) => name }), (fields) => {
      const written = [['name', 'a'], ...fields];
      const [one, other] = [written, written.toReversed()].map((entries) => hashesOf({ containers: [Object.fromEntries(entries)] }));
      expect(one).toEqual(other);
    }),
  );
});
