import { lackOf } from '../../../../src/api-server/workloads/kubelet/references.js';
import type { Pod } from '../../../../src/kubernetes/kinds/index.js';

const pod = {
  metadata: { name: 'a', namespace: 'default' },
  spec: {
    containers: [{ name: 'main', image: 'app:1' }],
    volumes: [{ name: 'token', projected: { sources: [{ configMap: { name: 'kube-root-ca.crt' } }] } }],
  },
} as unknown as Pod;
const [container] = pod.spec.containers;

test.each([
  ['waits until its namespace has the certificate of the API server', true, { reason: 'ContainerCreating' }],
  ['does not wait for a certificate where the server has none', false, undefined],
])('a Pod with a token %s', (_what, hasRootCa, lack) => {
  const view = { configMap: () => undefined, secret: () => undefined, hasRootCa };
  expect(lackOf(pod, container as NonNullable<typeof container>, view)).toEqual(lack);
});
