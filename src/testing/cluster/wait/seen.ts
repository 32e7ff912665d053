import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';
import type { Verdict } from './condition.js';

/** The states that a wait has seen. */
export interface Seen {
  object: KubernetesObject | undefined;
  /** The last state is a deletion: `object` is what was deleted. */
  isGone: boolean;
  changes: number;
  /** The last one; undefined while nothing was seen. */
  verdict: Verdict;
  /** Why the server would not show anything, in the end. */
  refusal: string | undefined;
}
