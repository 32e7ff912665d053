import { Chart, type ChartProps } from 'cdk8s';
import type { Construct } from 'constructs';
import { Operator } from 'keelson/constructs';
import { operator as memcachedOperator } from '../memcached/memcached-operator.js';

export interface CanaryChartProps extends ChartProps {
  readonly namespace: string;
  readonly image: string;
  /** The image that is tried on the caches with the label `track=canary`. */
  readonly canaryImage: string;
}

/** Two instances of one operator in a cluster: the next release works on the caches that are labelled for it, the present one on all others. */
export class CanaryChart extends Chart {
  readonly stable: Operator;
  readonly canary: Operator;

  constructor(scope: Construct, id: string, props: CanaryChartProps) {
    super(scope, id, props);
    // #region instances
    this.stable = new Operator(this, 'stable', { operator: memcachedOperator, image: props.image, selector: 'track!=canary' });
    this.canary = new Operator(this, 'canary', {
      operator: memcachedOperator,
      image: props.canaryImage,
      name: 'memcached-canary',
      selector: 'track=canary',
      // Kinds and the roles of their users are of the cluster, and come with the other instance.
      crds: false,
      aggregateRoles: false,
    });
    // #endregion
  }
}
