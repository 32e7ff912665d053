import { helmChart, type PackageFile } from 'keelson/packaging';
import { memcachedPackage } from '../../examples/memcached/package.js';
import { findTool } from '../../scripts/cluster/go-tool.js';
import { ChartFolder, comparable, documentsOf, type ManifestLike } from './helm/chart-folder.js';

const helm = findTool('helm');
// In CI the suite must run: without helm it fails, and says how to build it.
const suite = helm.found || process.env['CI'] !== undefined ? describe : describe.skip;

interface Probe {
  readonly initialDelaySeconds?: number;
  readonly periodSeconds: number;
}

interface DeploymentSpec {
  readonly strategy?: object;
  readonly minReadySeconds?: number;
  readonly template: {
    readonly spec: {
      readonly terminationGracePeriodSeconds: number;
      readonly containers: readonly [{ readonly startupProbe: Probe; readonly readinessProbe: Probe }];
    };
  };
}

const NAMESPACE = ['--namespace', 'memcached-system'];
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

/** Values that turn everything on and off, and texts that break YAML where they are not quoted. */
const MATRIX: readonly (readonly [name: string, values: object])[] = [
  ['the defaults', {}],
  ['three replicas', { replicas: 3, podDisruptionBudget: { enabled: false } }],
  ['no replica', { replicas: 0 }],
  ['two namespaces', { watchNamespaces: ['team-b', 'team-a'], rbac: { aggregate: false }, crds: { enabled: false } }],
  ['cert-manager', { certificates: { mode: 'certManager' }, serviceMonitor: { enabled: true, labels: { release: 'prometheus' } } }],
  [
    'an issuer of a platform',
    { certificates: { mode: 'certManager', issuer: { name: 'platform', kind: 'ClusterIssuer' } }, networkPolicy: { enabled: true } },
  ],
  ['plain metrics', { metrics: { secure: false }, networkPolicy: { enabled: true }, grafanaDashboard: { enabled: true } }],
  ['no metrics', { metrics: { enabled: false }, replicas: 2 }],
  [
    'readers',
    {
      metrics: {
        readers: [
          { name: 'prometheus', namespace: 'monitoring' },
          { name: 'agent', namespace: 'tools' },
        ],
      },
    },
  ],
  [
    'another name and image',
    {
      fullnameOverride: 'cache',
      image: { repository: 'mirror.example.com/op', tag: '2.0.0', pullPolicy: 'Always' },
      imagePullSecrets: [{ name: 'pull' }],
    },
  ],
  ['a digest', { image: { digest: DIGEST }, serviceAccount: { existing: 'platform' }, logLevel: 'debug' }],
  [
    'texts that YAML reads otherwise (2E-22)',
    {
      memcachedImage: 'a: b # \'c\' "d" {{ .Values.replicas }} %s \\ é\n\t= e',
      env: [
        { name: 'EMPTY', value: '' },
        { name: 'FLAGS', value: '--a=b c="d"' },
        { name: 'ON', value: 'yes' },
        { name: 'NUMBER', value: '1e6' },
      ],
      podAnnotations: { 'example.com/note': 'on: off' },
      podLabels: { team: 'null' },
      nodeSelector: { pool: 'true' },
      priorityClassName: 'high',
    },
  ],
  [
    'placement',
    {
      tolerations: [{ key: 'dedicated', operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
      resources: { limits: { memory: '1Gi', cpu: 1 } },
      envFrom: [{ configMapRef: { name: 'more' } }],
    },
  ],
];

suite(`the Helm chart of an operator${helm.found ? '' : ` [skipped: ${helm.reason}]`}`, () => {
  let chart: ChartFolder;
  let files: readonly PackageFile[];

  beforeAll(() => {
    if (!helm.found) throw new Error(helm.reason);
    files = helmChart(memcachedPackage);
    chart = new ChartFolder(helm.path, files);
  });
  afterAll(() => chart?.remove());

  const rendered = async (values: object): Promise<ManifestLike[]> =>
    documentsOf(await chart.must('template', 'memcached-operator', chart.path, ...NAMESPACE, ...chart.valuesFile(values)));

  test('helm lint finds nothing, strictly', async () => {
    expect(await chart.must('lint', '--strict', chart.path)).toContain('1 chart(s) linted, 0 chart(s) failed');
  });

  test.each(MATRIX)('2E-8: helm template writes the plain manifests, object by object: %s', async (_name, values) => {
    expect(comparable(await rendered(values))).toEqual(comparable(memcachedPackage.manifests(values) as never));
  });

  test('2E-8: two renders, and two charts of one package, are equal byte by byte', async () => {
    const [first, second] = [await chart.must('template', 'a', chart.path), await chart.must('template', 'a', chart.path)];
    expect(first).toBe(second);
    expect(helmChart(memcachedPackage)).toEqual(files);
  });

  test('every object has the labels of Helm; the pods do not change with the version of the chart', async () => {
    const objects = await rendered({});
    for (const { metadata } of objects) {
      expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/managed-by': 'Helm', 'helm.sh/chart': 'memcached-operator-0.1.0' });
    }
    const deployment = objects.find(({ kind }) => kind === 'Deployment');
    expect(JSON.stringify(deployment?.['spec'])).not.toContain('helm.sh/chart');
    expect(JSON.stringify(objects)).not.toContain('cdk8s');
  });

  test('2E-10: all that a rolling update of two replicas waits for by itself is less than 60 s', async () => {
    const deployment = (await rendered({ replicas: 2 })).find(({ kind }) => kind === 'Deployment');
    if (deployment === undefined) throw new Error('the chart has no Deployment');
    const { strategy, minReadySeconds = 0, template } = deployment['spec'] as DeploymentSpec;
    // Kubernetes' own: one Pod more than there should be, none less. So one new Pod starts after the other, and an old one goes when a new one is ready.
    expect(strategy).toBeUndefined();
    const [{ startupProbe, readinessProbe }] = template.spec.containers;
    const waits = [startupProbe, readinessProbe].map(({ initialDelaySeconds = 0, periodSeconds }) => initialDelaySeconds + periodSeconds);
    const ofOne = waits.reduce((sum, seconds) => sum + seconds, minReadySeconds);
    expect(2 * ofOne + template.spec.terminationGracePeriodSeconds).toBeLessThan(60);
  });

  test('CustomResourceDefinitions are kept on uninstall, unless the administrator says otherwise', async () => {
    const policy = (objects: readonly ManifestLike[]): unknown =>
      objects.find(({ kind }) => kind === 'CustomResourceDefinition')?.metadata.annotations?.['helm.sh/resource-policy'];
    expect(policy(await rendered({}))).toBe('keep');
    expect(policy(await rendered({ crds: { keep: false } }))).toBeUndefined();
    expect((await rendered({ crds: { enabled: false } })).map(({ kind }) => kind)).not.toContain('CustomResourceDefinition');
  });

  test.each([
    ['an unknown value', { replica: 2 }, /replica/],
    ['an unknown value within a group', { image: { tags: '1' } }, /tags/],
    ['a text for a number', { replicas: '2' }, /replicas/],
    ['a choice that is not one', { logLevel: 'loud' }, /logLevel/],
    ['a monitor of nothing', { metrics: { enabled: false }, serviceMonitor: { enabled: true } }, /there is nothing to scrape/],
    [
      'readers of what everybody reads',
      { metrics: { secure: false, readers: [{ name: 'a', namespace: 'b' }] } },
      /metrics\.secure is false/,
    ],
    ['a Secret without name', { certificates: { mode: 'secret' } }, /certificates\.secret\.name/],
    [
      'a label that the chart writes',
      { podLabels: { 'app.kubernetes.io/name': 'other' } },
      /podLabels: app\.kubernetes\.io\/name is written by the chart/,
    ],
    ['memory that is none', { resources: { limits: { memory: 'much' } } }, /not an amount of memory/],
  ])('2E-19: %s is refused', async (_name, values, message) => {
    const { code, stderr } = await chart.helm('template', 'a', chart.path, ...NAMESPACE, ...chart.valuesFile(values));
    expect(code).not.toBe(0);
    expect(stderr).toMatch(message);
  });

  test('values of a parent chart, under global, are taken', async () => {
    expect((await rendered({ global: { registry: 'x' } })).length).toBeGreaterThan(10);
  });

  test.each(['256Mi', '1Gi', '100M', '300000k', '268435456', '1.5Gi', '2e9'])(
    'the heap follows the memory limit %s as in the manifests',
    async (memory) => {
      const values = { resources: { limits: { memory } } };
      expect(comparable(await rendered(values))).toEqual(comparable(memcachedPackage.manifests(values) as never));
    },
  );
});
