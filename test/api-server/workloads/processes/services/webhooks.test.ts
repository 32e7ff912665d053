import { CertificateAuthority } from '../../../../../src/kubernetes/certificates/index.js';
import { Machine, main, pod } from '../machine.js';

const HOST = 'hook.default.svc';
const validity = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };
const authority = CertificateAuthority.create({ commonName: 'webhooks of a test', ...validity });
const pair = authority.issueServing({ dnsNames: [HOST], ...validity });

const certificate = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'pair', namespace: 'default' },
  stringData: { 'tls.crt': pair.certificate, 'tls.key': pair.privateKey },
};
const hook = (name: string): object => {
  const container = main(['review', '0.0.0.0', '/pair'], {
    ports: [{ name: 'webhook', containerPort: 8443 }],
    volumeMounts: [{ name: 'pair', mountPath: '/pair' }],
    readinessProbe: { tcpSocket: { port: 'webhook' }, periodSeconds: 1 },
  });
  const volumes = [{ name: 'pair', secret: { secretName: 'pair' } }];
  return pod({ containers: [container], volumes }, { name, labels: { app: 'hook' } });
};
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'hook', namespace: 'default' },
  spec: { selector: { app: 'hook' }, ports: [{ name: 'https', port: 443, targetPort: 'webhook' }] },
};
const configuration = (port?: number): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'hook' },
  webhooks: [
    {
      name: 'hook.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      timeoutSeconds: 30,
      clientConfig: {
        service: { namespace: 'default', name: 'hook', path: '/review', ...(port === undefined ? {} : { port }) },
        caBundle: Buffer.from(authority.certificate).toString('base64'),
      },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
    },
  ],
});

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.start();
});
afterEach(() => machine.close());

/** The answer to the creation of a ConfigMap. */
async function answer(): Promise<string> {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'map', namespace: 'default' } };
  return machine.create(map).then(
    () => 'created',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}
const failure = (url: string, cause: string): string =>
  `Internal error occurred: failed calling webhook "hook.example.com": failed to call webhook: Post "https://${HOST}:${url}?timeout=30s": ${cause}`;

test('the API server asks the ready Pods behind the Service of a webhook in turn, without its ClusterIP', async () => {
  await machine.create(certificate, service, configuration());
  expect(await answer()).toBe(failure('443/review', 'no endpoints available for service "hook"'));
  await machine.create(hook('a'), hook('b'));
  const answers = async (): Promise<readonly string[]> => [await answer(), await answer()].sort();
  const by = (name: string): string => `admission webhook "hook.example.com" denied the request: refused by ${name}`;
  await machine.until(async () => expect(await answers()).toEqual([by('a'), by('b')]) ?? true, { passing: true });
  await machine.pods.setReady('a', false);
  await machine.until(async () => expect(await answers()).toEqual([by('b'), by('b')]) ?? true);
});

test.each([
  ['a Service that is not there', configuration(), [], failure('443/review', 'service "hook" not found')],
  [
    'a port that the Service has not',
    configuration(8443),
    [service],
    failure('8443/review', 'no service port 8443 found for service "hook"'),
  ],
  [
    'a Service that is a name outside of the cluster',
    configuration(),
    [{ ...service, spec: { type: 'ExternalName', externalName: 'hook.example.com', ports: service.spec.ports } }],
    failure('443/review', 'unsupported service type "ExternalName"'),
  ],
])('%s is named in the refusal', async (_what, webhooks, objects, message) => {
  await machine.create(...objects, webhooks);
  expect(await answer()).toBe(message);
});

test('a port that the test has given for the Service comes before its Pods', async () => {
  await machine.create(service, configuration());
  machine.world.server.serveWebhooksAt('default/hook', 1);
  expect(await answer()).toBe(failure('443/review', 'dial tcp 127.0.0.1:1: connect: connection refused'));
});
