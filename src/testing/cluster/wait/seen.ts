import type { KubernetesObject } from '../../../kubernetes/index.js';
import type { Verdict } from './condition.js';

/** The states that a wait has seen. */
export interface Seen {
  object: KubernetesObject | undefined;
  /** The last state is a deletion: `object` is what was deleted. */
  isGone: boolean;
  changes: number;
  verdict: Verdict;
}
