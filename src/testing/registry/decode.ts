import type { Json, JsonObject as KubernetesObject } from '../../kubernetes/index.js';
import { type Draft, isObject, type RequestBody, type RequestContext, type Served } from '../resources/index.js';
import { badRequest } from '../status/index.js';
import { apiVersionAt } from './views.js';

/**
 * The object of a create or update, in normal form and with defaults.
 *
 * @throws StatusError 400 for a body that is no such object, or that strict validation refuses.
 */
export function decodeBody(served: Served, body: RequestBody, context: RequestContext): Draft {
  const { strategy } = served.version;
  const { draft, strictProblems } = strategy.decode(body.value);
  if (context.fieldValidation !== 'Ignore') checkStrictly(served, [...body.strictProblems, ...strictProblems], { body, context });
  checkVersion(served, body.value);
  strategy.setDefaults(draft);
  return draft;
}

function checkStrictly(
  { resource, version }: Served,
  problems: readonly string[],
  { body, context }: { body: RequestBody; context: RequestContext },
): void {
  if (problems.length === 0) return;
  if (context.fieldValidation === 'Warn') {
    warnOf(problems, context);
    return;
  }
  const kind = textField(body.value, 'kind') || resource.kind;
  const apiVersion = textField(body.value, 'apiVersion') || apiVersionAt(resource, version.version);
  const given = apiVersion.slice(apiVersion.lastIndexOf('/') + 1);
  const cause = strictDecodingError(problems);
  throw badRequest(`${kind} in version ${JSON.stringify(given)} cannot be handled as a ${resource.kind}: ${cause}`);
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

function checkVersion({ resource, version }: Served, body: Json): void {
  const expected = apiVersionAt(resource, version.version);
  const given = textField(body, 'apiVersion') || expected;
  if (given === expected) return;
  throw badRequest(`the API version in the data (${given}) does not match the expected API version (${expected})`);
}

function textField(body: Json, field: string): string {
  const value = isObject(body) ? (body as KubernetesObject)[field] : undefined;
  return typeof value === 'string' ? value : '';
}
