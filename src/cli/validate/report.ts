/**
 * - `valid`: the API server would take the object
 * - `invalid`: it would refuse it
 * - `unjudged`: the command cannot judge it: no object, no CRD, a CRD that is not valid, a conversion by webhook
 * - `ignored`: no CRD, and `--ignore-missing-crds` was given
 */
export type Verdict = 'ignored' | 'invalid' | 'unjudged' | 'valid';

/** A problem with one field, in the words of the API server. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** The verdict on one object, or on a place without an object. The names are those of the JSON output. */
export interface JudgedObject {
  readonly place: string;
  /** Absent where the place holds no object. */
  readonly object?: { readonly apiVersion: string; readonly kind: string; readonly namespace?: string; readonly name: string };
  /** The request by which it was judged. */
  readonly operation?: 'create' | 'update';
  readonly verdict: Verdict;
  /** Why it is not valid. */
  readonly message?: string;
  readonly fields: readonly FieldProblem[];
  /** Warnings that the server would send. */
  readonly warnings: readonly string[];
}

export interface ValidationReport {
  readonly apiVersion: 'cli.keelson.dev/v1';
  readonly kind: 'ValidationReport';
  readonly summary: Readonly<Record<Verdict, number>>;
  readonly objects: readonly JudgedObject[];
}

export function reportOf(objects: readonly JudgedObject[]): ValidationReport {
  const count = (verdict: Verdict): number => objects.filter((object) => object.verdict === verdict).length;
  const summary = { valid: count('valid'), invalid: count('invalid'), unjudged: count('unjudged'), ignored: count('ignored') };
  return { apiVersion: 'cli.keelson.dev/v1', kind: 'ValidationReport', summary, objects };
}

/** One line for each object, and below it what is wrong with it. */
export function reportText({ objects }: ValidationReport): string {
  return objects.map(objectText).join('');
}

const WORDS: Readonly<Record<Verdict, string>> = { valid: 'valid', invalid: 'not valid', unjudged: 'not judged', ignored: 'passed over' };

function objectText({ place, object, verdict, message, fields, warnings }: JudgedObject): string {
  const name = object === undefined ? '' : ` ${nameOf(object)}:`;
  const problems =
    fields.length > 0 ? fields.map(({ field, message: text }) => `${field}: ${text}`) : message === undefined ? [] : [message];
  const lines = [...problems, ...warnings.map((warning) => `warning: ${warning}`)].map((line) => `  ${line.replaceAll('\n', '\n  ')}\n`);
  return `${place}:${name} ${WORDS[verdict]}\n${lines.join('')}`;
}

function nameOf({ kind, namespace, name }: NonNullable<JudgedObject['object']>): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** One sentence about the failures. `undefined` if nothing failed. */
export function failureOf({ objects, summary: { invalid, unjudged } }: ValidationReport): string | undefined {
  const parts = [...(invalid === 0 ? [] : [`${invalid} not valid`]), ...(unjudged === 0 ? [] : [`${unjudged} not judged`])];
  return parts.length === 0 ? undefined : `keelson validate: of ${objects.length}, ${parts.join(' and ')}`;
}
