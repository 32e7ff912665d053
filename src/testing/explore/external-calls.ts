import type { Clock } from '@keelson/api-server';
import type { ExternalCall } from '@keelson/runtime/internal/outside';
import { distorted, type ExternalFault, emptied, unheardOf } from './external-faults.js';
import type { History, Manners } from './history.js';
import type { Of, Strikes } from './strikes.js';

export interface ExternalCallsOptions {
  readonly strikes: Strikes;
  readonly history: History;
  readonly clock: Clock & { monotonicMs(): number };
  /** Those of the undisturbed run. */
  readonly manners: Manners;
  readonly stirred: () => void;
  /** Whether a process that was started again, or waits, reads an old state. */
  readonly isBehind: (replica: number) => boolean;
}

/** Begins the names of methods that change something. */
const DEED =
  /^(?:add|attach|create|delete|detach|ensure|grow|make|patch|post|provision|put|register|remove|resize|save|set|start|stop|update|write)/;
/** A call that times out. */
const TIMEOUT_MS = 5_000;

/** Calls of the externals of a run, and what goes wrong with them. */
export class ExternalCalls {
  /** A process that read an old state after it had been started has called an external: no uid protects what is outside. */
  hasCalledBehind = false;
  readonly #options: ExternalCallsOptions;
  /** Answers of each question since another method of the external was called: what the operator has done itself it may read at once. */
  readonly #answers = new Map<string, { readonly external: string; readonly method: string; values: unknown[] }>();

  constructor(options: ExternalCallsOptions) {
    this.#options = options;
  }

  /** A call of an external, as it is to go. */
  called(replica: number, details: ExternalCall, call: () => unknown): unknown {
    if (this.#options.isBehind(replica)) this.hasCalledBehind = true;
    const { external, method, arguments: given } = details;
    const { history, stirred, strikes } = this.#options;
    const what = `${external}.${method}`;
    const mark = history.mark('call', what);
    history.calls.push(mark);
    stirred();
    const found = strikes.isMended
      ? undefined
      : strikes.of('external').find(({ at, times }) => at.what === what && mark.nth >= at.nth && mark.nth < at.nth + times);
    if (found?.fault === 'fails') {
      strikes.struck.add(found);
      const failure = new Error(`${what}: connection refused`);
      if (this.#options.manners.direct.has(what)) throw failure;
      return Promise.reject(failure);
    }
    const answer = call();
    const asked = `${what} ${textOf(given)}`;
    const answered = (value: unknown): unknown => {
      stirred();
      if (value === undefined || value === null) history.manners.absences.add(what);
      // A method that answers nothing, or is named after a deed, has changed something.
      if (value === undefined || DEED.test(method)) this.#forgetAnswers(details);
      const before = this.#remember(asked, details, value);
      return found === undefined ? value : this.#faulty(found, { value, before, what, nth: mark.nth });
    };
    if (!(answer instanceof Promise)) {
      history.manners.direct.add(what);
      if (found?.fault === 'times out' && answer === undefined) {
        strikes.struck.add(found);
        throw timedOut(what);
      }
      return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer ? answer : answered(answer);
    }
    if (found?.fault === 'times out') {
      strikes.struck.add(found);
      return answer.then(() => this.#later(what));
    }
    return answer.then(answered, (error: unknown) => {
      stirred();
      throw error;
    });
  }

  #later(what: string): Promise<never> {
    const { clock, stirred } = this.#options;
    return new Promise((_, reject) => {
      clock.schedule(TIMEOUT_MS, () => {
        stirred();
        reject(timedOut(what));
      });
    });
  }

  /** @returns another answer than this one that was given before, if there is one */
  #remember(asked: string, { external, method }: ExternalCall, value: unknown): { readonly answer: unknown } | undefined {
    const known = this.#answers.get(asked) ?? { external, method, values: [] };
    const text = textOf(value);
    const before = known.values.findLast((answer) => textOf(answer) !== text);
    if (known.values.length === 0 || textOf(known.values.at(-1)) !== text) known.values.push(copied(value));
    this.#answers.set(asked, known);
    return before === undefined ? undefined : { answer: before };
  }

  /** An operator may read at once what it has changed itself. */
  #forgetAnswers({ external, method }: ExternalCall): void {
    for (const [asked, known] of this.#answers) if (known.external === external && known.method !== method) this.#answers.delete(asked);
  }

  #faulty(
    found: Of<'external'>,
    {
      value,
      before,
      what,
      nth,
    }: { readonly value: unknown; readonly before: { readonly answer: unknown } | undefined; readonly what: string; readonly nth: number },
  ): unknown {
    const faulty = answerOf(found.fault, { value, before, mayBeAbsent: this.#options.manners.absences.has(what), nth });
    if (faulty === undefined) return value;
    this.#options.strikes.struck.add(found);
    return faulty.answer;
  }
}

interface Answered {
  readonly value: unknown;
  readonly before: { readonly answer: unknown } | undefined;
  readonly mayBeAbsent: boolean;
  readonly nth: number;
}

function answerOf(fault: ExternalFault, { value, before, mayBeAbsent, nth }: Answered): { readonly answer: unknown } | undefined {
  switch (fault) {
    case 'answers empty':
      return emptied(value, mayBeAbsent);
    case 'answers stale':
      return before;
    case 'answers with an unknown word':
      return unheardOf(value, nth);
    case 'answers wrong':
      return distorted(value, nth);
    default:
      return undefined;
  }
}

function timedOut(what: string): Error {
  return new Error(`${what}: timed out`);
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // A value that is not JSON, such as a cycle, is compared by its text.
    return String(value);
  }
}

/** Copies an answer: a fake may change it later. */
function copied(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    // Functions cannot be copied, and do not change.
    return value;
  }
}
