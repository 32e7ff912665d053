import { goQuote } from '../../kubernetes/index.js';
import type { Draft, RequestBody, RequestContext } from '../resources/index.js';
import { badRequest } from '../status/index.js';
import { partsOf, type Subject, typeOf } from './subject.js';

/**
 * The object of a create or update, in normal form and with defaults.
 *
 * @throws StatusError 400 for a body that is no such object, or that strict validation refuses.
 */
export function decodeBody(subject: Subject, body: RequestBody, context: RequestContext): Draft {
  subject.checkType(body.value);
  const { draft, strictProblems } = subject.decode(body.value);
  const problems = [...body.strictProblems, ...strictProblems];
  if (problems.length > 0 && context.fieldValidation === 'Strict') throw strictRefusal(subject, body, problems);
  if (context.fieldValidation === 'Warn') warnOf(problems, context);
  subject.setDefaults(draft);
  return draft;
}

function strictRefusal(subject: Subject, { value }: RequestBody, problems: readonly string[]): Error {
  const { kind, apiVersion } = typeOf(value, subject);
  const { version } = partsOf(apiVersion);
  return badRequest(`${kind} in version ${goQuote(version)} cannot be handled as a ${subject.kind}: ${strictDecodingError(problems)}`);
}

export function strictDecodingError(problems: readonly string[]): string {
  return `strict decoding error: ${problems.join(', ')}`;
}

/** Go's parser of YAML tells of all duplicate keys in one text. */
const YAML_PREFIXES = ['yaml: unmarshal errors:\n', 'error converting YAML to JSON: yaml: unmarshal errors:\n'];

/** One warning for each problem. */
export function warnOf(problems: readonly string[], { warn }: Pick<RequestContext, 'warn'>): void {
  for (const problem of problems) {
    const prefix = YAML_PREFIXES.find((candidate) => problem.startsWith(candidate));
    if (prefix === undefined) warn(problem);
    else for (const line of problem.slice(prefix.length).split('\n')) warn(line.trim());
  }
}
