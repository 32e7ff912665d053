import { deploymentOf, manifestsOf } from '../synthesized';

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

  test('the version label is the tag, never a digest', () => {
    const version = (ref: string): unknown => deploymentOf({ image: ref }).template.metadata.labels['app.kubernetes.io/version'];
    expect(version('registry:5000/a/b')).toBeUndefined();
    expect(version('registry:5000/a/b:v1.2')).toBe('v1.2');
    expect(version('a/b@sha256:abcdef')).toBeUndefined();
    expect(version('a/b:v3@sha256:abcdef')).toBe('v3');
  });

  test('labels cannot break the selector', () => {
    const spec = deploymentOf({
      labels: { 'app.kubernetes.io/name': 'x' },
      podMetadata: { labels: { 'app.kubernetes.io/instance': 'y' } },
    });
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
  });

  test('a variable that is undefined is left out', () => {
    const { env } = deploymentOf({ env: { A: undefined, B: 'b' } }).template.spec.containers[0];
    expect(env.filter(({ name }: { name: string }) => name.length === 1)).toEqual([{ name: 'B', value: 'b' }]);
  });
});
