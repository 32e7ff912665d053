import { deepFreeze, isRecord } from '@keelson/kubernetes/apimachinery';
import { ExternalError } from './errors.js';

/**
 * The input of background work as its function gets it: a frozen copy, so that neither the run nor the function changes the other's.
 *
 * @throws ExternalError for a value that is not JSON: two inputs could not be compared
 */
export function inputOf(name: string, given: unknown): unknown {
  if (given === undefined) return undefined;
  const problem = problemOf(given, 'input', new Set());
  if (problem !== undefined)
    throw new ExternalError(`${name}.start(key, input): ${problem}; give JSON: texts, numbers, booleans, null, lists and objects`);
  return deepFreeze(JSON.parse(JSON.stringify(given)));
}

/** The first part of a value that JSON does not have, by its path; fields that are `undefined` count as absent. */
function problemOf(value: unknown, path: string, within: ReadonlySet<unknown>): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${path} is ${value}`;
  if (typeof value !== 'object') return `${path} is ${value === undefined ? 'undefined' : `a ${typeof value}`}`;
  if (within.has(value)) return `${path} contains itself`;
  const inside = new Set(within).add(value);
  if (Array.isArray(value)) return firstOf(value.map((item, index) => () => problemOf(item, `${path}[${index}]`, inside)));
  const prototype: unknown = Object.getPrototypeOf(value);
  // Plain objects of other realms have a prototype of their own, whose prototype is null.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return `${path} is a ${value.constructor.name}`;
  const fields = isRecord(value) ? Object.entries(value).filter(([, item]) => item !== undefined) : [];
  return firstOf(
    fields.map(
      ([name, item]) =>
        () =>
          problemOf(item, `${path}.${name}`, inside),
    ),
  );
}

function firstOf(looks: readonly (() => string | undefined)[]): string | undefined {
  for (const look of looks) {
    const problem = look();
    if (problem !== undefined) return problem;
  }
  return undefined;
}
