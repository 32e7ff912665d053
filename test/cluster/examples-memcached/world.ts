import type { InProcessCluster, KubeApiServerCluster } from 'keelson/testing';

/** A cluster whose Pods live, of whatever kind, and what a suite does to it that no API does. */
export interface World {
  readonly cluster: InProcessCluster | KubeApiServerCluster;
  readonly setReady: (pod: string, isReady: boolean) => void | Promise<void>;
  /** The container of a Pod dies as by `kill -9`, and is started again. */
  readonly crash: (pod: string) => Promise<void>;
  /** Brings about what lets the operator use rights that it needs when something goes wrong. */
  readonly provoke?: () => Promise<void>;
  /** Rights that the suite does not use here, and why. */
  readonly unused: readonly string[];
  readonly close: () => Promise<void>;
}
