import type { Admission, Target } from '../contract/index.js';
import type { Store } from '../store/index.js';
import type { Subject } from './subject.js';
import type { Views } from './views.js';

/** The parts that every verb works with. */
export interface Parts {
  readonly store: Store;
  readonly admission: Admission;
  readonly views: Views;
  subjectOf(target: Target): Subject;
  /** A new `metadata.uid`. */
  readonly uids: () => string;
  /** Five characters that make a name of a generateName. */
  readonly suffixes: () => string;
}
