import { createHash } from 'node:crypto';
import { type ApiDocuments, discoveredGroups } from './api-documents.js';
import { MARKER } from './marker.js';

/** Versions that a kind may be stored in although no server serves them any more. */
const VERSIONS = ['v1', 'v2', ...[1, 2, 3].flatMap((n) => [`v1beta${n}`, `v1alpha${n}`])];

interface OlderDocument {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly storageVersionHash?: string }[];
}

/**
 * `imports/stored-versions.json`: the group-version that a server stores a built-in kind in, by `group/plural`, where that is not the group's preferred version. The release
 * before must be able to read what is stored, so a new version is served for a release before it is stored. Discovery has a hash of it only.
 *
 * Source: apiserver `pkg/endpoints/discovery/storageversionhash.go`.
 *
 * @throws Error when a hash is not that of a version known here
 */
export function storedVersions(documents: ApiDocuments): string {
  const stored: Record<string, string> = {};
  for (const { metadata, versions } of discoveredGroups(documents)) {
    const group = metadata.name ?? '';
    const seen = new Set<string>();
    for (const { version } of versions) {
      for (const { name, kind, hash } of hashesOf(documents, group, version)) {
        if (seen.has(name)) continue;
        seen.add(name);
        const found = groupVersionOf(hash, kind, group);
        if (found !== `${group}/${version}`) stored[`${group}/${name}`] = found;
      }
    }
  }
  return `${JSON.stringify({ '//': MARKER, stored }, undefined, 1)}\n`;
}

function hashesOf(documents: ApiDocuments, group: string, version: string) {
  const text = documents.get(group === '' ? `/api/${version}` : `/apis/${group}/${version}`);
  if (text === undefined) throw new Error(`no discovery document of ${group}/${version}: save the documents again`);
  const { resources } = JSON.parse(text) as OlderDocument;
  return resources.flatMap(({ name, kind, storageVersionHash: hash }) => (hash === undefined ? [] : [{ name, kind, hash }]));
}

/** Events are stored as those of the core group, whichever group serves them. */
function groupVersionOf(hash: string, kind: string, group: string): string {
  const candidates = [group, ''].flatMap((name) => VERSIONS.map((version) => `${name}/${version}`));
  const found = candidates.find((candidate) => hashOf(candidate, kind) === hash);
  if (found === undefined)
    throw new Error(`the storage version hash ${hash} of ${kind} in ${group} is not that of ${VERSIONS.join(', ')}: add the version`);
  return found;
}

function hashOf(groupVersion: string, kind: string): string {
  return createHash('sha256').update(`${groupVersion}/${kind}`).digest().subarray(0, 8).toString('base64');
}
