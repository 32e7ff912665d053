import type { ChunkGate } from './carried-transport.js';

/** How a process goes on when its API server does: by the events that it has missed, or as by a list of what there is now: it never sees what was between. */
export type GoingOn = 'by-events' | 'by-lists';

const NEWLINE = 10;

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

  release(how: GoingOn): void {
    const held = this.#held;
    this.#held = [];
    for (const line of how === 'by-events' ? held : condensed(held)) this.#deliver(line);
  }

  close(): void {
    this.#closed();
  }

  /** Holds back events that are newer than the state of the replica, and all that come after them. */
  #line(line: Buffer): void {
    const { revision } = this.#state;
    if (this.#held.length === 0 && (revision === undefined || revisionOf(line) <= revision)) this.#deliver(line);
    else this.#held.push(line);
  }
}

interface EventLine {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object?: { readonly metadata?: { readonly resourceVersion?: string; readonly uid?: string } };
}

function eventOf(line: Buffer): EventLine {
  return JSON.parse(line.toString()) as EventLine;
}

function revisionOf(line: Buffer): number {
  return Number(eventOf(line).object?.metadata?.resourceVersion ?? 0);
}

/** Keeps the last event of each object, as a new list would: objects that came and went meanwhile are not seen. */
function condensed(lines: readonly Buffer[]): readonly Buffer[] {
  const first = new Map<string, EventLine['type']>();
  const last = new Map<string, { readonly event: EventLine; readonly line: Buffer }>();
  for (const line of lines) {
    const event = eventOf(line);
    const uid = event.object?.metadata?.uid ?? event.type;
    if (!first.has(uid)) first.set(uid, event.type);
    last.delete(uid);
    last.set(uid, { event, line });
  }
  return [...last].flatMap(([uid, { event, line }]) => {
    if (first.get(uid) !== 'ADDED' || event.type === 'ADDED') return [line];
    return event.type === 'DELETED' ? [] : [Buffer.from(`${JSON.stringify({ ...event, type: 'ADDED' })}\n`)];
  });
}
