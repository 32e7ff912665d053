import type { KubernetesObject, PolicyRule } from '@keelson/kubernetes/apimachinery';
import { type Finding, findingOf } from './finding.js';

/** Compares what two roles of one name grant, verb by verb. */
export function rightChanges(
  object: string,
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
): readonly Finding[] {
  const [old, now] = [rightsOf(before), rightsOf(after)];
  return [
    ...[...now].filter((right) => !old.has(right)).map((right) => findingOf('right-added', object, right, `may ${right}`)),
    ...[...old].filter((right) => !now.has(right)).map((right) => findingOf('right-removed', object, right, `may no longer ${right}`)),
  ];
}

/** `patch deployments.apps`; of named objects `get secrets certificate`. */
function rightsOf(role: (KubernetesObject & { readonly rules?: readonly PolicyRule[] }) | undefined): ReadonlySet<string> {
  const rules = role?.rules ?? [];
  return new Set(
    rules.flatMap(({ apiGroups = [], resources = [], resourceNames, nonResourceURLs = [], verbs }) => {
      const names = resourceNames ?? [undefined];
      const targets = apiGroups.flatMap((group) =>
        resources.flatMap((resource) => names.map((name) => `${nameOf(resource, group)}${name === undefined ? '' : ` ${name}`}`)),
      );
      return verbs.flatMap((verb) => [...targets, ...nonResourceURLs].map((target) => `${verb} ${target}`));
    }),
  );
}

/** As kubectl writes it: the subresource follows the group. */
function nameOf(resource: string, group: string): string {
  const [plural = resource, ...subresource] = resource.split('/');
  return [group === '' ? plural : `${plural}.${group}`, ...subresource].join('/');
}
