import { webhookUrlOf } from '../../src/kubernetes/apimachinery/index.js';
import { keptPort } from '../kept-port.js';
import { outside, playOutside } from '../runtime/host/webhook-url-story.js';
import { describeCluster } from './harness/index.js';
import { startOnPool } from './harness/pool-test-cluster.js';

const URLS = [
  'https://a.example',
  'https://a.example:9443/base/',
  'https://10.0.0.5',
  'https://[fd00::1]:9443',
  'https://bücher.example',
  'HTTPS://a.example',
  'http://a.example',
  'ftp://a.example',
  'a.example:9443',
  'https://',
  'https://me@a.example',
  'https://me:secret@a.example',
  'https://a.example/#top',
  'https://a.example/?a=b',
  'somewhere',
  '/path',
  '',
];

describeCluster('webhooks that are called by URL', (cluster) => {
  test('what the API server refuses is refused when it is written, and what is written it takes', async () => {
    const answers = await Promise.all(
      URLS.map(async (given) => {
        const ours = webhookUrlOf(given);
        const { status } = await cluster.request(
          'POST',
          '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
          {
            apiVersion: 'admissionregistration.k8s.io/v1',
            kind: 'ValidatingWebhookConfiguration',
            metadata: { name: 'by-url' },
            webhooks: [
              {
                name: 'a.b.example',
                clientConfig: { url: typeof ours === 'string' ? given : `${ours.text}/validating-v1-pods` },
                rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
                sideEffects: 'None',
                admissionReviewVersions: ['v1'],
              },
            ],
          },
          { query: { dryRun: 'All' } },
        );
        return [given, typeof ours !== 'string', status === 201];
      }),
    );
    expect(answers.filter(([, isTaken, isTakenByServer]) => isTaken !== isTakenByServer)).toEqual([]);
    expect(answers.filter(([, isTaken]) => isTaken)).toHaveLength(6);
  });

  test('a process outside the cluster completes, refuses and converts, under the rights of its account', async () => {
    const operator = outside(await keptPort(), await keptPort());
    await using own = await startOnPool({ manifests: operator.manifests });
    await playOutside(own, operator);
  });
});
