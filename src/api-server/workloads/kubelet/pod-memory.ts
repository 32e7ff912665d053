import type { Pod } from '@keelson/kubernetes/kinds';
import { choiceOf, HeldBack, type PodChoice } from './held-back.js';
import type { Stage } from './stages.js';

/** The facts of Pods beside the API: what the test wants of them, and since when they are in their state. */
export class PodMemory {
  readonly held: HeldBack = new HeldBack();
  readonly #unready = new Set<string>();
  readonly #since = new Map<string, Map<string, number>>();

  hold(choice: PodChoice, stage: Stage): () => void {
    return this.held.add({ matches: choiceOf(choice), stage });
  }

  setUnready({ metadata: { uid = '' } }: Pod, isUnready: boolean): void {
    if (isUnready) this.#unready.add(uid);
    else this.#unready.delete(uid);
  }

  isUnready({ metadata: { uid = '' } }: Pod): boolean {
    return this.#unready.has(uid);
  }

  /** When this was first asked, in milliseconds. */
  since({ metadata: { uid = '' } }: Pod, what: string, now: Date): number {
    const known = this.#since.get(uid) ?? new Map<string, number>();
    this.#since.set(uid, known);
    const since = known.get(what) ?? now.getTime();
    known.set(what, since);
    return since;
  }

  forget(uid: string): void {
    this.#unready.delete(uid);
    this.#since.delete(uid);
  }
}
