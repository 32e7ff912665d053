import { ControllerRevision, type Pod } from 'keelson/kinds';
import { hashesOf } from './hashes.js';
import { HASH_ANNOTATION, SYSTEM_NAMESPACE } from './names.js';
import { hashesIn } from './pod-marks.js';
import type { SidecarSet } from './sidecar-set.js';

// #region revisions
/**
 * The revisions that are kept of a SidecarSet: that of its spec, those that some Pod still has, and as many others as its limit says.
 *
 * A revision is named by its content: to go back to an earlier spec takes the earlier revision up again, under the next number.
 */
export function revisionsOf(
  set: SidecarSet,
  present: readonly ControllerRevision[],
  pods: readonly Pod[],
): [ControllerRevision, ...ControllerRevision[]] {
  const { hash } = hashesOf(set.spec);
  const name = revisionOf(set);
  const others = present
    .filter(({ metadata }) => metadata.name !== name)
    .toSorted(({ revision: left = 0 }, { revision: right = 0 }) => right - left);
  const newest = others[0]?.revision ?? 0;
  const known = present.find(({ metadata }) => metadata.name === name)?.revision ?? 0;
  const current = ControllerRevision({
    metadata: { name, namespace: SYSTEM_NAMESPACE, annotations: { [HASH_ANNOTATION]: hash } },
    revision: known > newest ? known : newest + 1,
    data: dataOf(set),
  });
  const inUse = new Set(pods.map((pod) => hashesIn(pod, set.metadata.name)?.hash));
  const isInUse = ({ metadata }: ControllerRevision): boolean => inUse.has(metadata.annotations?.[HASH_ANNOTATION]);
  const idle = others.filter((revision) => !isInUse(revision)).slice(0, set.spec.revisionHistoryLimit);
  return [current, ...others.filter((revision) => isInUse(revision) || idle.includes(revision))];
}
// #endregion

function dataOf({ spec: { containers, initContainers, volumes } }: SidecarSet): Record<string, unknown> {
  return {
    spec: { containers, ...(initContainers === undefined ? {} : { initContainers }), ...(volumes === undefined ? {} : { volumes }) },
  };
}

/** The name of the revision of its spec. */
export function revisionOf({ metadata: { name }, spec }: SidecarSet): string {
  return `${name}-${hashesOf(spec).hash.slice(0, 10)}`;
}
