import { labelRequirementsOf, matchesLabels } from '@keelson/kubernetes/apimachinery';
import type { Pod, PodDisruptionBudget } from '@keelson/kubernetes/kinds';
import { type DeleteOptions, draftOf, type JsonObject, type RequestContext, type Subresource, type Target } from '../../contract/index.js';
import { badRequest, forbidden, notFound, type Status, StatusError } from '../../status/index.js';
import type { HandlerSurroundings } from './surroundings.js';

const PODS = { group: '', plural: 'pods' };
const BUDGETS = { group: 'policy', plural: 'poddisruptionbudgets' };
/** Evictions that the controller of budgets has not confirmed. */
const MAX_DISRUPTED_PODS = 2000;

interface Eviction {
  readonly metadata?: { readonly name?: string };
  readonly deleteOptions?: DeleteOptions & { readonly dryRun?: readonly string[] };
}

/**
 * `pods/eviction`: deletes a Pod if its budget for disruptions allows it.
 *
 * Source: kubernetes `pkg/registry/core/pod/storage/eviction.go`.
 */
export function evictPod(surroundings: HandlerSurroundings): NonNullable<Subresource['handle']> {
  return async ({ namespace, name, body, validate }, context) => {
    const eviction = (body ?? {}) as Eviction;
    const { metadata = {}, deleteOptions = {} } = eviction;
    if (metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object');
    const isDryRun = context.isDryRun || deleteOptions.dryRun?.includes('All') === true;
    await validate?.((isDryRun ? { ...eviction, deleteOptions: { ...deleteOptions, dryRun: ['All'] } } : eviction) as JsonObject);
    const within = { ...context, isDryRun };
    await new EvictionRun(surroundings, { namespace, name }, within).evict(deleteOptions);
    return { code: 201, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } };
  };
}

class EvictionRun {
  readonly #surroundings: HandlerSurroundings;
  readonly #key: { readonly namespace: string; readonly name: string };
  readonly #context: RequestContext;

  constructor(surroundings: HandlerSurroundings, key: { readonly namespace: string; readonly name: string }, context: RequestContext) {
    this.#surroundings = surroundings;
    this.#key = key;
    this.#context = context;
  }

  async evict(options: DeleteOptions): Promise<void> {
    const pod = (await this.#surroundings.api().get(this.#target('', 'pods', ''), {})) as unknown as Pod;
    if (!ignoresBudget(pod)) await this.#spendBudget(pod);
    await this.#delete(options);
  }

  async #spendBudget(pod: Pod): Promise<void> {
    const budgets = this.#budgetsOf(pod);
    if (budgets.length > 1)
      throw failure({
        message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
        code: 500,
      });
    const [budget] = budgets;
    if (budget === undefined || isUnhealthyButCovered(pod, budget)) return;
    refuseExhausted(budget);
    const { metadata, status } = budget;
    const spent = draftOf(budget as unknown as JsonObject) as unknown as { status: Record<string, unknown> };
    spent.status['disruptionsAllowed'] = (status?.disruptionsAllowed ?? 0) - 1;
    const time = `${this.#context.now().toISOString().slice(0, 19)}Z`;
    spent.status['disruptedPods'] = { ...status?.disruptedPods, [this.#key.name]: time };
    const target = { ...this.#target(BUDGETS.group, BUDGETS.plural, 'status'), name: metadata?.name ?? '' };
    await this.#surroundings.api().update(target, { value: spent as never, strictProblems: [] }, this.#context);
  }

  #budgetsOf(pod: Pod): readonly PodDisruptionBudget[] {
    const budgets = this.#surroundings.cluster.list(BUDGETS, this.#key.namespace) as unknown as readonly PodDisruptionBudget[];
    return budgets.filter(({ spec }) => {
      // No selector chooses nothing, an empty one everything.
      if (spec?.selector === undefined) return false;
      const parsed = labelRequirementsOf(spec.selector as Parameters<typeof labelRequirementsOf>[0]);
      return 'requirements' in parsed && matchesLabels(parsed.requirements, pod.metadata?.labels as Record<string, string> | undefined);
    });
  }

  async #delete(options: DeleteOptions): Promise<void> {
    if (!this.#context.isDryRun) this.#markEvicted();
    await this.#surroundings.api().delete(this.#target('', 'pods', ''), options, this.#context);
  }

  /** The server writes the condition by itself: no manager comes to own its fields. */
  #markEvicted(): void {
    const { cluster, store, catalog } = this.#surroundings;
    const pod = cluster.get(PODS, this.#key);
    if (pod === undefined) throw notFound(PODS, this.#key.name);
    const evicted = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
      lastProbeTime: null,
      lastTransitionTime: `${this.#context.now().toISOString().slice(0, 19)}Z`,
    };
    const draft = draftOf(pod) as { status?: { conditions?: { type: string }[] } };
    const others = (draft.status?.conditions ?? []).filter(({ type }) => type !== evicted.type);
    draft.status = { ...draft.status, conditions: [...others, evicted] };
    // In the order of the fields, as any other write leaves it.
    const marked = this.#target('', 'pods', '').served.version.strategy.decode(draft as JsonObject).draft;
    store.update({ resource: catalog.find('', 'pods')?.storageKey ?? 'pods', ...this.#key }, marked);
  }

  #target(group: string, plural: string, subresource: string): Target {
    const served = this.#surroundings.catalog.served(group, 'v1', plural);
    if (served === undefined) throw new RangeError(`${plural} are always served`);
    return { served, ...this.#key, subresource };
  }
}

function ignoresBudget({ status, metadata }: Pod): boolean {
  return metadata?.deletionTimestamp !== undefined || ['Failed', 'Pending', 'Succeeded'].includes(status?.phase ?? '');
}

/** A Pod that is not ready disrupts nothing when it goes, if the others are enough or the budget says so. */
function isUnhealthyButCovered({ status: podStatus }: Pod, { spec, status }: PodDisruptionBudget): boolean {
  const isReady = podStatus?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;
  if (isReady) return false;
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

function refuseExhausted({ metadata, status }: PodDisruptionBudget): void {
  const { observedGeneration = 0, disruptionsAllowed = 0, disruptedPods = {}, desiredHealthy = 0, currentHealthy = 0 } = status ?? {};
  const name = metadata?.name ?? '';
  const refusal = "Cannot evict pod as it would violate the pod's disruption budget.";
  if (observedGeneration < (metadata?.generation ?? 0)) {
    const cause = `The disruption budget ${name} is still being processed by the server.`;
    throw failure({
      code: 429,
      reason: 'TooManyRequests',
      message: refusal,
      details: { causes: [{ reason: 'DisruptionBudget', message: cause }], retryAfterSeconds: 10 },
    });
  }
  if (disruptionsAllowed < 0)
    throw forbidden({ group: 'policy', plural: 'poddisruptionbudget' }, name, 'pdb disruptions allowed is negative');
  if (Object.keys(disruptedPods).length > MAX_DISRUPTED_PODS) {
    throw forbidden(
      { group: 'policy', plural: 'poddisruptionbudget' },
      name,
      'DisruptedPods map too big - too many evictions not confirmed by PDB controller',
    );
  }
  if (disruptionsAllowed > 0) return;
  const cause = `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  throw failure({
    code: 429,
    reason: 'TooManyRequests',
    message: refusal,
    details: { causes: [{ reason: 'DisruptionBudget', message: cause }] },
  });
}

function failure(status: Omit<Status, 'status'>): StatusError {
  return new StatusError({ status: 'Failure', ...status });
}
