/**
 * Bytes of V8's heap, measured on Node 20 with 60,000 of each. A value costs its slot and what the parser keeps of it meanwhile; an object or list is counted
 * with two copies, because a handler sees one with defaults and may change another. Texts are shared by copies.
 */
const COST = { value: 64, object: 176, list: 144, text: 24, perWideByte: 10, newShape: 96, fieldOfNewShape: 160, indexField: 304 } as const;
/** V8 keeps fields with numbers as names in a list up to the number, if that is small: a copy of `{"1023":1}` takes 12 KB. */
const INDEX = { most: 5_000, bytesEach: 12 } as const;
/** Go's decoder stops at 10,000 levels; recursion on JavaScript's stack has to stop earlier. */
const MAX_DEPTH = 1_000;
/** Chunks, buffer and text of a body are in memory while it is parsed, an answer of the same size as text, bytes and ciphertext until it has been sent. */
const BODY_FACTOR = 8;

const [QUOTE, BACKSLASH, COMMA, COLON, DIGIT_0, DIGIT_9, LETTER_U] = [0x22, 0x5c, 0x2c, 0x3a, 0x30, 0x39, 0x75];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The same for a process, unknown to clients: they cannot write two shapes that count as one. */
const SEED = Math.floor(Math.random() * 0x7fff_ffff);

export interface JsonCost {
  /** Most bytes that reading the body and working on it takes; beyond the bound it is not counted to the end. */
  readonly bytes: number;
  /** Whether it is nested deeper than a recursion may follow. */
  readonly isTooDeep: boolean;
}

/**
 * Estimates the memory of a JSON text before it is parsed: `{}` has three bytes with its comma and takes seventy times that as a value.
 *
 * Linear in the body's length, and it does not judge it: what is not JSON is left to the parser.
 * @param most bytes beyond which counting may stop
 */
export function jsonCost(body: Buffer, most: number): JsonCost {
  const tally = new Tally(body);
  for (let at = 0; at < body.length && tally.cost <= most && !tally.isTooDeep; at += 1) {
    switch (body[at]) {
      case QUOTE:
        at = tally.text(at + 1);
        break;
      case OPEN_OBJECT:
      case OPEN_LIST:
        tally.open(body[at] === OPEN_OBJECT);
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        tally.close();
        break;
      case COMMA:
        tally.next();
        break;
      case COLON:
        tally.isAtName = false;
        break;
      default:
    }
  }
  return { bytes: tally.cost, isTooDeep: tally.isTooDeep };
}

class Tally {
  readonly #body: Buffer;
  readonly #isObject = new Uint8Array(MAX_DEPTH + 1);
  readonly #shape = new Int32Array(MAX_DEPTH + 1);
  readonly #fields = new Int32Array(MAX_DEPTH + 1);
  /** V8 makes a hidden class for each order of names: a million objects of one shape are cheap, a million shapes are not. */
  readonly #shapes = new Set<number>();
  #depth = 0;
  cost: number;
  isAtName = false;
  isTooDeep = false;

  constructor(body: Buffer) {
    this.#body = body;
    this.cost = BODY_FACTOR * body.length + COST.value;
  }

  open(isObject: boolean): void {
    this.cost += COST.value + (isObject ? COST.object : COST.list);
    if (this.#depth >= MAX_DEPTH) {
      this.isTooDeep = true;
      return;
    }
    this.#depth += 1;
    this.#isObject[this.#depth] = isObject ? 1 : 0;
    this.#shape[this.#depth] = SEED;
    this.#fields[this.#depth] = 0;
    this.isAtName = isObject;
  }

  close(): void {
    const [depth, shape, fields] = [this.#depth, this.#shape[this.#depth] ?? 0, this.#fields[this.#depth] ?? 0];
    if (depth === 0) return;
    if (this.#isObject[depth] === 1 && !this.#shapes.has(shape)) {
      this.#shapes.add(shape);
      this.cost += COST.newShape + COST.fieldOfNewShape * fields;
    }
    this.#depth -= 1;
    this.isAtName = false;
  }

  next(): void {
    this.cost += COST.value;
    this.isAtName = this.#isObject[this.#depth] === 1;
  }

  /** @returns where the text ends: its closing quote */
  text(start: number): number {
    const body = this.#body;
    let [at, hash, isWide] = [start, SEED, false];
    for (; at < body.length; at += 1) {
      const byte = body[at] as number;
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) at += 1;
      if (byte > 0x7f || (byte === BACKSLASH && body[at] === LETTER_U)) isWide = true;
      hash = Math.imul(hash ^ byte, 0x0100_0193) + (body[at] as number);
    }
    this.cost += COST.text + (at - start) * (isWide ? COST.perWideByte : 1);
    if (this.isAtName) this.#name(start, at, hash);
    return at;
  }

  #name(start: number, end: number, hash: number): void {
    const depth = this.#depth;
    this.#shape[depth] = Math.imul((this.#shape[depth] ?? 0) ^ hash, 0x85eb_ca6b) ^ (hash >>> 15);
    this.#fields[depth] = (this.#fields[depth] ?? 0) + 1;
    const first = this.#body[start] as number;
    if (first !== BACKSLASH && (first < DIGIT_0 || first > DIGIT_9)) return;
    this.cost += indexCost(this.#body.toString('latin1', start, Math.min(end, start + 25)));
  }
}

/** A digit may be written as an escape as well. */
function indexCost(name: string): number {
  if (!/^(?:\d|\\u003\d)+$/.test(name)) return 0;
  const index = name.includes('\\') ? INDEX.most : Number(name);
  return COST.indexField + (index <= INDEX.most ? INDEX.bytesEach * index : 0);
}
