import { type InProcessCluster, TestCluster } from '@keelson/testing';
import { defineOperator } from 'keelson';
import { type Container, Namespace, Pod, type Volume } from 'keelson/kinds';
import { podSidecarPolicy } from './policy.js';
import { SidecarSet } from './sidecar-set.js';
import { podSidecars, sidecarDefaults, sidecarSetChecks } from './webhooks.js';

const INPUTS = 200;
/** SidecarSets that are there at the same time. */
const BATCH = 20;

/** A generator of numbers that a seed chooses: a failure can be repeated. */
function drawing(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Draw = ReturnType<typeof drawing>;

function someOf<T>(draw: Draw, items: readonly T[]): T[] {
  return items.filter(() => draw(2) === 0);
}

function oneOf<T>(draw: Draw, items: readonly T[]): T {
  return items[draw(items.length)] as T;
}

const variables = (draw: Draw): NonNullable<Container['env']> =>
  someOf(draw, ['REGION', 'IS_INJECTED', 'LEVEL', 'POD']).map((name) =>
    name === 'POD' ? { name, valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } } : { name, value: `${name}-${draw(9)}` },
  );

function container(draw: Draw, name: string): Container {
  const env = variables(draw);
  return {
    name,
    image: `${name}:${draw(3)}`,
    ...(draw(2) === 0 ? {} : { args: ['--port', String(draw(100))], ports: [{ containerPort: 1000 + draw(100) }] }),
    ...(env.length === 0 ? {} : { env }),
    ...(draw(3) === 0 ? { resources: { limits: { cpu: `${1 + draw(9)}00m` } } } : {}),
    ...(draw(3) === 0 ? { readinessProbe: { httpGet: { port: 80 } } } : {}),
  };
}

const volume = (name: string): Volume => ({ name, configMap: { name, items: [{ key: 'a', path: 'b' }] } });

const selectors = [
  { matchLabels: { app: 'web' } },
  { matchExpressions: [{ key: 'app', operator: 'In' as const, values: ['web', 'db'] }] },
  { matchExpressions: [{ key: 'app', operator: 'NotIn' as const, values: ['db'] }] },
  { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'Exists' as const }] },
  { matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' as const }] },
];
const namespaceSelectors = [
  undefined,
  { matchLabels: { team: 'a' } },
  { matchExpressions: [{ key: 'team', operator: 'NotIn' as const, values: ['a'] }] },
];

function sidecarSetSpec(draw: Draw): Parameters<typeof SidecarSet>[0]['spec'] {
  const namespaceSelector = oneOf(draw, namespaceSelectors);
  const initContainers = someOf(draw, ['setup', 'guard']).map((name) => ({ ...container(draw, name), restartPolicy: 'Always' as const }));
  const transferEnv = someOf(draw, ['REGION', 'LEVEL', 'NOWHERE']).map((name) => ({
    name,
    from: oneOf(draw, ['app', 'helper', 'nobody']),
  }));
  return {
    selector: oneOf(draw, selectors),
    ...(namespaceSelector && { namespaceSelector }),
    containers: ['proxy', ...someOf(draw, ['logs', 'metrics'])].map((name) => container(draw, name)),
    ...(initContainers.length === 0 ? {} : { initContainers }),
    volumes: someOf(draw, ['shared', 'own']).map(volume),
    imagePullSecrets: someOf(draw, ['one', 'two']).map((name) => ({ name })),
    injectPolicy: oneOf(draw, ['AfterAppContainers', 'BeforeAppContainers']),
    transferEnv,
    injectionPaused: draw(8) === 0,
  };
}

function podOf(draw: Draw, name: string): Parameters<typeof Pod>[0] {
  const labels = { ...(draw(4) === 0 ? {} : { app: oneOf(draw, ['web', 'db']) }), ...(draw(2) === 0 ? {} : { tier: 'front' }) };
  const annotations = draw(2) === 0 ? undefined : { note: 'mine' };
  return {
    metadata: {
      name,
      namespace: oneOf(draw, ['shop', 'back', 'left-alone']),
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      ...(annotations && { annotations }),
    },
    spec: {
      containers: ['app', ...someOf(draw, ['helper'])].map((own) => container(draw, own)),
      ...(draw(2) === 0 ? {} : { initContainers: [{ ...container(draw, 'prepare'), restartPolicy: 'Always' }] }),
      ...(draw(2) === 0 ? {} : { volumes: [volume('shared'), { name: 'mine', emptyDir: {} }] }),
      ...(draw(2) === 0 ? {} : { imagePullSecrets: [{ name: 'one' }] }),
    },
  };
}

/** Names that the server draws are the same in both. */
const suffixes = (): string => 'drawn';
const manifests = [
  Namespace({ metadata: { name: 'shop', labels: { team: 'a' } } }),
  Namespace({ metadata: { name: 'back' } }),
  Namespace({ metadata: { name: 'left-alone', labels: { 'control-plane': 'yes' } } }),
];

/** The Pod without what the server makes anew each time. */
function masked({ metadata, spec }: Pod): object {
  const { uid: _uid, resourceVersion: _version, creationTimestamp: _time, managedFields: _managers, ...kept } = metadata;
  return { metadata: kept, spec };
}

/** The Pods of some seeds, each with a SidecarSet that may select it alone. */
async function podsOf(cluster: InProcessCluster, first: number): Promise<readonly object[]> {
  const seeds = Array.from({ length: BATCH }, (_, index) => first + index);
  const inputs = seeds.map((seed) => inputOf(seed));
  for (const { set } of inputs) await cluster.create(SidecarSet(set));
  await cluster.settled();
  const pods: object[] = [];
  for (const { pod } of inputs) pods.push(masked(await cluster.create(Pod(pod))));
  for (const { set } of inputs) await cluster.delete(SidecarSet, set.metadata.name);
  return pods;
}

/** The label `case` keeps the others away. */
function inputOf(seed: number) {
  const draw = drawing(seed);
  const own = { case: `c${seed}` };
  const spec = sidecarSetSpec(draw);
  const selector = { ...spec.selector, matchLabels: { ...spec.selector.matchLabels, ...own } };
  const pod = podOf(draw, `p${seed}`);
  return {
    set: { metadata: { name: `mesh-${seed}` }, spec: { ...spec, selector } },
    pod: { ...pod, metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, ...own } } },
  };
}

test(`the policy makes the Pods that the webhook makes, for ${INPUTS} SidecarSets and Pods`, async () => {
  const shared = [sidecarDefaults, sidecarSetChecks] as const;
  const byWebhook = await TestCluster.start({
    operator: defineOperator({ name: 'w', webhooks: [podSidecars, ...shared] }),
    manifests,
    suffixes,
  });
  const byPolicy = await TestCluster.start({
    operator: defineOperator({ name: 'p', webhooks: [podSidecarPolicy, ...shared] }),
    manifests,
    suffixes,
  });
  const clusters = [byWebhook, byPolicy];
  try {
    await Promise.all(clusters.map((cluster) => cluster.startOperator()));
    let injected = 0;
    for (let first = 1; first <= INPUTS; first += BATCH) {
      const [expected = [], made = []] = await Promise.all(clusters.map((cluster) => podsOf(cluster, first)));
      for (const [index, pod] of expected.entries()) {
        expect({ seed: first + index, pod: made[index] }).toEqual({ seed: first + index, pod });
        if (JSON.stringify(pod).includes('apps.example.com/sidecarset-hash')) injected += 1;
      }
    }
    // Neither all nor none of them were selected.
    expect(injected).toBeGreaterThan(INPUTS / 5);
    expect(injected).toBeLessThan(INPUTS);
  } finally {
    await Promise.all(clusters.map((cluster) => cluster.close()));
  }
});
