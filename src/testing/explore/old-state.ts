import type { ChunkGate } from './carried-transport.js';
import { statusOf } from './refused.js';

/**
 * How a process goes on when its API server does: by the events that it missed, or by lists: its watches end with 410, it lists what exists now, and never sees
 * the events between.
 */
export type GoingOn = 'by-events' | 'by-lists';

const NEWLINE = 10;

/** Ends a watch whose history the API server no longer has. */
const EXPIRED = Buffer.from(`${JSON.stringify({ type: 'ERROR', object: statusOf(410) })}\n`);

/** A replica of the API server that stands still: processes that read from it see the state of one moment until it goes on. */
export class OldState {
  readonly #gates = new Set<Gate>();
  #revision: number | undefined;

  /** `undefined`: it is up to date. */
  get revision(): number | undefined {
    return this.#revision;
  }

  standStill(revision: number): void {
    this.#revision = revision;
  }

  goOn(how: GoingOn): void {
    if (this.#revision === undefined) return;
    this.#revision = undefined;
    for (const gate of [...this.#gates]) gate.release(how);
  }

  gate(): ChunkGate {
    const gate: Gate = new Gate(this, () => this.#gates.delete(gate));
    this.#gates.add(gate);
    return gate;
  }
}

class Gate implements ChunkGate {
  readonly #state: OldState;
  readonly #closed: () => void;
  #rest: Buffer = Buffer.alloc(0);
  #held: Buffer[] = [];
  #hasExpired = false;
  #deliver: (chunk: Buffer) => void = () => undefined;

  constructor(state: OldState, closed: () => void) {
    this.#state = state;
    this.#closed = closed;
  }

  open(deliver: (chunk: Buffer) => void): void {
    this.#deliver = deliver;
  }

  push(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (let end = this.#rest.indexOf(NEWLINE); end >= 0; end = this.#rest.indexOf(NEWLINE)) {
      this.#line(this.#rest.subarray(0, end + 1));
      this.#rest = this.#rest.subarray(end + 1);
    }
  }

  /** A watch that missed nothing goes on as it is. */
  release(how: GoingOn): void {
    const held = this.#held;
    this.#held = [];
    if (held.length === 0) return;
    if (how === 'by-events') {
      for (const line of held) this.#deliver(line);
      return;
    }
    this.#hasExpired = true;
    this.#deliver(EXPIRED);
  }

  close(): void {
    this.#closed();
  }

  /** Holds back events that are newer than the state of the replica, and all that come after them. */
  #line(line: Buffer): void {
    // The client begins another watch after its list.
    if (this.#hasExpired) return;
    const { revision } = this.#state;
    if (this.#held.length === 0 && (revision === undefined || revisionOf(line) <= revision)) this.#deliver(line);
    else this.#held.push(line);
  }
}

interface EventLine {
  readonly object?: { readonly metadata?: { readonly resourceVersion?: string } };
}

function revisionOf(line: Buffer): number {
  return Number((JSON.parse(line.toString()) as EventLine).object?.metadata?.resourceVersion ?? 0);
}
