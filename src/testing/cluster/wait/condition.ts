import { differences, differenceText } from './difference.js';

/** The result of a condition: true or nothing is "met". */
// biome-ignore lint/suspicious/noConfusingVoidType: an assertion returns nothing
export type Outcome = boolean | void | Promise<boolean | void>;

/**
 * The awaited state of an object.
 *
 * - a function: met when it returns true or nothing; false, or an assertion that throws, is "not yet".
 * - a part of an object: met when the object has it, see {@link differences}.
 * - `present`, `absent`.
 */
export type Condition<TObject> = ((object: TObject) => Outcome) | PartOf<TObject> | 'absent' | 'present';

/** Some fields, of elements of lists too. */
export type PartOf<T> = T extends readonly (infer TElement)[]
  ? readonly PartOf<TElement>[]
  : T extends object
    ? { readonly [P in keyof T]?: PartOf<T[P]> }
    : T;

/** Undefined: met. Else why it is not, in lines. */
export type Verdict = string | undefined;

export async function judge<TObject>(condition: Condition<TObject>, object: TObject | undefined): Promise<Verdict> {
  if (condition === 'absent') return object === undefined ? undefined : 'it is still there';
  if (object === undefined) return 'there is no such object';
  if (condition === 'present') return undefined;
  if (typeof condition === 'function') return judgeBy(condition as Predicate, object);
  const found = differences(object, condition);
  return found.length === 0 ? undefined : `it differs:\n${found.map((difference) => `  ${differenceText(difference)}`).join('\n')}`;
}

type Predicate = (object: unknown) => Outcome;

/** Colours of an assertion library's message, which a log would show as noise. */
const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
const MAX_MESSAGE = 2_000;
const MAX_SOURCE = 300;

export async function judgeBy<TArguments extends readonly unknown[]>(
  predicate: (...given: TArguments) => Outcome,
  ...given: TArguments
): Promise<Verdict> {
  try {
    const outcome = await predicate(...given);
    return outcome === false ? `the condition is false: ${shortened(String(predicate).replace(/\s+/g, ' '), MAX_SOURCE)}` : undefined;
  } catch (error) {
    const message = error instanceof Error || hasMessage(error) ? error.message : String(error);
    return `the condition throws:\n${indented(shortened(message.replace(ESCAPES, ''), MAX_MESSAGE))}`;
  }
}

/** An error of another realm: a test runner has its own `Error`. */
function hasMessage(error: unknown): error is { readonly message: string } {
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string';
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
