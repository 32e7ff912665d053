import { goQuote } from '@keelson/kubernetes/apimachinery';
import { GoDecodeError } from './errors.js';

/** A step to a value: a field of a struct, a key of a map, an index of a list. */
export type Step = StructStep | string | number;

export interface StructStep {
  readonly jsonName: string;
  /** Name of the struct that has the field, as Go's errors give it. */
  readonly owner: string;
}

/** The complaints of Go's decoder about a document. */
export type Fault = { readonly value: string; readonly goName: string } | { readonly text: string };

/** Ends a decoding at once: Go's own decoders (times, quantities) do that, a wrong scalar does not. */
class Abort extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super('aborted');
    this.fault = fault;
  }
}

/** Go keeps so many strict errors and drops the others. */
const MOST_UNKNOWN = 100;
/** Go ends at 10,000 levels, JavaScript's stack earlier. */
const DEEPEST = 500;

export interface RunOptions {
  /** Empty lists and maps are gone, as after a round through protobuf. */
  readonly isStored: boolean;
}

/**
 * One decoding: where it is, and what it has found.
 *
 * Go goes on after a value of a wrong type and reports the first of them at the end, unless a decoder of a type aborts before that.
 */
export class DecodeRun {
  readonly isStored: boolean;
  readonly unknown: string[] = [];
  readonly #steps: Step[] = [];
  #first: { readonly fault: Fault; readonly message: string } | undefined;
  #depth = 0;

  constructor({ isStored }: RunOptions) {
    this.isStored = isStored;
  }

  enter(step: Step): void {
    this.#steps.push(step);
  }

  leave(): void {
    this.#steps.pop();
  }

  descend(): void {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new Abort({ text: 'exceeded max depth' });
  }

  ascend(): void {
    this.#depth -= 1;
  }

  /** A value of a wrong type: remembered, if it is the first. */
  mismatch(value: unknown, goName: string): void {
    this.report({ value: described(value, goName), goName });
  }

  report(fault: Fault): void {
    this.#first ??= { fault, message: this.#message(fault) };
  }

  abort(fault: Fault): never {
    throw new Abort(fault);
  }

  unknownField(name: string): void {
    if (this.unknown.length >= MOST_UNKNOWN) return;
    const path = this.#path();
    const text = `unknown field ${goQuote(path === '' ? name : `${path}.${name}`)}`;
    if (!this.unknown.includes(text)) this.unknown.push(text);
  }

  /** @throws GoDecodeError */
  finish<T>(decode: () => T): T {
    const outcome = this.#attempt(decode);
    if ('message' in outcome) throw new GoDecodeError(outcome.message);
    return outcome.value;
  }

  /** A decoder inside a decoder: it knows nothing of unknown fields, and its fault ends the outer one, which names its own place. */
  nested<T>(decode: (run: DecodeRun) => T): T {
    const inner = new DecodeRun({ isStored: this.isStored });
    inner.#depth = this.#depth;
    const outcome = inner.#attempt(() => decode(inner));
    if ('message' in outcome) this.abort(outcome.fault);
    return outcome.value;
  }

  #attempt<T>(decode: () => T): { readonly value: T } | { readonly fault: Fault; readonly message: string } {
    try {
      const value = decode();
      return this.#first ?? { value };
    } catch (error) {
      if (error instanceof Abort) return { fault: error.fault, message: this.#message(error.fault) };
      throw error;
    }
  }

  #message(fault: Fault): string {
    if ('text' in fault) return fault.text;
    const fields = this.#steps.filter((step): step is StructStep => typeof step === 'object');
    const last = fields.at(-1);
    const target = last === undefined ? 'value' : `struct field ${last.owner}.${fields.map(({ jsonName }) => jsonName).join('.')}`;
    return `json: cannot unmarshal ${fault.value} into Go ${target} of type ${fault.goName}`;
  }

  #path(): string {
    let path = '';
    for (const step of this.#steps) {
      if (typeof step === 'number') path += `[${step}]`;
      else path += `${path === '' ? '' : '.'}${typeof step === 'string' ? step : step.jsonName}`;
    }
    return path;
  }
}

const NUMERIC: ReadonlySet<string> = new Set(['int32', 'int64', 'float64', 'uint8']);

/** Go names a number only where it wanted one. */
export function described(value: unknown, goName: string, isNumeric: boolean = NUMERIC.has(goName)): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return isNumeric ? `number ${value}` : 'number';
  if (typeof value === 'number') return isNumeric ? `number ${goLiteral(value)}` : 'number';
  return typeof value;
}

/** How most clients spell the number: the digits that were sent are not known any more. */
function goLiteral(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? BigInt(value).toString() : String(value);
}
