import type { Assignment } from './assignments.js';
import type { Template } from './template.js';
import { templateKey } from './template-key.js';

/** Values that the constructs refuse: all conditions hold together. */
export interface RefusalRule {
  readonly conditions: readonly RefusalCondition[];
  readonly message: Template;
}

export interface RefusalCondition {
  /** Index of the variable. */
  readonly variable: number;
  readonly states: readonly number[];
}

/** Which values are refused, as rules that each name no more values than they need. */
export class Refusals {
  readonly rules: RefusalRule[] = [];
  readonly #counts: readonly number[];
  readonly #base: Assignment;
  readonly #refusalOf: (assignment: Assignment) => Template;

  /**
   * @param base the assignment of the defaults, which is taken
   * @param refusalOf asks the constructs; `absent` if they take the values
   */
  constructor(counts: readonly number[], base: Assignment, refusalOf: (assignment: Assignment) => Template) {
    this.#counts = counts;
    this.#base = base;
    this.#refusalOf = refusalOf;
  }

  explains(assignment: Assignment): RefusalRule | undefined {
    return this.rules.find(({ conditions }) => conditions.every(({ variable, states }) => states.includes(assignment[variable] ?? 0)));
  }

  /** Finds out why an assignment is refused: what can be as by default is, and what then matters is the rule. */
  learn(assignment: Assignment, message: Template): void {
    if (this.explains(assignment) !== undefined) return;
    const same = (other: Assignment): boolean => templateKey(this.#refusalOf(other)) === templateKey(message);
    let least = assignment;
    for (const [variable, state] of this.#base.entries()) {
      if (least[variable] === state) continue;
      const simpler = least.with(variable, state);
      if (same(simpler)) least = simpler;
    }
    const conditions = this.#counts.flatMap((count, variable): RefusalCondition[] => {
      const own = [least[variable], assignment[variable]];
      const states = [...Array(count).keys()].filter((state) => own.includes(state) || same(least.with(variable, state)));
      return states.length === count ? [] : [{ variable, states }];
    });
    const covered = this.rules.filter((rule) => isCovered(rule.conditions, conditions));
    for (const rule of covered) this.rules.splice(this.rules.indexOf(rule), 1);
    this.rules.push({ conditions, message });
  }
}

/** Whether each assignment that obeys the conditions obeys the wider ones too. */
function isCovered(conditions: readonly RefusalCondition[], wider: readonly RefusalCondition[]): boolean {
  return wider.every(({ variable, states }) =>
    conditions.some((one) => one.variable === variable && one.states.every((state) => states.includes(state))),
  );
}
