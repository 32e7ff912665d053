import { createHash } from 'node:crypto';
import { containersJson } from './container-json.js';
import type { Sidecars } from './schema.js';

export interface Hashes {
  /** Hash of all that ends up in a Pod. */
  readonly hash: string;
  /** The same without the images: where it is equal, a running Pod can be updated in place. */
  readonly hashWithoutImage: string;
}

// #region hashes
export function hashesOf({ containers, initContainers = [], volumes = [] }: Sidecars): Hashes {
  const blank = (container: object) => ({ ...container, image: '' });
  return {
    hash: hashOf(contentJson(containers, initContainers, volumes)),
    hashWithoutImage: hashOf(contentJson(containers.map(blank), initContainers.map(blank), volumes)),
  };
}
// #endregion

/** Without init containers and volumes it is the text of the first SidecarSet, which had none. */
function contentJson(containers: readonly object[], initContainers: readonly object[], volumes: readonly object[]): string {
  const more = [
    ...(initContainers.length === 0 ? [] : [`"initContainers":${containersJson(initContainers)}`]),
    ...(volumes.length === 0 ? [] : [`"volumes":${JSON.stringify(byKey(volumes))}`]),
  ];
  return `{${[`"containers":${containersJson(containers)}`, ...more].join(',')}}`;
}

/** Sorts keys: the order in which a client writes fields does not count. */
function byKey(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(byKey);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, field]) => [key, byKey(field)]));
}

/** No vowels and no digits that look like one: a hash must not spell a word. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

function hashOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [...hex].map((character) => ALPHABET[character.charCodeAt(0) % ALPHABET.length]).join('');
}
