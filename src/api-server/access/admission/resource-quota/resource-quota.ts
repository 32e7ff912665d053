import type { Json } from '@keelson/kubernetes/apimachinery';
import type { ResourceQuota } from '@keelson/kubernetes/kinds';
import type { AdmissionRequest, Api, ClusterView, RequestContext, ResourceCatalog } from '../../../contract/index.js';
import { StatusError } from '../../../status/index.js';
import type { AdmissionPlugin } from '../plugin.js';
import { type Charge, chargedQuotas } from './charge.js';
import { evaluatorOf } from './evaluators.js';
import { Turns } from './turns.js';

export interface QuotaChargeSurroundings {
  readonly cluster: ClusterView;
  readonly catalog: ResourceCatalog;
  /** Through which quotas are written. It is made after admission. */
  readonly api: () => Api;
  /** The context of the server itself. */
  readonly ownContext: () => RequestContext;
}

const QUOTAS = { group: '', plural: 'resourcequotas' };
/** How often a quota is charged again that another client has written meanwhile. */
const RETRIES = 3;

/**
 * ResourceQuota: a namespace uses no more than its quotas allow. The use of a write is charged before it is made, in the quota's status; what a write
 * that failed after all had been charged for is given back when the quota is counted again, by a controller.
 *
 * Guarantees: writes in one namespace are charged one after the other. Source: apiserver `pkg/admission/plugin/resourcequota`.
 */
export function resourceQuota(surroundings: QuotaChargeSurroundings): AdmissionPlugin {
  const turns = new Turns();
  return {
    name: 'ResourceQuota',
    validate(request) {
      const { namespace, operation, served } = request;
      if (namespace === '' || request.object === undefined || (operation !== 'CREATE' && operation !== 'UPDATE')) return undefined;
      if (served.resource.scope === 'Cluster' || surroundings.cluster.list(QUOTAS, namespace).length === 0) return undefined;
      const evaluator = evaluatorOf(served.resource);
      if (evaluator?.handles(request) !== true) return undefined;
      return turns.take(namespace, () => settle({ request, evaluator }, surroundings));
    },
  };
}

async function settle(charge: Charge, surroundings: QuotaChargeSurroundings): Promise<void> {
  let pending = quotasOf(charge.request, surroundings);
  for (let retry = 0; ; retry += 1) {
    const charged = chargedQuotas(pending, charge);
    if (charge.request.context.isDryRun) return;
    const failures = await written(charged, surroundings);
    const [failure] = failures.values();
    if (failure === undefined) return;
    if (retry === RETRIES) throw failure;
    pending = quotasOf(charge.request, surroundings).filter(({ metadata }) => failures.has(metadata?.name ?? ''));
  }
}

function quotasOf({ namespace }: AdmissionRequest, { cluster }: QuotaChargeSurroundings): readonly ResourceQuota[] {
  return cluster.list(QUOTAS, namespace) as unknown as readonly ResourceQuota[];
}

/** The refusals, by the quota's name. */
async function written(quotas: readonly ResourceQuota[], surroundings: QuotaChargeSurroundings): Promise<ReadonlyMap<string, StatusError>> {
  const failures = new Map<string, StatusError>();
  for (const quota of quotas) {
    const name = quota.metadata?.name ?? '';
    try {
      await write(quota, name, surroundings);
    } catch (error) {
      if (!StatusError.isStatusError(error)) throw error;
      failures.set(name, error);
    }
  }
  return failures;
}

async function write(quota: ResourceQuota, name: string, { api, catalog, ownContext }: QuotaChargeSurroundings): Promise<void> {
  const served = catalog.served(QUOTAS.group, 'v1', QUOTAS.plural);
  if (served === undefined) throw new RangeError('quotas that are stored are served');
  const target = { served, namespace: quota.metadata?.namespace ?? '', name, subresource: 'status' };
  const value = { ...quota, apiVersion: 'v1', kind: 'ResourceQuota' } as unknown as Json;
  await api().update(target, { value, strictProblems: [] }, ownContext());
}
