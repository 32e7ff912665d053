import type { Pod } from '@keelson/kubernetes/kinds';
import { labelsMatcher } from '../objects/index.js';
import type { Stage } from './stages.js';

/** Which Pods are meant: all that is given has to be met. */
export interface PodSelector {
  readonly namespace?: string;
  /** Its name, or the beginning of its name with a `*` behind: `web-*`. */
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** The image of any of its containers. */
  readonly image?: string;
}

/** A selector, the name of one Pod (or its beginning, `web-*`), or a function. */
export type PodChoice = PodSelector | string | ((pod: Pod) => boolean);

export function choiceOf(choice: PodChoice): (pod: Pod) => boolean {
  if (typeof choice === 'function') return choice;
  const { namespace, name, labels = {}, image } = typeof choice === 'string' ? selectorIn(choice) : choice;
  const isLabelled = labelsMatcher(labels);
  return ({ metadata, spec }) =>
    (namespace === undefined || metadata.namespace === namespace) &&
    (name === undefined || isNamed(metadata.name, name)) &&
    (image === undefined || [...(spec.initContainers ?? []), ...spec.containers].some((container) => container.image === image)) &&
    isLabelled(metadata.labels);
}

function selectorIn(text: string): PodSelector {
  const [first = '', second] = text.split('/', 2);
  return second === undefined ? { name: first } : { namespace: first, name: second };
}

function isNamed(name: string, wanted: string): boolean {
  return wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted;
}

interface Hold {
  readonly matches: (pod: Pod) => boolean;
  readonly stage: Stage;
}

/** The Pods that a test holds back, and lets go again. */
export class HeldBack {
  readonly #holds = new Set<Hold>();
  readonly #listeners: (() => void)[] = [];

  /** @returns what lets go of them */
  add(hold: Hold): () => void {
    this.#holds.add(hold);
    return () => {
      if (this.#holds.delete(hold)) this.#tell();
    };
  }

  clear(): void {
    this.#holds.clear();
    this.#tell();
  }

  concerns(pod: Pod, stage: Stage): boolean {
    for (const hold of this.#holds) if (hold.stage === stage && hold.matches(pod)) return true;
    return false;
  }

  onRelease(listener: () => void): void {
    this.#listeners.push(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
