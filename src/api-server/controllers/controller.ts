import type { Clock } from '../clock/index.js';
import type { Api, ClusterView, ResourceCatalog } from '../contract/index.js';
import type { Store } from '../store/index.js';

/** Something that a controller could not do and tries again. */
export interface ControllerProblem {
  readonly controller: string;
  /** The subject of its work, for example `default/a`. */
  readonly key: string;
  readonly error: Error;
}

/** The surroundings of controllers. They write through {@link Api}, as a client would, but without its network. */
export interface ControllerSurroundings {
  readonly api: Api;
  readonly cluster: ClusterView;
  readonly catalog: ResourceCatalog;
  readonly store: Store;
  readonly clock: Clock;
  readonly report: (problem: ControllerProblem) => void;
}

/** A part of kube-controller-manager. */
export interface Controller {
  readonly name: string;
  /** Nothing is queued or in the works. Keys that wait for the clock do not count. */
  readonly isIdle: boolean;
  start(): void;
  /** Ends at once what has not begun; resolves when the rest is done. */
  stop(): Promise<void>;
}
