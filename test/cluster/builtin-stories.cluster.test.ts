import { allStories } from '../api-server/kinds/builtin/stories/all-stories.js';
import { inAnyOrder, type MaskedAnswer, maskedAnswer } from '../api-server/kinds/builtin/stories/masked-answer.js';
import { type Answers, recordAnswers, recordedAnswers } from '../api-server/kinds/builtin/stories/recorded-answers.js';
import type { Ask, Story } from '../api-server/kinds/builtin/stories/story.js';
import type { Told } from '../api-server/kinds/builtin/stories/story-server.js';
import { describeCluster, type LocalCluster, startCluster } from './harness/index.js';

/** Plugins that fill in or refuse things: the stories hold the rules of the kinds alone. */
const NO_ADMISSION =
  '--disable-admission-plugins=ServiceAccount,Priority,DefaultTolerationSeconds,RuntimeClass,StorageObjectInUseProtection,' +
  'DefaultStorageClass,DefaultIngressClass,PersistentVolumeClaimResize,TaintNodesByCondition,' +
  'CertificateApproval,CertificateSigning,CertificateSubjectRestriction,ClusterTrustBundleAttest';

/** A server without controllers: only the story writes to its objects. */
describeCluster('stories of the built-in kinds on a real API server', () => {
  const isRecording = process.env['KEELSON_RECORD'] === '1';
  const recorded = recordedAnswers();
  const answers = new Map<Story, Answers>();
  let cluster: LocalCluster;
  beforeAll(async () => {
    cluster = await startCluster({ apiServerFlags: [NO_ADMISSION, '--allow-privileged=true'] });
    await cluster.must('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'stories' } });
  });
  afterAll(async () => {
    await cluster?.stop();
    if (isRecording && answers.size === allStories.length) recordAnswers(answers);
  });

  async function ask({ method, path, body }: Ask): Promise<Told> {
    const isWrite = method !== 'GET' && method !== 'DELETE';
    const contentType = method === 'PATCH' ? { contentType: 'application/merge-patch+json' } : {};
    const answer = await cluster.request(method, path, body, { ...(isWrite && { query: { fieldManager: 'test' } }), ...contentType });
    return { status: answer.status, body: answer.body, warnings: answer.warnings } as Told;
  }

  test.each(allStories.map((story) => [story.title, story] as const))('are answered as recorded: %s', async (title, story) => {
    const told: MaskedAnswer[] = [];
    for (const one of story.asks) told.push(maskedAnswer(await ask(one)));
    answers.set(story, told);
    if (!isRecording) expect(told.map(inAnyOrder)).toEqual(recorded.get(title)?.map(inAnyOrder));
  });
});
