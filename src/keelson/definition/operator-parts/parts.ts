import type { Duration } from '@keelson/kubernetes/apimachinery';
import type { ExternalsIn, Given, Logger, Nothing } from '../controller/index.js';
import type { UseModel } from '../model.js';

/** The members that every part's context has. */
export interface PartBase {
  /** Aborted when the answer is not wanted any more: on shutdown, on lost leadership, when the time is over. Calls of externals are refused from then on. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** The time; tests move it by hand. */
  readonly now: () => Date;
}

/**
 * The context of functions of the operator beside its controllers: what each of them has, and what `uses` of its part declares.
 *
 * @example
 * ```ts
 * const uses = { etcd: external<EtcdApi>() };
 * const listMembers = async ({ etcd, signal, log }: PartContext<typeof uses>) => log.info('members', { names: await etcd.members('a', signal) });
 * const operator = defineOperator({
 *   name: 'memcached-operator',
 *   controllers: [memcachedController],
 *   tasks: { census: { uses, every: '1h', run: listMembers } },
 * });
 * ```
 */
export type PartContext<TUses = Nothing> = Given<TUses> & PartBase;

/** Says in the compiler's message what is wrong with a name, or with what stands below it. */
type UseNames<TUses> = {
  readonly [N in keyof TUses]: N extends keyof PartBase
    ? `'${N & string}' is a reserved name`
    : TUses[N] extends UseModel
      ? unknown
      : 'make it with external<T>(), settings(), gauge(), counter() or histogram()';
};

interface UsingOptions<TUses> {
  /**
   * The part's externals, settings and metrics, by the names that its context has for them.
   * @defaultValue nothing
   */
  readonly uses?: (TUses & UseNames<TUses>) | undefined;
}

/** Returns if all is well, and throws what is wrong. After 3 s without an answer it has failed. */
// Contravariant by annotation: the compiler does not see through `Given`, and would take a check that uses something for one that uses nothing.
export type Check<in TUses = Nothing> = (context: PartContext<TUses>) => void | Promise<void>;

export interface CheckOptions<TUses = Nothing> extends UsingOptions<TUses> {
  /**
   * Where it counts: `/readyz` takes the pod out of its Services, webhooks included; `/healthz` has the kubelet restart it.
   * @defaultValue `readiness`, since a restart mends nothing outside of the process
   */
  readonly on?: 'readiness' | 'liveness' | 'both' | undefined;
  readonly run: Check<NoInfer<TUses>>;
}

export interface EndpointOptions<TUses = Nothing> extends UsingOptions<TUses> {
  /** The port of the pod and of the Service `<name of the operator>-<name of the endpoint>`. */
  readonly port: number;
  /**
   * Answers a request, on every replica. Every client that reaches the port is let in: authenticate callers here, or use `endpointsFrom` of the NetworkPolicy.
   *
   * Its signal is aborted when the client has gone.
   */
  readonly handle: (request: Request, context: PartContext<NoInfer<TUses>>) => Response | Promise<Response>;
}

export interface TaskOptions<TUses = Nothing> extends UsingOptions<TUses> {
  /**
   * Pause between the end of a run and the next one, ±10 %.
   * @defaultValue none: it runs once in a term of leadership, or once in a process; after an error again, with growing pauses
   */
  readonly every?: Duration | undefined;
  /**
   * `leader`: one replica, for what must not be done twice; `all`: each replica, leader or not.
   * @defaultValue `leader`
   */
  readonly on?: 'leader' | 'all' | undefined;
  /**
   * How long a run may take.
   * @defaultValue `5m` with `every`; without, a run lasts as long as it likes
   */
  readonly timeLimit?: Duration | undefined;
  readonly run: (context: PartContext<NoInfer<TUses>>) => void | Promise<void>;
}

/** The parts of an operator beside its controllers and webhooks. Each parameter holds what `uses` of the parts declares, by name of the part. */
export interface OperatorParts<TChecks = Nothing, TEndpoints = Nothing, TTasks = Nothing> {
  /** Conditions of `/readyz` and `/healthz`, by name. */
  readonly checks?: { readonly [N in keyof TChecks]: Check | CheckOptions<TChecks[N]> };
  /** Servers of your own, by name: a container port, a Service and a rule of the NetworkPolicy follow. */
  readonly endpoints?: { readonly [N in keyof TEndpoints]: EndpointOptions<TEndpoints[N]> };
  /** Work beside the reconcilers, by name. */
  readonly tasks?: { readonly [N in keyof TTasks]: TaskOptions<TTasks[N]> };
}

/** Needs of the parts, as those of controllers: contravariant, so that none is lost where several come together. */
export type NeedsOfParts<TParts> = {
  readonly [N in keyof TParts]: { readonly '~externals'?: ((externals: ExternalsIn<TParts[N]>) => void) | undefined };
}[keyof TParts];

/** Parts of any sort, as the functions take them that look at all alike. */
export type AnyParts = OperatorParts<
  Readonly<Record<string, unknown>>,
  Readonly<Record<string, unknown>>,
  Readonly<Record<string, unknown>>
>;

/** Names that the context itself uses. */
export type ReservedPartName = keyof PartBase;
