import type { PolicyRule } from '@keelson/kubernetes/apimachinery';

/** One right that cannot be divided further: RBAC allows a request exactly if one such tuple allows it. */
interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** Absent: every object. */
  readonly name?: string | undefined;
  readonly url?: string | undefined;
}

/**
 * Merges rules into the fewest that are easy to read, and grants exactly what the rules granted together.
 *
 * Flow: 1. every rule is divided into single rights; what a right without a name already allows is dropped. 2. verbs of one resource are joined. 3. resources of
 * one group with the same verbs are joined, then names, then groups. 4. everything is sorted.
 * Guarantees: no request is allowed or refused that was not before; the order of the input does not matter; merging twice changes nothing.
 * Groups are joined only when their resource lists are equal: a rule is a cross product, a looser join would grant pairs that no rule asks for.
 */
export function mergeRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const rights = withoutCovered(rules.flatMap(rightsOf));
  return [...mergedResources(rights), ...mergedUrls(rights)];
}

/** As {@link mergeRules}, without what other rules grant already. */
export function mergeRulesBeyond(rules: readonly PolicyRule[], granted: readonly PolicyRule[]): PolicyRule[] {
  const has = new Set(granted.flatMap(rightsOf).map(rightKey));
  const beyond = rules.flatMap(rightsOf).filter((right) => !has.has(rightKey(right)) && !has.has(rightKey({ ...right, name: undefined })));
  const rights = withoutCovered(beyond);
  return [...mergedResources(rights), ...mergedUrls(rights)];
}

function rightKey({ verb, group, resource, name, url }: Right): string {
  return JSON.stringify([verb, group, resource, name, url]);
}

function rightsOf(rule: PolicyRule): Right[] {
  const rights: Right[] = [];
  for (const verb of rule.verbs) {
    for (const url of rule.nonResourceURLs ?? []) rights.push({ verb, group: '', resource: '', url });
    for (const group of rule.apiGroups ?? []) {
      for (const resource of rule.resources ?? []) {
        if (rule.resourceNames === undefined || rule.resourceNames.length === 0) rights.push({ verb, group, resource });
        else for (const name of rule.resourceNames) rights.push({ verb, group, resource, name });
      }
    }
  }
  return rights;
}

function withoutCovered(rights: readonly Right[]): Right[] {
  const whole = new Set(rights.filter((right) => right.name === undefined).map(resourceKey));
  return rights.filter((right) => right.name === undefined || !whole.has(resourceKey(right)));
}

function resourceKey({ verb, group, resource }: Right): string {
  return JSON.stringify([verb, group, resource]);
}

/** A block is a cross product; two blocks that differ in one dimension only may become one. */
interface Block {
  readonly verbs: readonly string[];
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  /** Empty: every object. */
  readonly names: readonly string[];
}

function mergedResources(rights: readonly Right[]): PolicyRule[] {
  let blocks: Block[] = rights
    .filter((right) => right.url === undefined)
    .map((right) => ({
      verbs: [right.verb],
      groups: [right.group],
      resources: [right.resource],
      names: right.name === undefined ? [] : [right.name],
    }));
  blocks = joined(blocks, 'verbs');
  // Verbs first: "what may be done with deployments" is how people read a role. Names before groups, so that a named right never meets an unnamed one.
  for (const dimension of ['resources', 'names', 'groups'] as const) blocks = joined(blocks, dimension);
  return blocks.sort(byGroupThenResource).map((block) => ({
    apiGroups: block.groups,
    resources: block.resources,
    ...(block.names.length === 0 ? {} : { resourceNames: block.names }),
    verbs: block.verbs,
  }));
}

function joined(blocks: readonly Block[], dimension: keyof Block): Block[] {
  const byRest = new Map<string, Block>();
  for (const block of blocks) {
    const names = dimension === 'names' ? block.names.length === 0 : block.names;
    const rest = JSON.stringify([{ ...block, names, [dimension]: dimension === 'names' ? names : [] }]);
    const other = byRest.get(rest);
    byRest.set(rest, other === undefined ? block : { ...block, [dimension]: union(other[dimension], block[dimension]) });
  }
  return [...byRest.values()];
}

function mergedUrls(rights: readonly Right[]): PolicyRule[] {
  const verbsOf = new Map<string, readonly string[]>();
  for (const { url, verb } of rights) if (url !== undefined) verbsOf.set(url, union(verbsOf.get(url) ?? [], [verb]));
  const urlsOf = new Map<string, readonly string[]>();
  for (const [url, verbs] of verbsOf) urlsOf.set(JSON.stringify(verbs), union(urlsOf.get(JSON.stringify(verbs)) ?? [], [url]));
  return [...urlsOf]
    .map(([verbs, nonResourceURLs]) => ({ nonResourceURLs, verbs: JSON.parse(verbs) as string[] }))
    .sort((a, b) => compare(a.nonResourceURLs.join(), b.nonResourceURLs.join()));
}

function union(left: readonly string[], right: readonly string[]): readonly string[] {
  return [...new Set([...left, ...right])].sort(compare);
}

function byGroupThenResource(a: Block, b: Block): number {
  return (
    compare(a.groups.join(), b.groups.join()) ||
    compare(a.resources.join(), b.resources.join()) ||
    compare(a.names.join(), b.names.join()) ||
    compare(a.verbs.join(), b.verbs.join())
  );
}

/** By code unit, not by locale: the same bytes on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
