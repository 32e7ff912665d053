import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { createContext, runInNewContext, Script } from 'node:vm';
import { DEADLINE_MS } from '../../deadline.cjs';
import { Random } from '../values/apply/differential/random.js';

/** Inputs of one run over all suites of this folder: `KEELSON_FUZZ_INPUTS`. */
const INPUTS = numberOf('KEELSON_FUZZ_INPUTS', 100_000);
/** What they are drawn from: `KEELSON_FUZZ_SEED`. */
export const SEED = numberOf('KEELSON_FUZZ_SEED', 20_260_101);

/**
 * What each suite gets of 100 inputs. One table, so that the sum can be seen: whoever takes a share away from one suite gives it to another.
 */
export const SHARES = {
  json: 9,
  yaml: 7,
  protobuf: 10,
  'Go types': 8,
  'label selectors': 7,
  'field selectors': 6,
  'paths and queries': 6,
  'continue tokens': 2,
  'JSON patches': 6,
  'merge patches': 5,
  'strategic merge patches': 6,
  'apply patches': 5,
  'CEL rules': 5,
  'CEL policies': 3,
  requests: 12,
  'raw bytes': 3,
} as const;

export type Subject = keyof typeof SHARES;

export const inputsOf = (subject: Subject): number => Math.ceil((INPUTS * SHARES[subject]) / 100);

export interface Campaign<T> {
  readonly subject: Subject;
  readonly generate: (random: Random) => T;
  /** Throws whatever is not among the documented answers. @returns what became of the input, for the tally */
  readonly run: (input: T) => string;
}

const BATCH = 500;

/** Each input has a seed of its own: one that failed can be made again without those before it. */
export const randomOf = (subject: Subject, index: number): Random => {
  const salt = [...subject].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, SEED);
  return new Random(Math.imul(salt ^ index, 0x9e3779b1));
};

/**
 * Runs all inputs of a subject. A hang ends as an error too: the code is interrupted from outside.
 *
 * @returns how often each outcome came
 * @throws Error that shows the first input that something else came of, and how to make it again
 */
export function runCampaign<T>({ subject, generate, run }: Campaign<T>): Map<string, number> {
  const tally = new Map<string, number>();
  const count = inputsOf(subject);
  let index = 0;
  let input: T | undefined;
  const batch = (): void => {
    for (const end = Math.min(count, index + BATCH); index < end; index += 1) {
      input = generate(randomOf(subject, index));
      const outcome = run(input);
      tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
    }
  };
  const watched = watchdog(batch);
  const memory = new MemoryCheck();
  while (index < count) {
    try {
      watched();
    } catch (error) {
      throw new Error(`${subject}, input ${index} of seed ${SEED}: ${inspect(error)}\n${shownInput(input)}`);
    }
    if (index >= count / 4) memory.begin();
  }
  memory.end(subject);
  return tally;
}

export const shownInput = (input: unknown): string => inspect(input, { depth: 12, maxStringLength: 2000, maxArrayLength: 200 });

/** V8 ends what runs too long, also an endless loop: no promise could. */
function watchdog(run: () => void): () => void {
  const script = new Script('run()');
  const context = createContext({ run });
  return () => script.runInContext(context, { timeout: DEADLINE_MS });
}

/** What may stay behind: compiled code and caches, not inputs. */
const GROWTH = 1.5;
const SLACK_BYTES = 24 * 1024 * 1024;

/** Compares the heap before and after, garbage taken away. */
export class MemoryCheck {
  readonly #collect: () => void = garbageCollector();
  #before: number | undefined;

  /** When everything has been run once. Later calls do nothing. */
  begin(): void {
    this.#before ??= this.#used();
  }

  /** @throws Error when the heap has grown */
  end(subject: string): void {
    if (this.#before === undefined) throw new Error(`${subject}: begin() was not called before end()`);
    const [before, after] = [this.#before, this.#used()];
    if (after > before * GROWTH + SLACK_BYTES) throw new Error(`${subject}: the heap has grown from ${before} to ${after} bytes`);
  }

  #used(): number {
    this.#collect();
    return process.memoryUsage().heapUsed;
  }
}

/** `--expose-gc` need not be given to jest. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

function numberOf(variable: string, fallback: number): number {
  const text = process.env[variable];
  if (text === undefined || text === '') return fallback;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new RangeError(`${variable}=${text}: must be a whole number from 1`);
  return number;
}
