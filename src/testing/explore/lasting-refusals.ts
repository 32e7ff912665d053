import type { WholeAnswer } from './carried-transport.js';
import { isSame, type Mark } from './history.js';
import type { LastingRefusal } from './plan.js';
import type { Of, Strikes } from './strikes.js';
import { kindOfWrite } from './write-name.js';

/** Writes that an API server refuses for a long time. */
export class LastingRefusals {
  readonly #strikes: Strikes;
  readonly #active = new Set<Of<'forbid'>>();

  constructor(strikes: Strikes) {
    this.#strikes = strikes;
  }

  /** @returns the refusal of a write. `undefined` if it is done */
  answerTo(mark: Mark): WholeAnswer | undefined {
    if (this.#strikes.isMended) return undefined;
    for (const one of this.#strikes.of('forbid')) {
      if (!this.#strikes.struck.has(one) && isSame(one.from, mark)) {
        this.#strikes.struck.add(one);
        this.#active.add(one);
      }
    }
    const found = [...this.#active].find(({ what }) => what === kindOfWrite(mark.what));
    return found && forbidden(mark.what, found.why);
  }

  stepped(step: number): void {
    for (const one of this.#active) if (one.until.step <= step) this.#active.delete(one);
  }
}

function forbidden(what: string, why: LastingRefusal): WholeAnswer {
  const message = `${what} is forbidden: ${why}`;
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason: 'Forbidden', code: 403 };
  return { status: 403, body: Buffer.from(JSON.stringify(body)) };
}
