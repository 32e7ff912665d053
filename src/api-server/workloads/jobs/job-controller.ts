import type { Job, Pod } from '@keelson/kubernetes/kinds';
import { type Controller, type ControllerSurroundings, type Enqueue, isTerminating } from '../../controllers/index.js';
import { EventRecorder, failedCreate } from '../events/index.js';
import {
  claimsOf,
  controllerOf,
  controllerReference,
  isSame,
  JOBS,
  millisecondsOf,
  ObjectClient,
  ownersController,
  PODS,
  partsOf,
  selectorOf,
  timeText,
  withController,
  withoutOwner,
} from '../objects/index.js';
import { isTracked, jobPod, KIND, TRACKING } from './job-pods.js';
import { type Failures, isFinished, planJob } from './plan-job.js';

const NAME = 'job-controller';
const MANAGER = 'kubernetes.io/job-controller';
const NO_FAILURES: Failures = { count: 0, lastMs: 0 };

/** Runs Jobs to their end, and deletes them when their time is over. */
export function jobController(surroundings: ControllerSurroundings): Controller {
  const client = new ObjectClient(surroundings, NAME);
  const jobs = new Jobs(surroundings, client);
  const handle = (key: string, queue: Enqueue): Promise<void> => jobs.sync(key, queue);
  return ownersController({ name: NAME, client, owners: JOBS, kind: KIND.kind, members: PODS, handle }, surroundings);
}

class Jobs {
  readonly #surroundings: ControllerSurroundings;
  readonly #client: ObjectClient;
  readonly #events: EventRecorder;
  readonly #failures = new Map<string, Failures>();

  constructor(surroundings: ControllerSurroundings, client: ObjectClient) {
    this.#surroundings = surroundings;
    this.#client = client;
    this.#events = new EventRecorder(surroundings, { component: NAME, writer: NAME });
  }

  async sync(key: string, queue: Enqueue): Promise<void> {
    const { namespace, name } = partsOf(key);
    const job = this.#client.get<Job>(JOBS, namespace, name);
    await this.#releaseOrphans(namespace, name, job);
    if (job === undefined || (job.spec.managedBy ?? MANAGER) !== MANAGER) return;
    if (isFinished(job) !== undefined) return this.#afterwards(job, key, queue);
    if (this.#refuses(job, key)) return;
    const now = this.#surroundings.clock.now();
    const pods = await this.#claimed(job);
    const failures = this.#failures.get(job.metadata.uid ?? '') ?? NO_FAILURES;
    const plan = planJob({ job, pods, failures, now, time: timeText(now) });
    const problem = await this.#carryOut(job, plan);
    this.#failures.set(job.metadata.uid ?? '', plan.failures);
    if (plan.recheckAfterMs !== undefined) queue.addAfter(key, plan.recheckAfterMs);
    if (problem !== undefined) throw problem;
  }

  async #carryOut(job: Job, { status, create, remove, countsRemoved, release }: ReturnType<typeof planJob>): Promise<Error | undefined> {
    const { namespace = '' } = job.metadata;
    let [problem, made]: [Error | undefined, number] = [undefined, 0];
    for (const pod of remove) {
      if (!countsRemoved) await this.#release(pod);
      await this.#client.remove(PODS, pod);
    }
    for (const index of create) {
      try {
        await this.#client.create(PODS, namespace, jobPod(job, index));
        made += 1;
      } catch (error) {
        if (isTerminating(error)) break;
        const refusal = error as Error;
        problem = failedCreate(this.#events, { ...job, ...KIND }, { error: refusal, message: `Error creating: ${refusal.message}` });
        break;
      }
    }
    const active = (status.active ?? 0) - create.length + made;
    const next = { ...status, active };
    if (!isSame(withoutZeros(next), withoutZeros(job.status)) || job.status?.uncountedTerminatedPods === undefined)
      await this.#client.updateStatus<Job>(JOBS, { ...job, status: next });
    for (const pod of release) await this.#release(pod);
    return problem;
  }

  async #release(pod: Pod): Promise<void> {
    // Another client may have written the Pod since.
    const { namespace = '', name, uid } = pod.metadata;
    const found = this.#client.get<Pod>(PODS, namespace, name);
    if (found === undefined || found.metadata.uid !== uid || !isTracked(found)) return;
    const finalizers = (found.metadata.finalizers ?? []).filter((one) => one !== TRACKING);
    await this.#client.patch(PODS, found, { metadata: { finalizers: finalizers.length === 0 ? null : finalizers } });
  }

  /** Releases Pods whose Job is gone, or over. */
  async #releaseOrphans(namespace: string, name: string, job: Job | undefined): Promise<void> {
    const orphans = this.#client.list<Pod>(PODS, namespace).filter((pod) => {
      const owner = controllerOf(pod);
      if (!isTracked(pod) || owner?.kind !== KIND.kind || owner.name !== name) return false;
      return job === undefined || owner.uid !== job.metadata.uid || isFinished(job) !== undefined;
    });
    for (const pod of orphans) await this.#release(pod);
  }

  /** Deletes a Job that is over when its time has come. */
  async #afterwards(job: Job, key: string, queue: Enqueue): Promise<void> {
    this.#failures.delete(job.metadata.uid ?? '');
    const { ttlSecondsAfterFinished } = job.spec;
    if (ttlSecondsAfterFinished === undefined || job.metadata.deletionTimestamp !== undefined) return;
    const end = millisecondsOf(isFinished(job)?.lastTransitionTime);
    const left = end + ttlSecondsAfterFinished * 1000 - this.#surroundings.clock.now().getTime();
    if (left > 0) queue.addAfter(key, left);
    else await this.#client.remove(JOBS, job, { propagationPolicy: 'Foreground' });
  }

  /** A Job that is not simulated is not run as if it were something else. */
  #refuses({ spec }: Job, key: string): boolean {
    const unknown = (['backoffLimitPerIndex', 'successPolicy'] as const).filter((field) => spec[field] !== undefined);
    if (unknown.length === 0) return false;
    const error = new Error(`spec.${unknown.join(' and spec.')} of Jobs are not simulated: no Pods are made for this Job`);
    this.#surroundings.report({ controller: NAME, key, error });
    return true;
  }

  async #claimed(job: Job): Promise<readonly Pod[]> {
    const { namespace = '' } = job.metadata;
    const matches = selectorOf(job.spec.selector ?? {});
    const { mine, adopted, released } = claimsOf(job, this.#client.list<Pod>(PODS, namespace), (pod) => matches(pod.metadata.labels));
    const reference = controllerReference(job, KIND);
    for (const pod of adopted) await this.#client.patch(PODS, pod, { metadata: { ownerReferences: withController(pod, reference) } });
    for (const pod of released) await this.#client.patch(PODS, pod, { metadata: { ownerReferences: withoutOwner(pod, job) } });
    const again = adopted.flatMap(({ metadata: { name } }) => this.#client.get<Pod>(PODS, namespace, name) ?? []);
    return [...mine, ...again];
  }
}

/** The server does not keep counts of zero, but for two. */
function withoutZeros(status: object = {}): object {
  return Object.fromEntries(Object.entries(status).filter(([key, value]) => value !== 0 || key === 'ready' || key === 'terminating'));
}
