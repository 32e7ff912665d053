import { type ConditionInput, compareQuantityTexts, type Stored } from 'keelson';
import type { PersistentVolumeClaim } from 'keelson/kinds';
import type { ClusterContext } from './access.js';

export interface Growth {
  readonly conditions: ConditionInput[];
  /** The API server has refused it: it is tried again, with pauses. */
  readonly error?: unknown;
}

const storageOf = ({ spec }: PersistentVolumeClaim): string => String(spec?.resources?.requests?.['storage'] ?? '0');

// #region grow
/**
 * Claims ask for as much as the spec says. They never ask for less: no volume shrinks.
 *
 * It does not wait for members, and needs no quorum: a member whose volume is full comes back by it.
 */
export async function growClaims(context: ClusterContext, claims: readonly Stored<PersistentVolumeClaim>[]): Promise<Growth> {
  const { object } = context;
  const wanted = object.spec.pod.persistentVolumeClaimSpec?.resources?.requests?.['storage'];
  const living = claims.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (wanted === undefined || object.spec.paused || living.length === 0) return { conditions: [] };
  const small = living.filter((claim) => compareQuantityTexts(wanted, storageOf(claim)) > 0);
  const fixed = await withoutExpansion(context, small);
  const isFixed = ({ spec }: PersistentVolumeClaim): boolean => fixed.has(spec?.storageClassName ?? '');
  for (const claim of small.filter((one) => !isFixed(one))) {
    try {
      await context.claims.patch(claim, { spec: { resources: { requests: { storage: String(wanted) } } } });
    } catch (error) {
      return { conditions: [grown(false, 'Refused', `claim ${claim.metadata.name}: ${messageOf(error)}`)], error };
    }
  }
  if (fixed.size > 0) {
    const message = `${namesOf(small.filter(isFixed))} stay: StorageClass ${[...fixed].join(', ')} does not allow expansion (allowVolumeExpansion)`;
    return { conditions: [grown(false, 'NotExpandable', message)] };
  }
  const growing = living.filter(({ status }) => compareQuantityTexts(wanted, String(status?.capacity?.['storage'] ?? wanted)) > 0);
  if (growing.length === 0 && small.length === 0) return { conditions: [grown(true, 'AllClaims', `at least ${wanted}`)] };
  return { conditions: [grown(false, 'Expanding', `${namesOf(growing.length > 0 ? growing : small)} grow to ${wanted}`)] };
}
// #endregion

/** Classes of these claims that do not let them grow; the API server would refuse it. */
async function withoutExpansion({ classes }: ClusterContext, claims: readonly PersistentVolumeClaim[]): Promise<ReadonlySet<string>> {
  const names = new Set(claims.map(({ spec }) => spec?.storageClassName ?? ''));
  const fixed = new Set<string>();
  for (const name of names) if (name === '' || (await classes.get(name))?.allowVolumeExpansion !== true) fixed.add(name);
  return fixed;
}

function grown(status: boolean, reason: string, message: string): ConditionInput {
  return { type: 'ClaimsExpanded', status, reason, message };
}

function namesOf(claims: readonly Stored<PersistentVolumeClaim>[]): string {
  return claims
    .map(({ metadata }) => metadata.name)
    .sort()
    .join(', ');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
