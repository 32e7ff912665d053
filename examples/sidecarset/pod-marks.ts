import type { Pod } from 'keelson/kinds';
import type { Hashes } from './hashes.js';
import { HASH_ANNOTATION, HASH_WITHOUT_IMAGE_ANNOTATION, REPLACED_ANNOTATION } from './names.js';

type Annotated = { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> | undefined } };

/** The hashes of the sidecars that a Pod has from one SidecarSet; `undefined` when it has none. */
export function hashesIn(pod: Annotated, set: string): Hashes | undefined {
  const [hash, hashWithoutImage] = [HASH_ANNOTATION, HASH_WITHOUT_IMAGE_ANNOTATION].map((annotation) => mapIn(pod, annotation)[set]);
  return typeof hash === 'string' && typeof hashWithoutImage === 'string' ? { hash, hashWithoutImage } : undefined;
}

/** The SidecarSets that a Pod has sidecars of. */
export function setsOf(pod: Annotated): string[] {
  return Object.keys(mapIn(pod, HASH_ANNOTATION));
}

/** The ids of the containers that ran when their images were changed, by name. */
export function replacedIn(pod: Annotated, set: string): Readonly<Record<string, unknown>> {
  const replaced = mapIn(pod, REPLACED_ANNOTATION)[set];
  return typeof replaced === 'object' && replaced !== null ? (replaced as Readonly<Record<string, unknown>>) : {};
}

/** The annotations of a Pod that has these sidecars now; those of other SidecarSets stay. */
export function marked(pod: Annotated, set: string, { hash, hashWithoutImage }: Hashes): Record<string, string> {
  return {
    ...pod.metadata.annotations,
    [HASH_ANNOTATION]: JSON.stringify({ ...mapIn(pod, HASH_ANNOTATION), [set]: hash }),
    [HASH_WITHOUT_IMAGE_ANNOTATION]: JSON.stringify({ ...mapIn(pod, HASH_WITHOUT_IMAGE_ANNOTATION), [set]: hashWithoutImage }),
  };
}

/** The annotation of a Pod whose containers are being replaced. */
export function markedReplaced(pod: Pod, set: string, ids: Readonly<Record<string, string>>): Record<string, string> {
  return { [REPLACED_ANNOTATION]: JSON.stringify({ ...mapIn(pod, REPLACED_ANNOTATION), [set]: ids }) };
}

/** Users may write annotations: one that cannot be read counts as absent. */
function mapIn({ metadata }: Annotated, annotation: string): Readonly<Record<string, unknown>> {
  try {
    const map: unknown = JSON.parse(metadata.annotations?.[annotation] ?? '{}');
    return typeof map === 'object' && map !== null && !Array.isArray(map) ? (map as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
