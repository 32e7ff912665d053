import type { Logger, Operator, OperatorModel, UseModel } from 'keelson/internal/definition';
import { HandleError, type RecordedMetric, usesOnce } from '../reconcile/index.js';

/** The world of a part in a test: a fake for each external that it uses, and values of settings under their names. */
export interface PartObservation {
  /** @defaultValue the time of 2030-01-01T00:00:00Z */
  readonly now?: Date | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly log?: Logger | undefined;
  readonly [name: string]: unknown;
}

export interface RanOnce {
  /** Calls of the metrics of the operator's own, in order. */
  readonly metrics: readonly RecordedMetric[];
}

export interface AnsweredOnce extends RanOnce {
  readonly response: Response;
}

/**
 * Runs a task of an operator once with fakes: no server, no leader, no time limit.
 *
 * @example
 * ```ts
 * const { metrics } = await taskOnce(operator, 'compaction', { etcd: { compact: async () => {} } });
 * ```
 *
 * @throws whatever the task throws; HandleError for a task that is not there, an external without a fake, and a name that the task does not use
 */
export async function taskOnce<TExternals>(
  operator: Operator<TExternals>,
  name: string,
  observation: Partial<NoInfer<TExternals>> & PartObservation = {} as never,
): Promise<RanOnce> {
  const { context, metrics, part } = once('task', operator.tasks, { operator, name, observation });
  await (part.run as (context: object) => unknown)(context);
  return { metrics };
}

/**
 * Asks a check of an operator once with fakes, as {@link taskOnce} runs a task. It returns if all is well.
 *
 * @example
 * ```ts
 * await expect(checkOnce(operator, 'etcd', { etcd: { health: async () => { throw new Error('no quorum'); } } })).rejects.toThrow('no quorum');
 * ```
 *
 * @throws what the check says is wrong; HandleError as {@link taskOnce} does
 */
export async function checkOnce<TExternals>(
  operator: Operator<TExternals>,
  name: string,
  observation: Partial<NoInfer<TExternals>> & PartObservation = {} as never,
): Promise<RanOnce> {
  const { context, metrics, part } = once('check', operator.checks, { operator, name, observation });
  await (part.run as (context: object) => unknown)(context);
  return { metrics };
}

/**
 * Asks an endpoint of an operator once with fakes, as {@link taskOnce} runs a task.
 *
 * @example
 * ```ts
 * const { response } = await endpointOnce(operator, 'backups', new Request('http://localhost/monday'), { vault: { read: async () => 'text' } });
 * expect(response.status).toBe(200);
 * ```
 *
 * @throws whatever the handler throws; HandleError as {@link taskOnce} does
 */
export async function endpointOnce<TExternals>(
  operator: Operator<TExternals>,
  name: string,
  request: Request,
  observation: Partial<NoInfer<TExternals>> & PartObservation = {} as never,
): Promise<AnsweredOnce> {
  const { context, metrics, part } = once('endpoint', operator.endpoints, { operator, name, observation });
  const response = await (part.handle as (request: Request, context: object) => unknown)(request, context);
  if (!(response instanceof Response)) throw new HandleError(`endpoint ${name} must return a Response, got ${typeof response}`);
  return { response, metrics };
}

interface Part {
  readonly name: string;
  readonly uses?: Readonly<Record<string, UseModel>> | undefined;
}

interface Asked {
  readonly operator: OperatorModel;
  readonly name: string;
  readonly observation: PartObservation;
}

const OWN_NAMES: readonly string[] = ['now', 'signal', 'log'];
const SILENT: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

function once<T extends Part>(
  sort: 'task' | 'check' | 'endpoint',
  parts: readonly T[] = [],
  { operator, name, observation }: Asked,
): { readonly context: object; readonly metrics: readonly RecordedMetric[]; readonly part: T } {
  const part = parts.find((each) => each.name === name);
  if (part === undefined)
    throw new HandleError(
      `operator ${operator.name} has no ${sort} '${name}'; it has ${parts.map((each) => each.name).join(', ') || 'none'}`,
    );
  const { uses = {} } = part;
  const unknown = Object.keys(observation).find((given) => !Object.hasOwn(uses, given) && !OWN_NAMES.includes(given));
  if (unknown !== undefined)
    throw new HandleError(`${sort} ${name} does not use '${unknown}'; it uses ${Object.keys(uses).join(', ') || 'nothing'}`);
  const { now = new Date('2030-01-01T00:00:00Z'), signal = new AbortController().signal, log = SILENT } = observation;
  const metrics: RecordedMetric[] = [];
  const used = usesOnce(uses, observation, {
    who: `${sort} ${name}`,
    how: (external) => `${sort}Once(operator, '${name}', ${sort === 'endpoint' ? 'request, ' : ''}{ ${external}: fake })`,
    recordMetric: (called) => void metrics.push(called),
  });
  return { context: { ...used, signal, log, now: () => now }, metrics, part };
}
