import { defaultAdmission } from '../../../../src/api-server/access/admission/index.js';
import type { AdmissionRequest } from '../../../../src/api-server/contract/index.js';
import { plainError, StatusError } from '../../../../src/api-server/status/index.js';
import { allowed, configuration, patching, type ReviewSent, requestIn, resource, type World, webhook, world } from './surroundings.js';

async function refusal(attempt: Promise<unknown>): Promise<object> {
  try {
    await attempt;
  } catch (error) {
    if (StatusError.isStatusError(error)) return error.status;
    throw error;
  }
  throw new Error('was not refused');
}

function mutating(within: World, ...webhooks: ReturnType<typeof webhook>[]): void {
  within.objects.set('mutatingwebhookconfigurations', [configuration('m', ...webhooks)]);
}

function validating(within: World, ...webhooks: ReturnType<typeof webhook>[]): void {
  within.objects.set('validatingwebhookconfigurations', [configuration('v', ...webhooks)]);
}

describe('mutating webhooks', () => {
  test('the review says all that the API server says, in its order', async () => {
    const within = world();
    mutating(within, webhook('a.b.c'));
    within.answers.set('https://a.b.c', (review) => allowed(review));
    await defaultAdmission(within).mutate(requestIn(within));
    expect(Object.keys((within.calls[0] as unknown as ReviewSent).request)).toEqual([
      'uid',
      'kind',
      'resource',
      'requestKind',
      'requestResource',
      'name',
      'namespace',
      'operation',
      'userInfo',
      'object',
      'oldObject',
      'dryRun',
      'options',
    ]);
    expect(within.calls[0]).toMatchObject({
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      request: {
        kind: { group: 'example.com', version: 'v1', kind: 'Thing' },
        resource: { group: 'example.com', version: 'v1', resource: 'things' },
        userInfo: { username: 'ann', groups: ['dev'] },
        oldObject: null,
        dryRun: false,
      },
    });
  });

  test('a patch changes the object, which is decoded and defaulted again', async () => {
    const within = world();
    mutating(within, webhook('a.b.c'));
    within.answers.set('https://a.b.c', patching({ op: 'add', path: '/spec', value: { x: 1 } }));
    expect(await defaultAdmission(within).mutate(requestIn(within))).toMatchObject({ spec: { x: 1 }, defaulted: true });
  });

  test('a second round asks only those that want it, and only where something changed after them', async () => {
    const within = world();
    mutating(
      within,
      webhook('first.b.c', { reinvocationPolicy: 'IfNeeded' }),
      webhook('second.b.c'),
      webhook('third.b.c', { reinvocationPolicy: 'IfNeeded' }),
    );
    const asked: string[] = [];
    within.answers.set('https://first.b.c', (review) => {
      asked.push('first');
      return allowed(review);
    });
    within.answers.set('https://second.b.c', (review) => {
      asked.push('second');
      return patching({ op: 'add', path: '/spec', value: {} })(review);
    });
    within.answers.set('https://third.b.c', (review) => {
      asked.push('third');
      return allowed(review);
    });
    await defaultAdmission(within).mutate(requestIn(within));
    expect(asked).toEqual(['first', 'second', 'third', 'first']);
  });

  test('a webhook for another version gets the object converted, and its patch comes back converted', async () => {
    const within = world();
    mutating(within, webhook('a.b.c'));
    within.answers.set('https://a.b.c', patching({ op: 'add', path: '/spec', value: 1 }));
    const object = await defaultAdmission(within).mutate(requestIn(within, { version: 'v1beta1' }));
    expect(within.calls[0]).toMatchObject({
      request: { kind: { version: 'v1' }, requestKind: { version: 'v1beta1' }, object: { apiVersion: 'example.com/v1' } },
    });
    expect(object).toMatchObject({ apiVersion: 'example.com/v1beta1', spec: 1 });
  });

  test.each([
    ['mutating', mutating, 'Internal error occurred: Internal error occurred: no way'],
    ['validating', validating, 'Internal error occurred: no way'],
  ] as const)('an object that cannot be converted for a %s webhook is refused as an internal error', async (kind, configure, message) => {
    const within = world();
    const convert = (): never => {
      throw plainError('no way');
    };
    within.catalog.put(resource({ convert }));
    configure(within, webhook('a.b.c'));
    const request = requestIn(within, { version: 'v1beta1' });
    const admission = defaultAdmission(within);
    const status = await refusal(kind === 'mutating' ? admission.mutate(request) : admission.validate(request));
    const causes = [{ message: message.replace('Internal error occurred: ', '') }];
    expect(status).toMatchObject({ code: 500, reason: 'InternalError', message, details: { causes } });
    expect(within.calls).toEqual([]);
  });

  test('with matchPolicy Exact it is not asked', async () => {
    const within = world();
    mutating(within, webhook('a.b.c', { matchPolicy: 'Exact' }));
    await defaultAdmission(within).mutate(requestIn(within, { version: 'v1beta1' }));
    expect(within.calls).toEqual([]);
  });

  test.each<[string, object, Partial<AdmissionRequest>]>([
    ['another operation', { rules: [{ operations: ['DELETE'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }] }, {}],
    ['another resource', { rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['others'] }] }, {}],
    ['another group', { rules: [{ operations: ['*'], apiGroups: ['x'], apiVersions: ['*'], resources: ['*'] }] }, {}],
    ['a subresource', {}, { subresource: 'status' }],
    ['cluster scope', { rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], scope: 'Cluster' }] }, {}],
    ['labels of the namespace', { namespaceSelector: { matchLabels: { team: 'y' } } }, {}],
    ['labels of the object', { objectSelector: { matchLabels: { size: 'small' } } }, {}],
    ['a condition', { matchConditions: [{ name: 'x', expression: 'object.metadata.name == "two"' }] }, {}],
  ])('%s: it is not asked', async (_what, overrides, request) => {
    const within = world();
    mutating(within, webhook('a.b.c', overrides));
    await defaultAdmission(within).mutate(requestIn(within, request));
    expect(within.calls).toEqual([]);
  });

  test('the old object can match too', async () => {
    const within = world();
    mutating(within, webhook('a.b.c', { objectSelector: { matchLabels: { size: 'small' } } }));
    within.answers.set('https://a.b.c', (review) => allowed(review));
    await defaultAdmission(within).mutate(
      requestIn(within, { operation: 'UPDATE', oldObject: { metadata: { labels: { size: 'small' } } } }),
    );
    expect(within.calls).toHaveLength(1);
  });

  test('a condition that fails to run refuses, or with failurePolicy Ignore passes over the webhook', async () => {
    const within = world();
    const conditions = { matchConditions: [{ name: 'x', expression: 'object.spec.x == 1' }] };
    mutating(within, webhook('a.b.c', conditions));
    expect(await refusal(defaultAdmission(within).mutate(requestIn(within)))).toMatchObject({
      code: 403,
      message: expect.stringContaining('no such key: spec'),
    });
    mutating(within, webhook('a.b.c', { ...conditions, failurePolicy: 'Ignore' }));
    await defaultAdmission(within).mutate(requestIn(within));
    expect(within.calls).toEqual([]);
  });

  test.each<[string, (review: ReviewSent) => unknown, string]>([
    ['no response', () => ({}), 'received invalid webhook response: webhook response was absent'],
    ['another uid', () => ({ response: { uid: 'z' } }), 'received invalid webhook response: expected response.uid="'],
    [
      'another kind',
      (review) => ({ ...allowed(review), kind: 'X' }),
      'expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got admission.k8s.io/v1, Kind=X',
    ],
    [
      'a patch without a type',
      (review) => allowed(review, { patch: 'W10=' }),
      'webhook returned response.patch but not response.patchType',
    ],
    [
      'a type without a patch',
      (review) => allowed(review, { patchType: 'JSONPatch' }),
      'webhook returned response.patchType but not response.patch',
    ],
    [
      'a type of patch that nobody knows',
      (review) => allowed(review, { patch: Buffer.from('[{}]').toString('base64'), patchType: 'Merge' }),
      'failed calling webhook "a.b.c": unsupported patch type "Merge"',
    ],
  ])('%s: the request fails', async (_what, answer, text) => {
    const within = world();
    mutating(within, webhook('a.b.c'));
    within.answers.set('https://a.b.c', answer);
    expect(await refusal(defaultAdmission(within).mutate(requestIn(within)))).toMatchObject({
      code: 500,
      reason: 'InternalError',
      message: expect.stringContaining(text),
    });
  });

  test('who cannot be reached fails the request, or with failurePolicy Ignore is passed over', async () => {
    const within = world();
    mutating(within, webhook('a.b.c'));
    expect(await refusal(defaultAdmission(within).mutate(requestIn(within)))).toMatchObject({
      message:
        'Internal error occurred: failed calling webhook "a.b.c": failed to call webhook: Post "https://a.b.c": dial tcp 127.0.0.1:1: connect: connection refused',
    });
    mutating(within, webhook('a.b.c', { failurePolicy: 'Ignore' }));
    expect(await defaultAdmission(within).mutate(requestIn(within))).toMatchObject({ kind: 'Thing' });
  });

  test('a dry run is refused by a webhook with side effects', async () => {
    const within = world();
    mutating(within, webhook('a.b.c', { sideEffects: 'Some' }));
    expect(await refusal(defaultAdmission(within).mutate(requestIn(within, { isDryRun: true })))).toMatchObject({
      code: 400,
      message: 'admission webhook "a.b.c" does not support dry run',
    });
  });

  test('webhooks are not asked about webhook configurations', async () => {
    const within = world();
    mutating(within, webhook('a.b.c', { rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }] }));
    const { served } = requestIn(within);
    const own = {
      ...served,
      resource: { ...served.resource, group: 'admissionregistration.k8s.io', kind: 'MutatingWebhookConfiguration' },
    };
    await defaultAdmission(within).mutate(requestIn(within, { served: own, namespace: '' }));
    expect(within.calls).toEqual([]);
  });
});

describe('validating webhooks', () => {
  test.each([
    [{}, { code: 400, message: 'admission webhook "a.b.c" denied the request without explanation' }],
    [{ status: { message: 'no' } }, { code: 400, message: 'admission webhook "a.b.c" denied the request: no' }],
    [
      { status: { reason: 'Forbidden', code: 403 } },
      { code: 403, reason: 'Forbidden', message: 'admission webhook "a.b.c" denied the request: Forbidden' },
    ],
    [{ status: { code: 200, message: 'no' } }, { code: 400 }],
  ])('a denial %j carries the webhook’s own words', async (response, status) => {
    const within = world();
    validating(within, webhook('a.b.c'));
    within.answers.set('https://a.b.c', (review) => allowed(review, { allowed: false, ...response }));
    expect(await refusal(defaultAdmission(within).validate(requestIn(within)))).toMatchObject(status);
  });

  test('all are asked, warnings come through, and a patch is an error', async () => {
    const within = world();
    validating(within, webhook('a.b.c'), webhook('d.e.f'));
    within.answers.set('https://a.b.c', (review) => allowed(review, { warnings: ['careful'] }));
    within.answers.set('https://d.e.f', patching({ op: 'remove', path: '/x' }));
    expect(await refusal(defaultAdmission(within).validate(requestIn(within)))).toMatchObject({
      message: expect.stringContaining('validating webhook may not return response.patch'),
    });
    expect(within.calls).toHaveLength(2);
    expect(within.warnings).toEqual(['careful']);
  });
});

describe('the life of a namespace', () => {
  test('nothing is created where there is no namespace, or where it is going', async () => {
    const within = world();
    expect(await refusal(defaultAdmission(within).mutate(requestIn(within, { namespace: 'b' })))).toMatchObject({
      code: 404,
      message: 'namespaces "b" not found',
    });
    within.objects.set('namespaces', [{ metadata: { name: 'a' }, status: { phase: 'Terminating' } }]);
    expect(await refusal(defaultAdmission(within).mutate(requestIn(within)))).toMatchObject({
      code: 403,
      message: 'things.example.com "one" is forbidden: unable to create new content in namespace a because it is being terminated',
      details: { causes: [{ reason: 'NamespaceTerminating', message: 'namespace a is being terminated', field: 'metadata.namespace' }] },
    });
    await expect(defaultAdmission(within).mutate(requestIn(within, { operation: 'UPDATE' }))).resolves.toBeDefined();
  });
});
