import { accessStories } from '../testing/builtin-kinds/platform/access-stories.js';
import { admissionStories } from '../testing/builtin-kinds/platform/admission-stories.js';
import type { Ask, PlatformStory } from '../testing/builtin-kinds/platform/ask.js';
import { controlPlaneStories } from '../testing/builtin-kinds/platform/control-plane-stories.js';
import { coreStories } from '../testing/builtin-kinds/platform/core-stories.js';
import { networkStories } from '../testing/builtin-kinds/platform/network-stories.js';
import { comparable, PlatformServer, type Told } from '../testing/builtin-kinds/platform/platform-server.js';
import { scalingStories } from '../testing/builtin-kinds/platform/scaling-stories.js';
import { serviceStories } from '../testing/builtin-kinds/platform/service-stories.js';
import { storageStories } from '../testing/builtin-kinds/platform/storage-stories.js';
import { describeCluster, type LocalCluster, startCluster } from './harness/index.js';

/** Who fills in or refuses things of their own: other parts of our server do that too. */
const NO_ADMISSION =
  '--disable-admission-plugins=ServiceAccount,Priority,DefaultTolerationSeconds,RuntimeClass,StorageObjectInUseProtection,' +
  'DefaultStorageClass,DefaultIngressClass,PersistentVolumeClaimResize,TaintNodesByCondition,' +
  'CertificateApproval,CertificateSigning,CertificateSubjectRestriction,ClusterTrustBundleAttest';

const stories: readonly PlatformStory[] = [
  ...accessStories,
  ...admissionStories,
  ...controlPlaneStories,
  ...coreStories,
  ...networkStories,
  ...scalingStories,
  ...serviceStories,
  ...storageStories,
];

/** A server without controllers: nobody else writes to the objects. */
describeCluster('kinds of the platform, on a real API server and on ours', () => {
  let cluster: LocalCluster;
  beforeAll(async () => {
    cluster = await startCluster({ apiServerFlags: [NO_ADMISSION] });
    await cluster.must('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'stories' } });
  }, 120_000);
  afterAll(() => cluster?.stop());

  async function ask({ method, path, body }: Ask): Promise<Told> {
    const isWrite = method !== 'GET' && method !== 'DELETE';
    const contentType = method === 'PATCH' ? { contentType: 'application/merge-patch+json' } : {};
    const answer = await cluster.request(method, path, body, { ...(isWrite && { query: { fieldManager: 'test' } }), ...contentType });
    return { status: answer.status, body: answer.body, warnings: answer.warnings } as Told;
  }

  test.each(stories.map((story) => [story.title, story] as const))('%s', async (_, { asks }) => {
    const server = new PlatformServer();
    const [theirs, ours]: [unknown[], unknown[]] = [[], []];
    for (const one of asks) {
      theirs.push(comparable(await ask(one)));
      ours.push(comparable(await server.ask(one)));
    }
    expect(ours).toEqual(theirs);
  });
});
