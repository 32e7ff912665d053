import { DNS_1123_LABEL, millisecondsOf, obeys } from '@keelson/kubernetes/apimachinery';
import { usesProblems } from '../controller/index.js';
import type { Problem } from '../errors.js';
import type { CheckModel, EndpointModel, TaskModel, UseModel } from '../model.js';
import { anything, callback, choice, count, either, mapOf, record, required, type Shape, shown } from '../option-shape.js';
import type { AnyParts, ReservedPartName } from './parts.js';

const run = required(callback('the context'), 'write a function that takes the context');
const uses = mapOf(anything);

/** Forms of the options of {@link OperatorParts}. */
export const PART_SHAPES: Readonly<Record<keyof AnyParts, Shape>> = {
  checks: mapOf(
    either(
      callback('the context'),
      record({ uses, on: choice('readiness', 'liveness', 'both'), run }, 'not an option of a check'),
      "a function, or { on: 'readiness', run }",
    ),
  ),
  endpoints: mapOf(
    record(
      {
        uses,
        port: required(count, 'choose a port of the pod'),
        handle: required(callback('the request'), 'write a function that answers'),
      },
      'not an option of an endpoint',
    ),
  ),
  tasks: mapOf(record({ uses, every: anything, on: choice('leader', 'all'), timeLimit: anything, run }, 'not an option of a task')),
};

/** Names in `/readyz` that the runtime itself uses. */
const OWN_CHECKS: readonly string[] = ['webhooks', 'caches-synced', 'runs-return', 'not-stopping', 'event-loop'];
/** Names of container ports and suffixes of Services that the installation itself uses. */
const OWN_PORTS: readonly string[] = ['metrics', 'health', 'webhook'];
/** Limit of a container port's name; the API server refuses a longer one. */
const LONGEST_PORT_NAME = 15;
const SHORTEST_TASK_MS = 1_000;
const TASK_LIMIT_MS = 300_000;

interface Parts {
  readonly checks: readonly CheckModel[];
  readonly endpoints: readonly EndpointModel[];
  readonly tasks: readonly TaskModel[];
}

/** Names that the context itself uses. */
const RESERVED_NAMES: readonly string[] = ['signal', 'log', 'now'] satisfies ReservedPartName[];

/** The parts with every default filled in. */
export function partsOf({ checks = {}, endpoints = {}, tasks = {} }: AnyParts): Parts {
  return {
    checks: Object.entries(checks).map(([name, check]) => {
      if (typeof check === 'function') return Object.freeze({ name, readiness: true, liveness: false, run: check });
      const { on = 'readiness', run: asked } = check;
      return Object.freeze({ name, ...used(check), readiness: on !== 'liveness', liveness: on !== 'readiness', run: asked });
    }),
    endpoints: Object.entries(endpoints).map(([name, { port, handle, ...rest }]) => Object.freeze({ name, ...used(rest), port, handle })),
    tasks: Object.entries(tasks).map(([name, { every, on = 'leader', timeLimit, run: work, ...rest }]) => {
      const everyMs = every === undefined ? undefined : millisecondsOf(every);
      const limitMs = timeLimit === undefined ? undefined : millisecondsOf(timeLimit);
      const timeLimitMs = limitMs ?? (everyMs === undefined ? undefined : TASK_LIMIT_MS);
      return Object.freeze({ name, ...used(rest), everyMs, on, timeLimitMs, run: work });
    }),
  };
}

function used({ uses: declared }: { readonly uses?: unknown }): { readonly uses?: Readonly<Record<string, UseModel>> } {
  return declared === undefined ? {} : { uses: Object.freeze({ ...(declared as Readonly<Record<string, UseModel>>) }) };
}

export function partProblems(parts: AnyParts): Problem[] {
  const { checks = {}, endpoints = {}, tasks = {} } = parts;
  return [
    ...Object.keys(checks).flatMap((name) => nameProblems(`checks.${name}`, name, OWN_CHECKS)),
    ...endpointProblems(endpoints),
    ...Object.entries(tasks).flatMap(([name, { every, timeLimit }]) => [
      ...nameProblems(`tasks.${name}`, name, []),
      ...spanProblems(`tasks.${name}.every`, every),
      ...spanProblems(`tasks.${name}.timeLimit`, timeLimit),
    ]),
    ...Object.entries({ checks, endpoints, tasks }).flatMap(([sort, named]) =>
      Object.entries(named).flatMap(([name, part]) => {
        const declared = typeof part === 'function' ? undefined : (part as { readonly uses?: Readonly<Record<string, unknown>> }).uses;
        return usesProblems(declared ?? {}, `${sort}.${name}.uses`, RESERVED_NAMES);
      }),
    ),
  ];
}

function nameProblems(path: string, name: string, taken: readonly string[]): Problem[] {
  if (!obeys(DNS_1123_LABEL, name)) return [{ path, message: `${shown(name)} must be ${DNS_1123_LABEL.says}` }];
  return taken.includes(name) ? [{ path, message: `'${name}' is a name of the runtime's own; choose another` }] : [];
}

function endpointProblems(endpoints: NonNullable<AnyParts['endpoints']>): Problem[] {
  const entries = Object.entries(endpoints);
  return entries.flatMap(([name, { port }], index) => {
    const path = `endpoints.${name}`;
    const problems = nameProblems(path, name, OWN_PORTS);
    if (name.length > LONGEST_PORT_NAME || !/[a-z]/.test(name) || name.includes('--'))
      problems.push({
        path,
        message: `'${name}' names a container port: at most ${LONGEST_PORT_NAME} characters with a letter among them, and no '--'`,
      });
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      problems.push({ path: `${path}.port`, message: `is ${shown(port)}; write a whole number from 1 to 65535` });
    const [earlier] = entries.slice(0, index).find(([, other]) => other.port === port) ?? [];
    if (earlier !== undefined)
      problems.push({ path: `${path}.port`, message: `${port} is the port of endpoints.${earlier} too; choose another` });
    return problems;
  });
}

function spanProblems(path: string, span: unknown): Problem[] {
  if (span === undefined) return [];
  const ms = typeof span === 'string' ? millisecondsOf(span) : undefined;
  if (ms !== undefined && ms >= SHORTEST_TASK_MS) return [];
  return [{ path, message: `is ${shown(span)}; write a time of at least 1s, such as '30s' or '1h'` }];
}
