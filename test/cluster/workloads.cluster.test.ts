import { ApiServer } from '../../src/api-server/server/index.js';
import { type ApiClient, createClient } from '../../src/runtime/client/index.js';
import { connectionOf } from '../../src/runtime/http/index.js';
import { eventually } from '../eventually.js';
import { Speaker } from './differential/exchange.js';
import { Kubectl } from './differential/kubectl.js';
import { describeCluster, SharedCluster } from './harness/index.js';
import { NodePlayer } from './node-player.js';
import { stateOf } from './workloads/masked-state.js';

const NAMESPACE = 'play';
const MERGE = 'application/merge-patch+json';

const labels = { app: 'web' };
const template = (image: string, more: object = {}): object => ({
  metadata: { labels },
  spec: { terminationGracePeriodSeconds: 1, containers: [{ name: 'main', image }], ...more },
});
const object = (apiVersion: string, kind: string, name: string, spec: object): object => ({ apiVersion, kind, metadata: { name }, spec });
const deployment = object('apps/v1', 'Deployment', 'web', { replicas: 3, selector: { matchLabels: labels }, template: template('good:1') });

interface Step {
  readonly name: string;
  readonly method: 'DELETE' | 'PATCH' | 'POST';
  readonly path: string;
  readonly body: object;
  /** Before it: Pods with this image do not become ready (or complete); `''`: all may. */
  readonly hold?: string;
}

const DEPLOYMENT = { method: 'PATCH', path: '/apis/apps/v1/namespaces/play/deployments/web' } as const;
const STATEFUL_SET = { method: 'PATCH', path: '/apis/apps/v1/namespaces/play/statefulsets/web' } as const;
const DAEMON_SET = { method: 'PATCH', path: '/apis/apps/v1/namespaces/play/daemonsets/web' } as const;
const create = (path: string, body: object): Omit<Step, 'name'> => ({
  method: 'POST',
  path: path.replace('/NS/', '/namespaces/play/'),
  body,
});
const remove = (path: string): Omit<Step, 'name'> => ({
  method: 'DELETE',
  path,
  body: { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' },
});
const job = (name: string, spec: object, image = 'good'): object =>
  object('batch/v1', 'Job', name, { template: template(image, { restartPolicy: 'Never' }), ...spec });

/** One story: each step begins where the one before has left. */
const STEPS: readonly Step[] = [
  {
    name: 'a budget without Pods',
    ...create(
      '/apis/policy/v1/NS/poddisruptionbudgets',
      object('policy/v1', 'PodDisruptionBudget', 'web', { maxUnavailable: 1, selector: { matchLabels: labels } }),
    ),
  },
  {
    name: 'a Service without Pods',
    ...create(
      '/api/v1/NS/services',
      object('v1', 'Service', 'web', { clusterIP: 'None', selector: labels, ports: [{ name: 'http', port: 80 }] }),
    ),
  },
  { name: 'a Deployment', ...create('/apis/apps/v1/NS/deployments', deployment) },
  { name: 'a rollout that is held back', ...DEPLOYMENT, body: { spec: { template: template('good:2') } }, hold: 'good:2' },
  { name: 'scaled in the middle', ...DEPLOYMENT, body: { spec: { replicas: 6 } }, hold: 'good:2' },
  { name: 'the rollout gets on', ...DEPLOYMENT, body: { metadata: { annotations: { note: 'a' } } }, hold: '' },
  { name: 'back to the first template', ...DEPLOYMENT, body: { spec: { template: template('good:1'), replicas: 2 } } },
  { name: 'paused', ...DEPLOYMENT, body: { spec: { paused: true, template: template('good:3') } } },
  {
    name: 'resumed, as Recreate',
    ...DEPLOYMENT,
    body: { spec: { paused: false, strategy: { type: 'Recreate', rollingUpdate: null }, revisionHistoryLimit: 1 } },
  },
  { name: 'the Deployment is deleted', ...remove('/apis/apps/v1/namespaces/play/deployments/web') },
  {
    name: 'a StatefulSet',
    ...create(
      '/apis/apps/v1/NS/statefulsets',
      object('apps/v1', 'StatefulSet', 'web', {
        replicas: 3,
        serviceName: 'web',
        selector: { matchLabels: labels },
        template: template('good:1'),
      }),
    ),
  },
  { name: 'its update is held back', ...STATEFUL_SET, body: { spec: { template: template('good:2') } }, hold: 'good:2' },
  { name: 'its update gets on', ...STATEFUL_SET, body: { spec: { revisionHistoryLimit: 0 } }, hold: '' },
  {
    name: 'a partition',
    ...STATEFUL_SET,
    body: { spec: { updateStrategy: { rollingUpdate: { partition: 2 } }, template: template('good:3') } },
  },
  { name: 'scaled down', ...STATEFUL_SET, body: { spec: { replicas: 1 } } },
  { name: 'the StatefulSet is deleted', ...remove('/apis/apps/v1/namespaces/play/statefulsets/web') },
  {
    name: 'a DaemonSet',
    ...create(
      '/apis/apps/v1/NS/daemonsets',
      object('apps/v1', 'DaemonSet', 'web', { selector: { matchLabels: labels }, template: template('good:1') }),
    ),
  },
  { name: 'its update', ...DAEMON_SET, body: { spec: { template: template('good:2') } }, hold: 'good:2' },
  { name: 'the DaemonSet is deleted', ...remove('/apis/apps/v1/namespaces/play/daemonsets/web'), hold: '' },
  { name: 'a Job', ...create('/apis/batch/v1/NS/jobs', job('sum', { completions: 3, parallelism: 2 })) },
  {
    name: 'a Job with indexes',
    ...create('/apis/batch/v1/NS/jobs', job('indexed', { completions: 2, parallelism: 2, completionMode: 'Indexed' })),
  },
  { name: 'a Job that fails', ...create('/apis/batch/v1/NS/jobs', job('bad', { backoffLimit: 0 }, 'bad:1')) },
  { name: 'a Job that is suspended', ...create('/apis/batch/v1/NS/jobs', job('later', { suspend: true })) },
  { name: 'and resumed', method: 'PATCH', path: '/apis/batch/v1/namespaces/play/jobs/later', body: { spec: { suspend: false } } },
  {
    name: 'a Job whose policy ends it',
    ...create(
      '/apis/batch/v1/NS/jobs',
      job('policy', { podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } }] } }, 'bad:2'),
    ),
  },
];

describeCluster('workloads make what the real controllers make', () => {
  let [cluster, server, player]: [SharedCluster | undefined, ApiServer | undefined, NodePlayer | undefined] = [
    undefined,
    undefined,
    undefined,
  ];
  let speakers: readonly Speaker[] = [];
  let client: ApiClient | undefined;
  const problems: string[] = [];
  beforeAll(async () => {
    cluster = SharedCluster.take('managed');
    server = await ApiServer.start({ workloads: true, onProblem: ({ error }) => problems.push(String(error)) });
    const ours = new Speaker({
      name: 'embedded',
      url: server.url,
      ca: server.certificateAuthority ?? '',
      tokens: { admin: server.tokenFor() },
    });
    const theirs = new Speaker({ name: 'real', url: cluster.url, ca: cluster.connection.ca, tokens: cluster.connection.tokens });
    speakers = [ours, theirs];
    for (const speaker of speakers)
      await speaker.ask({
        method: 'POST',
        path: '/api/v1/namespaces',
        body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
      });
    for (const speaker of speakers)
      await speaker.ask({ method: 'GET', path: `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`, until: '"default"' });
    client = createClient({ connection: connectionOf({ server: cluster.url, ca: cluster.connection.ca, token: cluster.adminToken }) });
    player = new NodePlayer(client);
    await player.start();
  });
  afterAll(async () => {
    await player?.stop();
    client?.close();
    for (const speaker of speakers) speaker.close();
    await server?.close();
    await cluster?.stop();
    expect(problems).toEqual([]);
  });

  test.each(STEPS.map((step) => [step.name, step] as const))('%s', async (_name, { method, path, body, hold }) => {
    if (hold !== undefined) holdBack(hold);
    const contentType = method === 'PATCH' ? { contentType: MERGE } : {};
    for (const speaker of speakers) expect((await speaker.ask({ method, path, body, ...contentType })).status).toBeLessThan(300);
    await failBadPods();
    const areEqual = async (): Promise<true> => {
      const states = await Promise.all(speakers.map((speaker) => stateOf(speaker, NAMESPACE)));
      expect(states[0]).toEqual(states[1]);
      return true;
    };
    await eventually(areEqual, 'both servers come to the same state', () => true);
  });

  function holdBack(image: string): void {
    player?.held.clear();
    server?.pods.release();
    server?.pods.holdBack({ image: 'bad:1' }, { before: 'completed' });
    server?.pods.holdBack({ image: 'bad:2' }, { before: 'completed' });
    if (image === '') return;
    player?.held.add(image);
    server?.pods.holdBack({ image });
  }

  /** What the player does of itself. */
  async function failBadPods(): Promise<void> {
    const bad = (): readonly string[] => {
      const pods = (server?.core.cluster.list({ group: '', plural: 'pods' }, NAMESPACE) ?? []) as unknown as readonly {
        readonly metadata: { readonly name: string };
        readonly spec: { readonly containers: readonly { readonly image: string }[] };
        readonly status: { readonly phase: string };
      }[];
      return pods
        .filter(({ spec, status }) => spec.containers[0]?.image.startsWith('bad') === true && status.phase === 'Running')
        .map(({ metadata }) => metadata.name);
    };
    await eventually(async () => server?.isIdle === true);
    for (const name of bad()) await server?.pods.fail({ namespace: NAMESPACE, name });
  }
});

describeCluster('kubectl rolls out and waits on workloads without machines', () => {
  let [server, kubectl]: [ApiServer | undefined, Kubectl | undefined] = [undefined, undefined];
  beforeAll(async () => {
    const { kubectl: binary } = SharedCluster.take('bare').connection;
    server = await ApiServer.start({ workloads: true });
    kubectl = new Kubectl(binary, server.kubeconfig());
    kubectl.write('web.json', JSON.stringify(deployment));
  });
  afterAll(async () => {
    kubectl?.remove();
    await server?.close();
  });

  test.each([
    ['apply -f web.json', 'deployment.apps/web created'],
    ['rollout status deployment/web --timeout=20s', 'deployment "web" successfully rolled out'],
    ['wait deployment/web --for=condition=Available --timeout=20s', 'deployment.apps/web condition met'],
    ['set image deployment/web main=good:2', 'deployment.apps/web image updated'],
    ['rollout status deployment/web --timeout=20s', 'deployment "web" successfully rolled out'],
    ['rollout history deployment/web --revision=1', 'good:1'],
    ['rollout undo deployment/web', 'deployment.apps/web rolled back'],
    ['rollout status deployment/web --timeout=20s', 'deployment "web" successfully rolled out'],
    ['get deployment web -o jsonpath={.spec.template.spec.containers[0].image}', 'good:1'],
    ['rollout restart deployment/web', 'deployment.apps/web restarted'],
    ['rollout status deployment/web --timeout=20s', 'deployment "web" successfully rolled out'],
    ['wait pod -l app=web --for=condition=Ready --timeout=20s', 'condition met'],
    ['create job once --image=good -- true', 'job.batch/once created'],
    ['wait job/once --for=condition=Complete --timeout=20s', 'job.batch/once condition met'],
    ['drain node-1 --force --timeout=30s', 'node/node-1 drained'],
    ['uncordon node-1', 'node/node-1 uncordoned'],
    ['rollout status deployment/web --timeout=20s', 'deployment "web" successfully rolled out'],
  ])('%s', async (line, expected) => {
    const { code, stdout, stderr } = await (kubectl as Kubectl).run({ line });
    expect({ code, text: `${stdout}${stderr}` }).toEqual({ code: 0, text: expect.stringContaining(expected) });
  });
});
