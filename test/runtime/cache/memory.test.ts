import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Pod } from 'keelson/kinds/core/v1';
import { Cache, type CacheClient, type CacheOptions, type Informer } from '../../../src/runtime/cache/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { errors, key, object, scene, stopAll } from './scene.js';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

const PODS = 6_000;
const PAGE = 500;

/** A Pod as a Deployment makes it, some 5 KB of JSON. */
function podText(index: number, isAlone: boolean): string {
  const app = isAlone ? `app-${index}` : `app-${index % 100}`;
  const own = (text: string): string => (isAlone ? `${text}-${index}` : text);
  const env = Array.from({ length: 20 }, (_, at) => ({ name: `SETTING_${at}`, value: own(`value-of-setting-${at}-of-${app}`) }));
  const time = `2030-01-01T00:${String(index % 60).padStart(2, '0')}:00Z`;
  return JSON.stringify({
    metadata: {
      name: `${app}-6d4cf56db6-${index.toString(36)}`,
      generateName: `${app}-6d4cf56db6-`,
      namespace: 'default',
      uid: `6f0c2c9e-3d5b-4c59-9d61-${String(index).padStart(12, '0')}`,
      resourceVersion: String(1_000 + index),
      creationTimestamp: time,
      labels: { app, 'pod-template-hash': '6d4cf56db6', 'app.kubernetes.io/name': app, 'app.kubernetes.io/managed-by': 'somebody' },
      annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '8080', 'example.com/checksum': own('a'.repeat(64)) },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: `${app}-6d4cf56db6`,
          uid: own(`owner-of-${app}`),
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      managedFields: [
        {
          manager: 'kube-controller-manager',
          operation: 'Update',
          apiVersion: 'v1',
          time,
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:metadata': { 'f:labels': {} } },
        },
      ],
    },
    spec: {
      containers: ['main', 'sidecar'].map((name) => ({
        name,
        image: own(`registry.example.com/team/${app}/${name}:v1.2.3`),
        ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
        env,
        resources: { limits: { cpu: '500m', memory: '512Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
        volumeMounts: [{ name: 'kube-api-access-x', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }],
        livenessProbe: {
          httpGet: { path: '/healthz', port: 8080, scheme: 'HTTP' },
          timeoutSeconds: 1,
          periodSeconds: 10,
          successThreshold: 1,
          failureThreshold: 3,
        },
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        imagePullPolicy: 'IfNotPresent',
      })),
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: 'default',
      nodeName: `node-${index % 50}`,
      tolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
        { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      ],
    },
    status: {
      phase: 'Running',
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
        type,
        status: 'True',
        lastProbeTime: null,
        lastTransitionTime: time,
      })),
      hostIP: `10.0.0.${index % 50}`,
      podIP: `10.1.${index >> 8}.${index & 255}`,
      startTime: time,
      containerStatuses: ['main', 'sidecar'].map((name) => ({
        name,
        state: { running: { startedAt: time } },
        ready: true,
        restartCount: 0,
        image: `registry.example.com/team/${app}/${name}:v1.2.3`,
        containerID: `containerd://${String(index).padStart(64, name)}`,
      })),
      qosClass: 'Burstable',
    },
  });
}

/** Lists Pods page by page, each parsed as it is asked for, and then says nothing. */
function pods(isAlone: boolean): CacheClient {
  const list = async (_: unknown, { continue: token = '0' }: { readonly continue?: string }) => {
    const from = Number(token);
    const items = Array.from({ length: PAGE }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      ...(JSON.parse(podText(from + index, isAlone)) as object),
    }));
    return { items, resourceVersion: '99999', continue: from + PAGE < PODS ? String(from + PAGE) : undefined };
  };
  const watch = async (_: unknown, { signal }: { readonly signal: AbortSignal }) => ({
    close() {},
    async *batches() {
      yield* [];
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    },
  });
  return { list, watch } as unknown as CacheClient;
}

function cacheOf(client: CacheClient, options: Partial<CacheOptions> = {}): Cache {
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  return new Cache({ client, clock: new FakeClock(), log: silent, streamLists: false, pageSize: PAGE, ...options });
}

async function held(isAlone: boolean): Promise<{ cache: Cache; informer: Informer; bytes: number }> {
  const cache = cacheOf(pods(isAlone));
  const informer = cache.informer({ kind: Pod });
  gc();
  const before = process.memoryUsage().heapUsed;
  cache.start();
  await cache.synced();
  gc();
  return { cache, informer, bytes: (process.memoryUsage().heapUsed - before) / PODS };
}

test('a Pod of 6 KB takes less than 5 KB, and a quarter of that where it shares what others have', async () => {
  expect(podText(1, false).length).toBeGreaterThan(5_900);
  const alone = await held(true);
  expect(alone.informer.list()).toHaveLength(PODS);
  await alone.cache.stop();
  expect(alone.bytes).toBeLessThan(5_000);
  const shared = await held(false);
  const [first, second] = [0, 100].map((index) => shared.informer.list()[index] as unknown as { spec: { containers: unknown } });
  expect(first?.spec.containers).toBe(second?.spec.containers);
  expect(shared.bytes).toBeLessThan(2_500);
  await shared.cache.stop();
});

test('a long list is taken in and told in slices, between which the event loop has its turn', async () => {
  const counted = { taken: 0, told: 0, most: 0, isOver: false };
  const turn = (): void => {
    counted.most = Math.max(counted.most, counted.taken, counted.told);
    counted.taken = 0;
    counted.told = 0;
    if (!counted.isOver) setImmediate(turn);
  };
  const transform: CacheOptions['transform'] = (pod) => {
    counted.taken += 1;
    return { apiVersion: pod.apiVersion, kind: pod.kind, metadata: pod.metadata };
  };
  const cache = cacheOf(pods(false), { transform });
  cache.informer({ kind: Pod }).onChange(() => {
    counted.told += 1;
  });
  turn();
  cache.start();
  await cache.synced();
  counted.isOver = true;
  expect(counted.most).toBeGreaterThan(0);
  expect(counted.most).toBeLessThanOrEqual(200);
  await cache.stop();
});

test('a relist keeps the very objects that have not changed', async () => {
  const api = scene();
  const watch = await api.synced([object('a', 3), object('b', 3)], '5');
  const before = api.informer.get(key('a'));
  watch.fail(errors.expired());
  await api.pass();
  (await api.api.next('list')).page([object('a', 3), object('b', 6)], '9');
  await api.api.next('watch');
  expect(api.informer.get(key('a'))).toBe(before);
  await stopAll();
});
