import { isRecord } from '@keelson/kubernetes/apimachinery';
import type { CrdState } from './crd-state.js';

/**
 * Where a migration keeps how far it is: on the CRD, which every later leader reads anyway. Objects are listed by key, so one key says it all.
 */
export const PROGRESS_ANNOTATION = 'keelson.dev/stored-versions';

/** How far a migration is, or was. */
export interface Progress {
  /** The CRD's generation for which it holds: with other versions the work begins anew. */
  readonly generation?: number | undefined;
  /** All objects up to this key, `namespace/name`, are done. */
  readonly after?: string | undefined;
  /** Versions that are served no more, and that no object's managed fields name any more. */
  readonly cleaned?: readonly string[] | undefined;
}

/** The work for one CRD. */
export type Plan =
  | { readonly do: 'nothing' }
  /** Another release's CRD is installed: its storage version is not this release's to decide. */
  | { readonly do: 'wait'; readonly why: string }
  | { readonly do: 'rewrite'; readonly after: string | undefined };

/** @param storageVersion of the definition that this process was built with */
export function planFor(crd: CrdState, storageVersion: string): Plan {
  if (crd.storageVersion !== storageVersion) {
    const why = `the CRD ${crd.name} stores ${crd.storageVersion}, this release ${storageVersion}: apply the CRD of this release`;
    return { do: 'wait', why };
  }
  const progress = progressOf(crd);
  const isOutdated = crd.storedVersions.some((version) => version !== storageVersion);
  const isClean = crd.unservedVersions.every((version) => progress.cleaned?.includes(version) === true);
  if (!isOutdated && isClean) return { do: 'nothing' };
  return { do: 'rewrite', after: progress.generation === crd.generation ? progress.after : undefined };
}

/** The record on the CRD; an unreadable one counts as missing, and the work begins anew. */
export function progressOf({ annotations }: CrdState): Progress {
  let value: unknown;
  try {
    value = JSON.parse(annotations[PROGRESS_ANNOTATION] ?? '{}');
  } catch {
    return {};
  }
  if (!isRecord(value)) return {};
  const { generation, after, cleaned } = value;
  return {
    ...(typeof generation === 'number' ? { generation } : {}),
    ...(typeof after === 'string' ? { after } : {}),
    ...(Array.isArray(cleaned)
      ? { cleaned: (cleaned as unknown[]).filter((version): version is string => typeof version === 'string') }
      : {}),
  };
}

/** The annotation; `null`, which removes it, when there is nothing to remember. */
export function progressText(progress: Progress): string | null {
  const isEmpty = progress.after === undefined && (progress.cleaned ?? []).length === 0;
  return isEmpty ? null : JSON.stringify(progress);
}
