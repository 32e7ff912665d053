import { selectsLabels } from 'keelson';
import type { ContainerStatus, Pod } from 'keelson/kinds';
import { IGNORED_NAMESPACES } from './names.js';
import { hashesIn, replacedIn } from './pod-marks.js';
import { allContainers } from './selection.js';
import type { SidecarSet } from './sidecar-set.js';

/** Whether a Pod counts: it lives, is selected, and has the sidecars; one from before the SidecarSet has none, and never will. */
export function isMatched(pod: Pod, { metadata: { name }, spec }: SidecarSet): boolean {
  const { namespace = '', labels, deletionTimestamp } = pod.metadata;
  const hasEnded = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
  if (deletionTimestamp !== undefined || hasEnded || IGNORED_NAMESPACES.includes(namespace)) return false;
  return selectsLabels(spec.selector, labels) && hashesIn(pod, name) !== undefined;
}

export function isReady({ status }: Pod): boolean {
  return status?.phase === 'Running' && status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
}

// #region consistent
/**
 * Whether the sidecars that run are those of the Pod's spec. Only the Pod itself is looked at: what this process remembers would be lost with it.
 *
 * A container runs the image of the spec when the kubelet reports that image, or another container than the one that ran when the image was changed: two tags
 * of one image are reported under either name.
 */
export function isConsistent(pod: Pod, set: SidecarSet): boolean {
  const replaced = replacedIn(pod, set.metadata.name);
  const statuses = new Map(statusesOf(pod).map((status) => [status.name, status]));
  const sidecars = new Set(allContainers(set.spec).map(({ name }) => name));
  return runningContainers(pod).every(({ name, image = '' }) => {
    if (!sidecars.has(name)) return true;
    const status = statuses.get(name);
    if (status === undefined) return false;
    if (canonicalImage(status.image) === canonicalImage(image)) return true;
    const { containerID = '' } = status;
    return name in replaced && containerID !== '' && containerID !== replaced[name];
  });
}
// #endregion

/** Serves, with the sidecars that its spec has. */
export function isAvailable(pod: Pod, set: SidecarSet): boolean {
  return isReady(pod) && isConsistent(pod, set);
}

/** The containers that go on running: of the init containers, those that are restarted. */
export function runningContainers({ spec }: Pod): NonNullable<Pod['spec']>['containers'] {
  return [...(spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always'), ...(spec?.containers ?? [])];
}

export function statusesOf({ status }: Pod): readonly ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
}

/** A kubelet may report `nginx` as `docker.io/library/nginx:latest`. */
export function canonicalImage(image: string): string {
  const [name = '', digest] = image.split('@');
  const [first = '', ...rest] = name.split('/');
  const hasRegistry = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const [registry, path] = hasRegistry ? [first === 'index.docker.io' ? 'docker.io' : first, rest.join('/')] : ['docker.io', name];
  const full = registry === 'docker.io' && !path.includes('/') ? `library/${path}` : path;
  const tagged = digest !== undefined || /:[^:/]+$/.test(full) ? full : `${full}:latest`;
  return `${registry}/${tagged}${digest === undefined ? '' : `@${digest}`}`;
}
