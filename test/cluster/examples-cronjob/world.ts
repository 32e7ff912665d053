import type { InProcessCluster, KubeApiServerCluster } from '@keelson/testing';

/** A cluster whose Jobs make Pods that end. */
export interface World {
  readonly cluster: InProcessCluster | KubeApiServerCluster;
  /** Pods of this image run until it is released. */
  readonly hold: (image: string) => { readonly release: () => void };
  /** The Pod of a Job fails. Its image is `bad:1`: a played kubelet needs no more. */
  readonly fail: (job: string) => Promise<void>;
  /** Lets the operator use rights that it needs where a server is older. */
  readonly age?: () => void;
  readonly close: () => Promise<void>;
}
