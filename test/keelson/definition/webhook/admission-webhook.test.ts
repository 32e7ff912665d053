import {
  defaulting,
  defineCustomResource,
  defineOperator,
  external,
  type KindInfo,
  k,
  mutating,
  validating,
  validatingPolicy,
  watch,
} from 'keelson';
import { Deployment, Pod, ValidatingWebhookConfiguration } from 'keelson/kinds';
import { z } from 'zod';
import { webhookRules } from '../../../../src/keelson/definition/index.js';
import { messageOf } from '../refusals.js';

const spec = z.object({ size: k.int32().default(1) });
const Cache = defineCustomResource({ group: 'cache.example.com', kind: 'Cache', versions: { v1: { spec } } });

const LABEL = 'must be lower case letters, digits and dashes, beginning and ending with a letter or digit (DNS-1123 label)';

const Fleet = defineCustomResource({
  group: 'cache.example.com',
  kind: 'Fleet',
  scope: 'Cluster',
  versions: { v1: { spec: z.object({ size: k.int32() }) } },
});

describe('a webhook that the API server would refuse, or that could stop a cluster, is refused', () => {
  const everything = { ...(Pod as KindInfo), group: '*', kind: '*', version: '*', plural: '*' } as typeof Pod;
  const known =
    'name, path, select, namespaceSelector, matchConditions, failurePolicy, matchPolicy, sideEffects, timeoutSeconds, watches, uses, subresource';
  test.each<[string, () => unknown, string]>([
    [
      "'Fail' for everything (H59)",
      () => validating(everything, () => []),
      "validating webhook for *: 1 problem\n  failurePolicy: is 'Fail' for '*': the cluster would stop with the operator; name the kinds, or write failurePolicy: 'Ignore'",
    ],
    [
      'defaults of a kind that is not ours',
      () => defaulting(Pod as never, () => undefined),
      'defaulting webhook for Pod: 1 problem\n  kind: Pod is not defined by you; use mutating(Pod, { ... })',
    ],
    [
      'a kind that the API server asks no webhook about',
      () => validating(ValidatingWebhookConfiguration, () => []),
      'validating webhook for ValidatingWebhookConfiguration: 1 problem\n  kind: the API server asks no webhook about a ValidatingWebhookConfiguration, so that a broken webhook can be removed; this one would never be called',
    ],
    [
      'no kind',
      () => validating('Pod' as never, () => []),
      'validating webhook for an unknown kind: 1 problem\n  kind: is not a kind; give a custom resource, or a kind of keelson/kinds',
    ],
    [
      'a time-out of a minute',
      () => validating(Cache, () => [], { timeoutSeconds: 60 }),
      'validating webhook for Cache: 1 problem\n  timeoutSeconds: is 60; write whole seconds from 1 to 30',
    ],
    [
      'an unknown policy',
      () => validating(Cache, () => [], { failurePolicy: 'ignore' as 'Ignore' }),
      "validating webhook for Cache: 1 problem\n  failurePolicy: 'ignore' is unknown; write 'Fail' or 'Ignore'",
    ],
    [
      'an unknown option',
      () => validating(Cache, () => [], { timeout: 5 } as never),
      `validating webhook for Cache: 1 problem\n  timeout: is not an option of a webhook; known are ${known}`,
    ],
    [
      'a name in upper case',
      () => validating(Cache, () => [], { name: 'A' }),
      `validating webhook for Cache: 1 problem\n  name: 'A' ${LABEL}`,
    ],
    [
      'no operation',
      () => validating(Cache, {}),
      'validating webhook for Cache: 1 problem\n  operations: is empty; the webhook would never be called: name CREATE or UPDATE',
    ],
    [
      'a connection without a subresource',
      () => validating(Pod, { connect: () => 'no' }),
      "validating webhook for Pod: 1 problem\n  handle: CONNECT happens on subresources alone; name one: subresource: 'exec', 'attach', 'portforward' or 'proxy'",
    ],
    [
      'an operation that a subresource does not have',
      () => validating(Pod, { update: () => 'no' }, { subresource: 'exec' }),
      "validating webhook for Pod: 1 problem\n  handle: UPDATE never happens on the subresource 'exec', which has CONNECT",
    ],
    [
      'a subresource that is only read',
      () => validating(Pod, () => 'no', { subresource: 'log' }),
      "validating webhook for Pod: 1 problem\n  subresource: 'log' is only read, and the API server asks no webhook about reads",
    ],
    [
      'several kinds without a name',
      () => validating([Deployment, Pod], () => 'no'),
      "validating webhook for Deployment, Pod: 1 problem\n  name: is missing: the webhook covers several kinds, so write what it is about: name: 'limits'",
    ],
    [
      'one kind twice',
      () => validating([Pod, Pod], () => 'no', { name: 'limits' }),
      'validating webhook for Pod, Pod: 1 problem\n  kinds: names Pod twice; leave one out',
    ],
    [
      'no kinds',
      () => validating([] as never, () => 'no', { name: 'limits' }),
      'validating webhook for no kind: 1 problem\n  kinds: is empty; name the kinds that the webhook is called for',
    ],
    [
      'something else among the kinds',
      () => validating([Pod, 'Deployment'] as never, () => 'no', { name: 'limits' }),
      'validating webhook for Pod, an unknown kind: 1 problem\n  kinds[1]: is not a kind; give a custom resource, or a kind of keelson/kinds',
    ],
    ...['mutate', '/', '/a//b', '/A', '/a?b', 'https://a/b'].map((path): [string, () => unknown, string] => [
      `the path ${path}`,
      () => validating(Pod, () => 'no', { path }),
      `validating webhook for Pod: 1 problem\n  path: '${path}' is not a path that the API server takes; write one as '/mutate-v1-pod'`,
    ]),
    [
      'the path of conversions',
      () => validating(Pod, () => 'no', { path: '/convert' }),
      "validating webhook for Pod: 1 problem\n  path: '/convert' is where versions are converted; choose another",
    ],
    [
      'no function',
      () => mutating(Pod, { apply: 1 as never }),
      'mutating webhook for Pod: 1 problem\n  apply: is not a function; write one that takes the object',
    ],
    [
      'one name for two conditions',
      () => validating(Cache, () => [], { matchConditions: [1, 2].map(() => ({ name: 'a', expression: 'true' })) }),
      "validating webhook for Cache: 1 problem\n  matchConditions[1].name: 'a' is used twice; give each its own",
    ],
    [
      'an empty condition',
      () => validating(Cache, () => [], { matchConditions: [{ name: 'a', expression: ' ' }] }),
      'validating webhook for Cache: 1 problem\n  matchConditions[0].expression: is empty; write CEL that yields true or false',
    ],
    [
      'a watch that writes',
      () => mutating(Pod, { watches: { caches: watch(Cache, { verbs: ['patch'] }) }, apply: () => {} }),
      'mutating webhook for Pod: 1 problem\n  watches.caches.verbs: is set, but a webhook only reads; leave it out, and write in a controller',
    ],
    [
      'a watch that triggers',
      () => validating(Cache, () => [], { watches: { pods: watch(Pod, { enqueue: () => [] }) } }),
      'validating webhook for Cache: 1 problem\n  watches.pods.enqueue: is set, but a webhook reconciles nothing; leave it out',
    ],
    [
      'a watch under a name of the context',
      () => validating(Cache, () => [], { watches: { old: Cache } }),
      "validating webhook for Cache: 1 problem\n  watches.old: 'old' is a reserved name: the context itself uses it; choose another",
    ],
    [
      'a watch of no kind',
      () => validating(Cache, () => [], { watches: { caches: 'Cache' as never } }),
      'validating webhook for Cache: 1 problem\n  watches.caches: is not a kind; give a kind of keelson/kinds, or watch(Kind, { ... })',
    ],
    [
      'a policy without a check',
      () => validatingPolicy(Cache, { validations: [] }),
      'validating policy for Cache: 1 problem\n  validations: is empty; write at least one { expression, message }',
    ],
    [
      'a policy that denies and warns',
      () => validatingPolicy(Cache, { validations: [{ expression: 'true' }], validationActions: ['Deny', 'Warn'] }),
      'validating policy for Cache: 1 problem\n  validationActions: has Deny and Warn, which say the same twice; leave one out',
    ],
    [
      'a check of several lines without a message',
      () => validatingPolicy(Cache, { validations: [{ expression: 'true\n|| false' }] }),
      'validating policy for Cache: 1 problem\n  validations[0].message: is missing; an expression of several lines needs one',
    ],
    [
      'a variable with a dash',
      () => validatingPolicy(Cache, { validations: [{ expression: 'true' }], variables: [{ name: 'a-b', expression: '1' }] }),
      "validating policy for Cache: 1 problem\n  variables[0].name: 'a-b' is not CEL name; write letters, digits and underscores",
    ],
    [
      'two variables of one name',
      () =>
        validatingPolicy(Cache, {
          validations: [{ expression: 'true' }],
          variables: ['1', '2'].map((expression) => ({ name: 'a', expression })),
        }),
      "validating policy for Cache: 1 problem\n  variables[1].name: 'a' is used twice; give each its own",
    ],
    [
      'a webhook that watches and uses by one name',
      () => validating(Cache, { create: () => undefined }, { watches: { peers: watch(Pod) }, uses: { peers: external() } } as never),
      "validating webhook for Cache: 1 problem\n  uses.peers: 'peers' is declared twice, here and at watches.peers; choose another name for one",
    ],
  ])('%s', (_, make, message) => {
    expect(messageOf(make)).toBe(message);
  });
});

describe('names and paths of webhooks', () => {
  const webhooks = [
    defaulting(Cache, () => undefined),
    mutating(Pod, { apply: () => undefined }),
    mutating(Pod, { name: 'sidecar', subresource: 'ephemeralcontainers', operations: ['UPDATE'], apply: () => undefined }),
    validating(Deployment, { delete: () => 'no' }),
    validating(Cache.versions['v1'] as typeof Cache, { create: () => [], update: () => [] }, { name: 'second' }),
  ];

  test('follow from what the webhook does, DNS names of three parts also for the core group (H60)', () => {
    expect(
      webhooks.map((webhook) => [
        webhook.name,
        webhook.path,
        webhookRules(webhook)
          .flatMap(({ resources }) => resources)
          .join(),
        webhook.operations.join(),
      ]),
    ).toEqual([
      ['defaulting.caches.cache.example.com', '/defaulting/cache.example.com/v1/caches', 'caches', 'CREATE,UPDATE'],
      ['mutating.pods.core', '/mutating/core/v1/pods', 'pods', 'CREATE,UPDATE'],
      [
        'sidecar.mutating.ephemeralcontainers.pods.core',
        '/mutating/core/v1/pods/ephemeralcontainers/sidecar',
        'pods/ephemeralcontainers',
        'UPDATE',
      ],
      ['validating.deployments.apps', '/validating/apps/v1/deployments', 'deployments', 'DELETE'],
      ['second.validating.caches.cache.example.com', '/validating/cache.example.com/v1/caches/second', 'caches', 'CREATE,UPDATE'],
    ]);
    for (const { name } of webhooks) expect(name).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+){2,}$/);
  });

  test('several kinds share one entry, and each subresource has its operations', () => {
    const limits = validating([Deployment, Cache], () => [], { name: 'limits' });
    expect([limits.name, limits.path]).toEqual(['limits.validating.apps', '/validating/limits']);
    expect(webhookRules(limits).map(({ apiGroups, resources }) => [...apiGroups, ...resources])).toEqual([
      ['apps', 'deployments'],
      ['cache.example.com', 'caches'],
    ]);
    expect(
      webhookRules(validating([Cache, Fleet], () => [], { name: 'scopes' })).map(({ resources, scope }) => [scope, ...resources]),
    ).toEqual([
      ['Namespaced', 'caches'],
      ['Cluster', 'fleets'],
    ]);
    const operations = (subresource: string) => validating(Pod, () => [], { subresource }).operations;
    expect(['exec', 'eviction', 'binding', 'status', 'resize'].map((name) => operations(name).join())).toEqual([
      'CONNECT',
      'CREATE',
      'CREATE',
      'UPDATE',
      'UPDATE',
    ]);
    expect(validating([Deployment, Pod], () => [], { name: 'limits', subresource: 'status' })).toMatchObject({
      name: 'limits.validating.status.apps',
      path: '/validating/status/limits',
    });
  });

  test('a path of its own, and defaults that are set again', () => {
    const own = defaulting(Cache, () => undefined, { path: '/mutate-cache', reinvocationPolicy: 'IfNeeded' });
    expect(own).toMatchObject({ path: '/mutate-cache', name: 'defaulting.caches.cache.example.com', reinvocationPolicy: 'IfNeeded' });
    const same = validating(Cache, () => [], { path: '/mutate-cache' });
    expect(() => defineOperator({ name: 'o', webhooks: [own, same] })).toThrow(
      "webhooks[1].path: '/mutate-cache' is the path of webhooks[0] too; give each its own",
    );
  });

  test('defaults are the careful ones', () => {
    expect(webhooks[1]).toMatchObject({
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      reinvocationPolicy: 'IfNeeded',
      sideEffects: 'None',
      timeoutSeconds: 5,
      matchConditions: [],
    });
    expect(webhooks[0]?.reinvocationPolicy).toBe('Never');
  });

  test('a validating policy has what is written, frozen', () => {
    const options = {
      operations: ['DELETE'],
      validations: [{ expression: 'true', message: 'never' }],
      variables: [{ name: 'a', expression: '1' }],
      matchConditions: [{ name: 'ours', expression: 'true' }],
      failurePolicy: 'Ignore',
      validationActions: ['Warn'],
    } as const;
    const policy = validatingPolicy(Cache, options);
    expect(policy).toEqual({ type: 'policy', name: 'caches.cache.example.com', kind: Cache, ...options });
    expect([policy, policy.validations, policy.variables, policy.matchConditions].map(Object.isFrozen)).toEqual([true, true, true, true]);
  });

  test('labels and expressions of a selection become one selector', () => {
    const matchExpressions = [{ key: 'a', operator: 'Exists' as const }];
    const { objectSelector } = mutating(Pod, {
      select: { labels: { b: 'c' }, labelSelector: { matchLabels: { d: 'e' }, matchExpressions } },
      apply: () => undefined,
    });
    expect(objectSelector).toEqual({ matchLabels: { d: 'e', b: 'c' }, matchExpressions });
    expect(mutating(Pod, { select: { labels: { b: 'c' } }, apply: () => undefined }).objectSelector).toEqual({ matchLabels: { b: 'c' } });
    const alone = mutating(Pod, { select: { labelSelector: { matchExpressions } }, apply: () => undefined });
    expect(alone.objectSelector).toEqual({ matchExpressions });
  });
});
