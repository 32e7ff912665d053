import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import type { Problem } from '../errors.js';
import type { Verb } from '../model.js';

const VERBS: readonly string[] = ['create', 'update', 'patch', 'apply', 'delete', 'evict'] satisfies Verb[];

/** Problems of the verbs that a handle declares. */
export function verbProblems(verbs: readonly string[], kind: KindInfo, path: string): Problem[] {
  return verbs.flatMap((verb, index): Problem[] => {
    const at = `${path}.verbs[${index}]`;
    if (!VERBS.includes(verb)) return [{ path: at, message: `'${verb}' is not a verb; known are ${VERBS.join(', ')}` }];
    if (verbs.indexOf(verb) !== index) return [{ path: at, message: `'${verb}' is listed twice; leave one out` }];
    if (verb === 'evict' && !kind.subresources.includes('eviction')) {
      return [{ path: at, message: `${kind.kind} cannot be evicted; only Pods can: use 'delete'` }];
    }
    return [];
  });
}
