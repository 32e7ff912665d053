import { Chart, Testing } from 'cdk8s';
import type { KindInfo } from 'keelson';
import { installationOf, type OperatorSettings, WebhookConfigurations, warningsOf } from 'keelson/constructs';
import { Deployment, EndpointSlice, Job, Lease, Namespace, Node, Pod, Secret, StatefulSet } from 'keelson/kinds';
import { fullOperator, memcachedKind, poolKind, webhookOf } from '../models';

describe('webhooks that fail closed (H59)', () => {
  const configure = (
    { exemptNamespaces, ...settings }: Partial<OperatorSettings> & { readonly exemptNamespaces?: readonly string[] },
    change: Parameters<typeof webhookOf>[0] = {},
  ) => {
    const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
    const installation = installationOf(chart, { operator: { ...fullOperator, webhooks: [webhookOf(change)] }, ...settings });
    new WebhookConfigurations(chart, 'webhooks', { installation, exemptNamespaces });
    return (chart.toJson() as { webhooks: { namespaceSelector?: unknown }[] }[])[0]?.webhooks[0];
  };

  const pods = { kinds: [Pod], name: 'validating.pods.core' } as const;
  const jobs = { kinds: [Job], name: 'validating.jobs.batch' } as const;
  const exempt = { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system', 'system'] };

  test('on kinds of others leave out the own namespace and kube-system', () => {
    expect(configure({}, pods)?.namespaceSelector).toEqual({ matchExpressions: [exempt] });
    expect(configure({ exemptNamespaces: [] }, jobs)?.namespaceSelector).toBeUndefined();
    expect(configure({}, { ...pods, failurePolicy: 'Ignore' })?.namespaceSelector).toBeUndefined();
  });

  test('on custom resources of the operator leave out nothing: no pod waits for them', () => {
    expect(configure({})?.namespaceSelector).toBeUndefined();
    expect(configure({}, { subresource: 'status' })?.namespaceSelector).toBeUndefined();
    const otherGroup = { ...memcachedKind, group: 'other.example.com' };
    expect(configure({}, { kinds: [otherGroup] })?.namespaceSelector).toEqual({ matchExpressions: [exempt] });
  });

  test('leave out exactly the namespaces that are given, whosever kind it is', () => {
    const given = { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['a', 'b'] }] };
    expect(configure({ exemptNamespaces: ['b', 'a', 'b'] })?.namespaceSelector).toEqual(given);
    expect(configure({ exemptNamespaces: ['b', 'a'] }, jobs)?.namespaceSelector).toEqual(given);
    expect(() => configure({ exemptNamespaces: ['A'] })).toThrow(/exemptNamespaces: 'A' must be/);
  });

  test.each<[KindInfo, string]>([
    [Secret, 'the operator could not store its certificate'],
    [Pod, "the operator's own pods could not start"],
    [Deployment, 'the operator could not be rolled out'],
    [EndpointSlice, 'the API server would not find the operator'],
  ])('on %s, which the operator needs to come up, cannot be asked in its namespace', (kind, reason) => {
    const change = { kinds: [kind] as const, name: `validating.${kind.plural}.x` };
    for (const exemptNamespaces of [[], ['kube-system']])
      expect(() => configure({ exemptNamespaces }, change)).toThrow(
        `webhook validating.${kind.plural}.x fails closed on ${kind.plural}, and exemptNamespaces leaves 'system' out: while the operator is down, ${reason}; add 'system' to exemptNamespaces, or set failurePolicy 'Ignore'`,
      );
    expect(configure({ exemptNamespaces: ['system'] }, change)?.namespaceSelector).toEqual({
      matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['system'] }],
    });
    expect(configure({ exemptNamespaces: [] }, { ...change, failurePolicy: 'Ignore' })?.namespaceSelector).toBeUndefined();
    expect(() => configure({ scope: { namespaces: ['a', 'system'] } }, change)).toThrow(/in 'system': with the operator down/);
  });

  test('on Leases leave out those of the nodes too: without heartbeats the cluster is lost', () => {
    const leases = { kinds: [Lease], name: 'validating.leases.x' } as const;
    expect(configure({}, leases)?.namespaceSelector).toEqual({
      matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-node-lease', 'kube-system', 'system'] }],
    });
    expect(() => configure({ exemptNamespaces: [] }, leases)).toThrow("leaves 'system' and 'kube-node-lease' out");
  });

  test('keep the selector of the author', () => {
    const namespaceSelector = { matchLabels: { team: 'a' }, matchExpressions: [{ key: 'x', operator: 'Exists' }] } as const;
    expect(configure({}, { namespaceSelector })?.namespaceSelector).toEqual(namespaceSelector);
    expect(configure({}, { ...pods, namespaceSelector })?.namespaceSelector).toEqual({
      matchLabels: { team: 'a' },
      matchExpressions: [{ key: 'x', operator: 'Exists' }, exempt],
    });
  });

  test('warn of a cluster-scoped kind of others, which no namespace takes out', () => {
    const warnings = (kind: KindInfo, change: Parameters<typeof webhookOf>[0] = {}) => {
      const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
      const webhook = webhookOf({ kinds: [kind], name: `validating.${kind.plural}.core`, ...change });
      const installation = installationOf(chart, { operator: { ...fullOperator, webhooks: [webhook] } });
      new WebhookConfigurations(chart, 'webhooks', { installation });
      return warningsOf(chart);
    };
    expect(warnings(Node)).toEqual([
      {
        path: 'chart/webhooks',
        message:
          'webhook validating.nodes.core fails closed on nodes, which are in no namespace that could be exempt: with the operator down no client can ' +
          "write them, and what starts the operator may have to; narrow it with select or matchConditions, or set failurePolicy 'Ignore'",
      },
    ]);
    expect(warnings(Node, { failurePolicy: 'Ignore' })).toEqual([]);
    expect(warnings(Node, { objectSelector: { matchLabels: { gpu: 'yes' } } })).toEqual([]);
    expect(warnings(Node, { matchConditions: [{ name: 'gpu', expression: "'gpu' in object.metadata.labels" }] })).toEqual([]);
    // The API server matches a Namespace by its own labels, so the exempt ones are left out.
    expect(warnings(Namespace)).toEqual([]);
    expect(warnings(poolKind)).toEqual([]);
    expect(warnings(Pod)).toEqual([]);
  });

  test.each([
    ['group', { kinds: [{ ...memcachedKind, group: '*' }] as const }],
    ['version', { kinds: [{ ...memcachedKind, version: '*' }] as const }],
    ['resource', { kinds: [{ ...memcachedKind, plural: '*' }] as const }],
    ['subresource', { subresource: '*' }],
  ])('refuse a wildcard %s', (_name, change) => {
    expect(() => configure({}, change)).toThrow(/matches '.*\*' and fails closed: an operator that is down would stop the cluster/);
    expect(() => configure({}, { ...change, failurePolicy: 'Ignore' })).not.toThrow();
  });

  test('an installation for some namespaces judges these alone, and refuses to hold its own pods', () => {
    const scope = { namespaces: ['system', 'a'] };
    expect(configure({ scope })?.namespaceSelector).toEqual({
      matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['a', 'system'] }],
    });
    expect(() => configure({ scope }, { kinds: [Pod] })).toThrow(/fails closed on pods in 'system'/);
    expect(() => configure({ scope: { namespaces: ['a'] } }, { kinds: [Pod] })).not.toThrow();
  });

  test('with several kinds: exempt as soon as one is of others; a rule for each group, version and scope', () => {
    const kinds = [memcachedKind, Deployment, Pod, StatefulSet] as const;
    const entry = configure({}, { kinds, subresource: 'status' }) as {
      readonly rules: readonly object[];
      readonly namespaceSelector: object;
    };
    expect(entry.namespaceSelector).toEqual({ matchExpressions: [exempt] });
    const rest = { operations: ['CREATE', 'UPDATE'], scope: 'Namespaced' };
    expect(entry.rules).toEqual([
      { ...rest, apiGroups: ['cache.example.com'], apiVersions: ['v1alpha1'], resources: ['memcacheds/status'] },
      { ...rest, apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments/status', 'statefulsets/status'] },
      { ...rest, apiGroups: [''], apiVersions: ['v1'], resources: ['pods/status'] },
    ]);
  });

  test('a timeout that the API server refuses', () => {
    expect(() => configure({}, { timeoutSeconds: 31 })).toThrow(/timeoutSeconds is 31; the API server takes 1 to 30/);
  });
});
