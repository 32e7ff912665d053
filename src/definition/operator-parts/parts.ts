import type { Duration } from '../../kubernetes/index.js';
import type { Logger } from '../controller/index.js';

/** The context of functions of the operator beside its controllers. */
export interface PartContext {
  /** Aborted when the answer is not wanted any more: on shutdown, on lost leadership, when the time is over. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** The time; tests move it by hand. */
  readonly now: () => Date;
}

/** Returns if all is well, and throws what is wrong. After 3 s without an answer it has failed. */
export type Check = (context: PartContext) => void | Promise<void>;

export interface CheckOptions {
  /**
   * Where it counts: `/readyz` takes the pod out of its Services, webhooks included; `/healthz` has the kubelet restart it.
   * @defaultValue `readiness`, since a restart mends nothing outside of the process
   */
  readonly on?: 'readiness' | 'liveness' | 'both' | undefined;
  readonly run: Check;
}

export interface EndpointOptions {
  /** The port of the pod and of the Service `<name of the operator>-<name of the endpoint>`. */
  readonly port: number;
  /**
   * Answers a request, on every replica. Every client that reaches the port is let in: authenticate callers here, or use `endpointsFrom` of the NetworkPolicy.
   *
   * Its signal is aborted when the client has gone.
   */
  readonly handle: (request: Request, context: PartContext) => Response | Promise<Response>;
}

export interface TaskOptions {
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
  readonly run: (context: PartContext) => void | Promise<void>;
}

/** The parts of an operator beside its controllers and webhooks. */
export interface OperatorParts {
  /** Conditions of `/readyz` and `/healthz`, by name. */
  readonly checks?: Readonly<Record<string, Check | CheckOptions>>;
  /** Servers of your own, by name: a container port, a Service and a rule of the NetworkPolicy follow. */
  readonly endpoints?: Readonly<Record<string, EndpointOptions>>;
  /** Work beside the reconcilers, by name. */
  readonly tasks?: Readonly<Record<string, TaskOptions>>;
}
