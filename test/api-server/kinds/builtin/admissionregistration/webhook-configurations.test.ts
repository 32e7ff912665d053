import type { Fields } from '../stories/story.js';
import { created, messageOf } from '../stories/story-server.js';

describe('webhook configurations', () => {
  const path = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
  const hook = (fields: Fields): Fields => ({
    webhooks: [
      {
        name: 'a.b.c',
        clientConfig: { service: { name: 's', namespace: 'n' } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...fields,
      },
    ],
  });

  test('have their defaults filled in', async () => {
    expect(await created(path, hook({ rules: [{}] }))).toMatchObject({ status: 422 });
    expect((await created(path, hook({}))).body).toMatchObject({
      metadata: { generation: 1 },
      webhooks: [{ failurePolicy: 'Fail', matchPolicy: 'Equivalent', timeoutSeconds: 10, reinvocationPolicy: 'Never' }],
    });
  });

  test('without side effects only', async () => {
    expect(messageOf(await created(path, hook({ sideEffects: 'Some' })))).toContain(
      'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    );
  });
});
