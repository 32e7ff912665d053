import type { ClusterView, RequestContext, Resource, ServedVersion } from '../../../../src/api-server/contract/index.js';
import type { Surroundings } from '../../../../src/api-server/kinds/builtin/index.js';

/** A cluster that holds nothing. */
const emptyCluster: ClusterView = { revision: 0, get: () => undefined, list: () => [] };

export const surroundings: Surroundings = { cluster: emptyCluster, serviceRange: '10.0.0.0/24' };

export const context: RequestContext = {
  user: { username: 'admin', groups: ['system:masters'] },
  fieldManager: 'test',
  fieldValidation: 'Strict',
  isDryRun: false,
  now: () => new Date('2026-01-02T03:04:05Z'),
  warn: () => undefined,
  signal: new AbortController().signal,
  authorize: () => undefined,
};

export function served(
  resources: readonly Resource[],
  { group, version, plural }: { group: string; version: string; plural: string },
): ServedVersion {
  const found = resources
    .find((resource) => resource.group === group && resource.plural === plural)
    ?.versions.find((candidate) => candidate.version === version);
  if (found === undefined) throw new Error(`${plural}.${group} is not served at ${version}`);
  return found;
}
