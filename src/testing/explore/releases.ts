import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';
import type { Operator, OperatorModel } from 'keelson/internal/definition';
import { operatorInstallation } from '../cluster/index.js';
import { ExplorationSetupError } from './errors.js';
import type { Mark } from './history.js';
import type { Disturbance, Openings, Plan } from './plan.js';

/** Releases of one operator, the oldest first: each takes over from the one before it, and sometimes that one comes back. */
export interface Releases<TExternals> {
  readonly releases: readonly [Operator<TExternals>, Operator<TExternals>, ...Operator<TExternals>[]];
}

/** @throws ExplorationSetupError for releases that are not of one operator */
export function releasesOf(given: OperatorModel | { readonly releases: readonly OperatorModel[] }): readonly OperatorModel[] {
  if (!('releases' in given)) return [given];
  const [first, second] = given.releases;
  if (first === undefined || second === undefined)
    throw new ExplorationSetupError(`releases: it has ${given.releases.length}; give the older and the newer one, as [before, after]`);
  const names = [...new Set(given.releases.map(({ name }) => name))];
  if (names.length > 1)
    throw new ExplorationSetupError(`releases: they have the names ${names.join(', ')}; releases of one operator have one name`);
  return given.releases;
}

const RIGHTS: ReadonlySet<string> = new Set(['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding']);

/** The rights of an older release, under names of their own: those of the newest are installed. */
export function rightsOf(release: OperatorModel, number: number): readonly KubernetesObject[] {
  const named = (name = ''): string => `${name}-release-${number + 1}`;
  return operatorInstallation(release)
    .parts.filter(({ kind = '' }) => RIGHTS.has(kind))
    .map((object) => {
      const { roleRef } = object as { readonly roleRef?: { readonly name: string } };
      const renamed = { ...object, metadata: { ...object.metadata, name: named(object.metadata.name) } };
      return roleRef === undefined ? renamed : { ...renamed, roleRef: { ...roleRef, name: named(roleRef.name) } };
    });
}

/** The release that runs at the end. */
export function lastRelease({ release, disturbances }: Plan): number {
  return disturbances.reduce((now, disturbance) => (disturbance.do === 'release' ? disturbance.release : now), release);
}

/** Draws when each release takes over: from the oldest to the newest, often back, and forth again. */
export function drawTakeovers({ histories, steps }: Openings, draw: () => number): readonly Disturbance[] {
  const last = histories.length - 1;
  const order = Array.from({ length: last }, (_, index) => index + 1);
  if (draw() < 0.4) order.push(last - 1, ...(draw() < 0.5 ? [last] : []));
  let step = 0;
  return order.map((release, index) => {
    step = Math.min(steps - 1, step + Math.floor(draw() * Math.max(1, steps / order.length)));
    const before = histories[order[index - 1] ?? 0];
    const moments = [...(before?.writes ?? []), ...(before?.changes.filter((change) => change.step >= step) ?? [])];
    const { on, what, nth }: Partial<Mark> = moments[Math.floor(draw() * moments.length)] ?? {};
    const isInMiddle = draw() < 0.5 && on !== undefined && what !== undefined && nth !== undefined;
    return { do: 'release', at: isInMiddle ? { on, what, nth } : { step }, release };
  });
}
