/**
 * `node --expose-gc --import tsx bench/processes/cache.ts frozen|plain shared|alone`: what it costs to take Pods into the runtime's cache and to read them.
 *
 * `plain` is the control: nothing in the process is frozen.
 */
const [freezing, sharing] = process.argv.slice(2);
if (freezing === 'plain') Object.freeze = (value: unknown) => value as never;
// Loaded only now: their constants are made with the function above.
const { Cache } = await import('../../src/runtime/cache/index.js');
const { systemClock } = await import('../../src/runtime/clock/index.js');
const { Pod } = await import('keelson/kinds/core/v1');

interface ReadPod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly { readonly image: string; readonly env: readonly { name: string; value: string }[] }[] };
  readonly status: { readonly conditions: readonly { readonly type: string; readonly status: string }[] };
}

const PODS = 10_000;
const PAGE = 250;
const READS = 20;
const PRINTS = 3;

/** A Pod as a Deployment makes it, some 4 KB of JSON. */
function podText(index: number): string {
  const app = sharing === 'alone' ? `app-${index}` : `app-${index % 100}`;
  const own = (text: string): string => (sharing === 'alone' ? `${text}-${index}` : text);
  const env = Array.from({ length: 20 }, (_, at) => ({ name: `SETTING_${at}`, value: own(`value-of-setting-${at}-of-${app}`) }));
  const labels = { app, 'pod-template-hash': '6d4cf56db6', 'app.kubernetes.io/name': app };
  const containers = ['main', 'sidecar'].map((name) => ({
    name,
    image: own(`registry.example.com/team/${app}/${name}:v1.2.3`),
    ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
    env,
    resources: { limits: { cpu: '500m', memory: '512Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
    volumeMounts: [{ name: 'access', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }],
  }));
  const conditions = ['Initialized', 'Ready', 'PodScheduled'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: '2030-01-01T00:00:00Z',
  }));
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `${app}-${index}`, namespace: 'default', uid: `uid-${index}`, resourceVersion: String(index + 1), labels },
    spec: { containers, nodeName: `node-${index % 50}`, restartPolicy: 'Always', serviceAccountName: 'default' },
    status: { phase: 'Running', conditions, podIP: `10.1.${index >> 8}.${index & 255}` },
  });
}

const texts = Array.from({ length: PODS }, (_, index) => podText(index));
const client = {
  async list(_: unknown, { continue: token = '0' }: { readonly continue?: string }) {
    const from = Number(token);
    const items = texts.slice(from, from + PAGE).map((text) => JSON.parse(text) as object);
    return { items, resourceVersion: '99999', continue: from + PAGE < PODS ? String(from + PAGE) : undefined };
  },
  async watch(_: unknown, { signal }: { readonly signal: AbortSignal }) {
    const ended = new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    return {
      close() {},
      async *batches() {
        yield* [];
        await ended;
      },
    };
  },
};
const log = { debug() {}, info() {}, warn() {}, error() {} };

/** What reconcilers do: labels, a condition, the containers and their environment, a copy of a part. */
function read(pods: readonly ReadPod[]): number {
  let sum = 0;
  for (const { metadata, spec, status } of pods) {
    sum += metadata.labels['app']?.length ?? 0;
    sum += status.conditions.find(({ type }) => type === 'Ready')?.status.length ?? 0;
    for (const { image, env, ...rest } of spec.containers) {
      sum += image.length + Object.keys(rest).length;
      for (const { name, value } of env) sum += name.length + value.length;
    }
    sum += { ...metadata.labels, more: 'a' }.more.length;
  }
  return sum;
}

/** Microseconds of CPU since `before`, for each of so many. */
function cpuEach(before: NodeJS.CpuUsage, count: number): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

function heap(): number {
  if (globalThis.gc === undefined) throw new Error('memory is measured with node --expose-gc');
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

const heapBefore = heap();
const cache = new Cache({ client: client as never, clock: systemClock, log, streamLists: false, pageSize: PAGE });
const informer = cache.informer({ kind: Pod });
const taking = process.cpuUsage();
cache.start();
await cache.synced();
const takeUs = cpuEach(taking, PODS);
const heapBytes = (heap() - heapBefore) / PODS;
const pods = informer.list() as unknown as readonly ReadPod[];
if (Object.isFrozen(pods[0]?.spec) !== (freezing === 'frozen')) throw new Error('the control is not one');
read(pods);
const reading = process.cpuUsage();
for (let round = 0; round < READS; round += 1) read(pods);
const readUs = cpuEach(reading, PODS * READS);
const printing = process.cpuUsage();
for (let round = 0; round < PRINTS; round += 1) for (const pod of pods) JSON.stringify(pod);
const printUs = cpuEach(printing, PODS * PRINTS);
console.log(JSON.stringify({ takeUs, heapBytes, readUs, printUs }));
await cache.stop();

export {};
