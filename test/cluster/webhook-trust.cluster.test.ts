import { base64, certificateChain } from '../api-server/access/webhook-client/chain.js';
import type { Speaker } from './differential/exchange.js';
import { type Pair, startPair } from './differential/servers.js';
import { describeCluster, WebhookServer } from './harness/index.js';

const GROUP = 'trust.example.com';
const HOOKS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const { root, intermediate, leaf } = certificateChain();
const other = certificateChain();
const chain = { key: leaf.key, certificate: leaf.certificate + intermediate.certificate };

const ROWS = [
  ['the root, with the chain served', chain, base64(root)],
  ['the root, without the chain', leaf, base64(root)],
  ['the intermediate', leaf, base64(intermediate)],
  ['the serving certificate itself', leaf, base64(leaf)],
  ['the serving certificate of another', leaf, base64(other.leaf)],
] as const;

describeCluster('whom a caBundle makes an API server trust', () => {
  let pair: Pair;
  let hooks: WebhookServer;
  beforeAll(async () => {
    pair = await startPair();
  });
  afterAll(() => pair.stop());
  afterEach(() => hooks.close());

  test.each(ROWS)('admission: %s', async (name, shown, caBundle) => {
    hooks = await WebhookServer.listen(shown);
    hooks.answer('/', () => ({ allowed: false, status: { message: 'reached' } }));
    const [ours, theirs] = await Promise.all(pair.speakers.map((speaker) => admitted(speaker, caBundle)));
    expect(ours).toEqual(theirs);
    expect(String(theirs).includes('denied the request: reached')).toBe(!name.includes('without') && !name.includes('another'));
  });

  test.each(ROWS)('conversion: %s', async (name, shown, caBundle) => {
    hooks = await WebhookServer.listen(shown);
    hooks.answer('/', ({ objects = [], desiredAPIVersion }) => ({
      result: { status: 'Success' },
      convertedObjects: objects.map((object) => ({ ...object, apiVersion: desiredAPIVersion })),
    }));
    const answers = await Promise.all(pair.speakers.map((speaker) => converted(speaker, caBundle)));
    // Each server counts its own writes.
    const [ours, theirs] = answers.map((answer) => String(answer).replace(/revision=\d+/, 'revision'));
    expect(ours).toEqual(theirs);
    expect(String(theirs).startsWith('200')).toBe(!name.includes('without') && !name.includes('another'));
  });

  async function admitted(speaker: Speaker, caBundle: string): Promise<string> {
    const body = {
      metadata: { name: 'trust' },
      webhooks: [
        {
          name: `hook.${GROUP}`,
          clientConfig: { url: `https://127.0.0.1:${hooks.port}/`, caBundle },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    };
    await speaker.ask({ method: 'POST', path: HOOKS, body });
    try {
      const attempt = { method: 'POST', path: '/api/v1/namespaces/default/configmaps?dryRun=All', body: { metadata: { name: 'x' } } };
      const { status, text } = await speaker.ask({ ...attempt, until: GROUP });
      return `${status} ${text.replaceAll(String(hooks.port), 'PORT')}`;
    } finally {
      await speaker.ask({ method: 'DELETE', path: `${HOOKS}/trust` });
      // The configuration is known for a moment after it has gone.
      await speaker.ask({
        method: 'POST',
        path: '/api/v1/namespaces/default/configmaps?dryRun=All',
        body: { metadata: { name: 'x' } },
        until: '"ConfigMap"',
      });
    }
  }

  async function converted(speaker: Speaker, caBundle: string): Promise<string> {
    const version = (name: string, storage: boolean): object => ({
      name,
      storage,
      served: true,
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    });
    const definition = {
      metadata: { name: `things.${GROUP}` },
      spec: {
        group: GROUP,
        scope: 'Cluster',
        names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
        versions: [version('v1', true), version('v2', false)],
        conversion: {
          strategy: 'Webhook',
          webhook: {
            conversionReviewVersions: ['v1'],
            clientConfig: { url: `https://127.0.0.1:${hooks.port}/`, caBundle },
          },
        },
      },
    };
    await speaker.ask({ method: 'POST', path: DEFINITIONS, body: definition });
    try {
      await speaker.ask({ method: 'GET', path: `/apis/${GROUP}/v1/things`, until: 'ThingList' });
      const thing = { apiVersion: `${GROUP}/v1`, kind: 'Thing', metadata: { name: 'x' } };
      await speaker.ask({ method: 'POST', path: `/apis/${GROUP}/v1/things`, body: thing, until: '"x"' });
      const { status, text } = await speaker.ask({ method: 'GET', path: `/apis/${GROUP}/v2/things/x` });
      const { message, apiVersion } = JSON.parse(text) as { message?: string; apiVersion: string };
      return `${status} ${(message ?? apiVersion).replaceAll(String(hooks.port), 'PORT')}`;
    } finally {
      await speaker.ask({ method: 'DELETE', path: `${DEFINITIONS}/things.${GROUP}` });
      await speaker.ask({ method: 'GET', path: `${DEFINITIONS}/things.${GROUP}`, until: 'NotFound' });
    }
  }
});
