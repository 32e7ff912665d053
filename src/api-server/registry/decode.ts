import { goQuote, groupVersionOf } from '@keelson/kubernetes/apimachinery';
import type { Draft, RequestBody, RequestContext } from '../contract/index.js';
import { badRequest } from '../status/index.js';
import { type Subject, typeOf } from './subject.js';

/**
 * The object of a create or update, in normal form and with defaults.
 *
 * Fields given twice are reported before those that are unknown; a real server reports both in the order of the text.
 * @throws StatusError 400 for a body that is not such an object, or that strict validation refuses.
 */
export function decodeBody(subject: Subject, body: RequestBody, context: RequestContext): Draft {
  subject.checkType(body.value);
  const { draft, strictProblems, skipsUnknown = false } = subject.decode(body.value);
  const told = skipsUnknown ? withoutHidden(body.strictProblems, strictProblems) : body.strictProblems;
  const problems = [...told, ...strictProblems];
  if (problems.length > 0 && context.fieldValidation === 'Strict') throw strictRefusal(subject, body, problems);
  if (context.fieldValidation === 'Warn') warnOf(problems, context);
  subject.setDefaults(draft);
  return draft;
}

const DUPLICATE = 'duplicate field ';
const UNKNOWN = 'unknown field ';

/** Without the fields given twice that are unknown, or lie in what is. */
function withoutHidden(problems: readonly string[], unknown: readonly string[]): readonly string[] {
  const places = unknown.filter((text) => text.startsWith(UNKNOWN)).map((text) => text.slice(UNKNOWN.length, -1));
  return problems.filter((problem) => {
    if (!problem.startsWith(DUPLICATE)) return true;
    const place = problem.slice(DUPLICATE.length, -1);
    return !places.some((known) => place === known || place.startsWith(`${known}.`) || place.startsWith(`${known}[`));
  });
}

function strictRefusal(subject: Subject, { value }: RequestBody, problems: readonly string[]): Error {
  const { kind, apiVersion } = typeOf(value, subject);
  const { version } = groupVersionOf(apiVersion);
  return badRequest(`${kind} in version ${goQuote(version)} cannot be handled as a ${subject.kind}: ${strictDecodingError(problems)}`);
}

export function strictDecodingError(problems: readonly string[]): string {
  return `strict decoding error: ${problems.join(', ')}`;
}

/** Go's parser of YAML lists all duplicate keys in one text. */
const YAML_PREFIXES = ['yaml: unmarshal errors:\n', 'error converting YAML to JSON: yaml: unmarshal errors:\n'];

/** One warning for each problem. */
export function warnOf(problems: readonly string[], { warn }: Pick<RequestContext, 'warn'>): void {
  for (const problem of problems) {
    const prefix = YAML_PREFIXES.find((candidate) => problem.startsWith(candidate));
    if (prefix === undefined) warn(problem);
    else for (const line of problem.slice(prefix.length).split('\n')) warn(line.trim());
  }
}
