import type { InProcessCluster, KubeApiServerCluster } from '@keelson/testing';

/** A cluster whose Pods live, of whatever kind, and what a suite does to it that no API does. */
export interface World {
  readonly cluster: InProcessCluster | KubeApiServerCluster;
  readonly setReady: (pod: string, isReady: boolean) => void | Promise<void>;
  /** The container of a Pod dies as by `kill -9`, and is started again. */
  readonly crash: (pod: string) => Promise<void>;
  /** Whether the server asks, before a child is made that blocks the deletion of its owner, for the right to do so. */
  readonly hasOwnerPlugin: boolean;
  /** Lets the operator use rights that it needs where a server is older. */
  readonly age?: () => void;
  readonly close: () => Promise<void>;
}
