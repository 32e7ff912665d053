import { jobStories } from '../api-server/kinds/builtin/cases/jobs.js';
import { podChangeStories } from '../api-server/kinds/builtin/cases/pod-changes.js';
import { podStories } from '../api-server/kinds/builtin/cases/pods.js';
import { bodyOf, nameOf, type Step, type Story } from '../api-server/kinds/builtin/cases/story.js';
import { workloadStories } from '../api-server/kinds/builtin/cases/workloads.js';
import { InProcess, type Told } from '../api-server/kinds/builtin/in-process.js';
import { masked } from '../api-server/registry/differential/exchange.js';
import { type ApiResponse, describeCluster, type LocalCluster, startCluster } from './harness/index.js';

/** Who fills in things of their own: other parts of our server do that too. */
const NO_ADMISSION = '--disable-admission-plugins=ServiceAccount,Priority,DefaultTolerationSeconds,RuntimeClass';

interface Cause {
  readonly field?: string;
  readonly message?: string;
}

/** The order of Go's maps is nobody's: of several causes, the set counts, and their message says nothing more. */
function comparable({ status, body, warnings }: Told): unknown {
  const { details, message, ...rest } = masked(body) as { details?: { causes?: Cause[] }; message?: string };
  const causes = (details?.causes ?? []).map((cause) => `${cause.field}: ${cause.message}`).sort();
  const answer = causes.length > 1 ? { ...rest, details: { ...details, causes } } : masked(body);
  return { status, body: answer, warnings: [...new Set(warnings)].sort() };
}

/** A server without controllers: nobody else writes to the objects. */
describeCluster('pods and what makes pods, on a real API server and on ours', () => {
  let cluster: LocalCluster;
  beforeAll(async () => {
    cluster = await startCluster({ apiServerFlags: [NO_ADMISSION, '--allow-privileged=true'] });
    await cluster.must('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'stories' } });
  }, 120_000);
  afterAll(() => cluster?.stop());

  const query = { fieldManager: 'test' };
  const pathOf = ({ apiVersion, plural }: Story): string =>
    `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}/namespaces/stories/${plural}`;

  async function tell(story: Story): Promise<readonly Told[]> {
    const told = [await cluster.request('POST', pathOf(story), bodyOf(story), { query })];
    for (const step of story.steps ?? []) told.push(await step_(story, step));
    return told.map(({ status, body, warnings }) => ({ status, body, warnings }) as Told);
  }

  function step_(story: Story, step: Step): Promise<ApiResponse<unknown>> {
    const path = `${pathOf(story)}/${nameOf(story)}`;
    if ('get' in step) return cluster.request('GET', step.get === 'object' ? path : `${path}/${step.get}`);
    if ('delete' in step) return cluster.request('DELETE', path, step.delete);
    const target = step.subresource === undefined ? path : `${path}/${step.subresource}`;
    return cluster.request('PATCH', target, step.patch, { query, contentType: 'application/merge-patch+json' });
  }

  test.each(
    [...podStories, ...podChangeStories, ...workloadStories, ...jobStories].map(
      (story) => [`${story.kind} ${story.title}`, story] as const,
    ),
  )('%s', async (_, story) => {
    const [theirs, ours] = [await tell(story), await new InProcess().tell(story)];
    expect(ours.map(comparable)).toEqual(theirs.map(comparable));
  });
});
