import { fullOperator } from '../models';
import { deploymentOf, manifestsOf } from '../synthesized';

const withoutConversions = {
  ...fullOperator,
  customResources: fullOperator.customResources.filter(({ conversions }) => conversions === undefined),
};

describe('the pod', () => {
  test('one replica has no budget and no spread, two have both', () => {
    expect(manifestsOf({}).some(({ kind }) => kind === 'PodDisruptionBudget')).toBe(false);
    expect(deploymentOf({}).template.spec.topologySpreadConstraints).toBeUndefined();
    expect(manifestsOf({ replicas: 2 }).some(({ kind }) => kind === 'PodDisruptionBudget')).toBe(true);
    expect(deploymentOf({ replicas: 2 }).template.spec.topologySpreadConstraints).toHaveLength(2);
    expect(manifestsOf({ replicas: 2, podDisruptionBudget: false }).some(({ kind }) => kind === 'PodDisruptionBudget')).toBe(false);
  });

  test('without leader election two processes never run side by side', () => {
    expect(deploymentOf({ leaderElection: false }).strategy).toEqual({ type: 'Recreate' });
    expect(() => deploymentOf({ leaderElection: false, replicas: 2 })).toThrow(
      /2 replicas without leaderElection would all reconcile the same objects/,
    );
    expect(JSON.stringify(manifestsOf({ leaderElection: false }))).not.toMatch(/"leases"|LEASE/);
  });

  test('another image is one field: no label repeats its tag', () => {
    const [one, other] = ['v1', 'v2'].map((tag) => JSON.stringify(deploymentOf({ image: `registry:5000/a/b:${tag}` })));
    expect(one?.replace('a/b:v1', 'a/b:v2')).toBe(other);
  });
  test('labels cannot break the selector', () => {
    const spec = deploymentOf({
      labels: { 'app.kubernetes.io/name': 'x' },
      podMetadata: { labels: { 'app.kubernetes.io/instance': 'y' } },
    });
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
  });

  test.each([
    [{ configMap: 'clients' }, { configMap: { name: 'clients', items: [{ key: 'ca.crt', path: 'ca.crt' }] } }],
    [
      { secret: 'clients', key: 'a.pem' },
      { secret: { secretName: 'clients', defaultMode: 0o440, items: [{ key: 'a.pem', path: 'ca.crt' }] } },
    ],
  ])('the authority of the webhooks\u2019 clients is mounted, and named to the process', (webhookClientAuthority, source) => {
    const { containers, volumes } = deploymentOf({ webhookClientAuthority, operator: withoutConversions }).template.spec;
    expect(volumes).toContainEqual({ name: 'client-authority', ...source });
    expect(containers[0].volumeMounts).toContainEqual({
      name: 'client-authority',
      mountPath: '/var/run/keelson/client-authority',
      readOnly: true,
    });
    const file = { name: 'KEELSON_WEBHOOK_CLIENT_AUTHORITY_FILE', value: '/var/run/keelson/client-authority/ca.crt' };
    expect(containers[0].env).toContainEqual(file);
  });

  test('an operator that converts cannot ask its clients for certificates: API servers show none then', () => {
    expect(() => deploymentOf({ webhookClientAuthority: { configMap: 'clients' } })).toThrow(
      /show no certificate when they ask for a conversion/,
    );
  });

  test('a variable that is undefined is left out', () => {
    const { env } = deploymentOf({ env: { A: undefined, B: 'b' } }).template.spec.containers[0];
    expect(env.filter(({ name }: { name: string }) => name.length === 1)).toEqual([{ name: 'B', value: 'b' }]);
  });
});
