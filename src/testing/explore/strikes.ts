import type { Mark } from './history.js';
import type { Disturbance, Plan } from './plan.js';

export type Of<TDo extends Disturbance['do']> = Disturbance & { readonly do: TDo };

/** The disturbances of a plan, and which of them have happened. */
export class Strikes {
  readonly struck: Set<Disturbance> = new Set();
  readonly #plan: Plan;
  #isMended = false;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  get isMended(): boolean {
    return this.#isMended;
  }

  /** From now on nothing happens. */
  mend(): void {
    this.#isMended = true;
  }

  of<TDo extends Disturbance['do']>(what: TDo): Of<TDo>[] {
    return this.#plan.disturbances.filter((disturbance): disturbance is Of<TDo> => disturbance.do === what);
  }

  /** The disturbance of this moment, which happens now. */
  at<TDo extends 'kill' | 'lose' | 'refuse' | 'break-watch' | 'steal' | 'release'>(what: TDo, mark: Mark): Of<TDo> | undefined {
    if (this.#isMended) return undefined;
    const found = this.of(what).find((disturbance) => isAmong(disturbance, mark));
    if (found !== undefined) this.struck.add(found);
    return found;
  }
}

/** Whether a disturbance is to happen at a moment, or is still to happen once more. */
function isAmong(disturbance: Extract<Disturbance, { readonly at: unknown }>, { on, what, nth }: Mark): boolean {
  const { at } = disturbance;
  if ('step' in at) return false;
  const times = 'times' in disturbance ? disturbance.times : 1;
  return at.on === on && at.what === what && nth >= at.nth && nth < at.nth + times;
}
