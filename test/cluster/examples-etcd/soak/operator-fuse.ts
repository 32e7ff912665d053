import type { StartOperatorOptions } from '@keelson/testing';

/** Cuts an operator off from etcd from one moment to the next, as the end of its process does: calls under way are done, and nobody gets their answers. */
export class OperatorFuse {
  #isBlown = false;

  readonly interceptExternal: StartOperatorOptions['interceptExternal'] = async (_, call) => {
    this.#check();
    const answer = await call();
    this.#check();
    return answer;
  };

  blow(): void {
    this.#isBlown = true;
  }

  replace(): void {
    this.#isBlown = false;
  }

  #check(): void {
    if (this.#isBlown) throw new Error('the process of the operator is gone');
  }
}
