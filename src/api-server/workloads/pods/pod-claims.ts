import type { Pod } from '@keelson/kubernetes/kinds';

/** Names of the PersistentVolumeClaims that a Pod uses, with those that are made for its generic ephemeral volumes. */
export function claimNamesOf({ metadata, spec }: Pod): readonly string[] {
  return (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName];
    return ephemeral === undefined ? [] : [`${metadata.name}-${name}`];
  });
}
