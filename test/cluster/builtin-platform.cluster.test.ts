import type { Ask } from '../api-server/kinds/builtin/platform/ask.js';
import { comparable, PlatformServer, type Told } from '../api-server/kinds/builtin/platform/platform-server.js';
import { platformStories } from '../api-server/kinds/builtin/platform/platform-stories.js';
import { describeCluster, type LocalCluster, startCluster } from './harness/index.js';

/** Who fills in or refuses things of their own: other parts of our server do that too. */
const NO_ADMISSION =
  '--disable-admission-plugins=ServiceAccount,Priority,DefaultTolerationSeconds,RuntimeClass,StorageObjectInUseProtection,' +
  'DefaultStorageClass,DefaultIngressClass,PersistentVolumeClaimResize,TaintNodesByCondition,' +
  'CertificateApproval,CertificateSigning,CertificateSubjectRestriction,ClusterTrustBundleAttest';

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

  test.each(platformStories.map((story) => [story.title, story] as const))('%s', async (_, { asks }) => {
    const server = new PlatformServer();
    const [theirs, ours]: [unknown[], unknown[]] = [[], []];
    for (const one of asks) {
      theirs.push(comparable(await ask(one)));
      ours.push(comparable(await server.ask(one)));
    }
    expect(ours).toEqual(theirs);
  });
});
