import type { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { type InstallationPart, installationOfPart, partMetadata } from '../installation/index.js';
import { ConstructError, ManifestObject } from '../object/index.js';

export interface OperatorPodDisruptionBudgetProps extends InstallationPart {
  /**
   * How many pods a drain may take at once: a number or a percentage.
   * @default 1 - a budget that allows none would block every drain of a single replica
   */
  readonly maxUnavailable?: number | `${number}%` | undefined;
  /**
   * More labels and annotations.
   * @default - name, namespace and labels of the installation
   */
  readonly metadata?: ApiObjectMetadata | undefined;
}

/**
 * Keeps a drain from taking all replicas at once.
 *
 * @example
 * ```ts
 * new OperatorPodDisruptionBudget(chart, 'budget', { installation, maxUnavailable: 1 });
 * ```
 */
export class OperatorPodDisruptionBudget extends Construct {
  constructor(scope: Construct, id: string, props: OperatorPodDisruptionBudgetProps) {
    super(scope, id);
    const installation = installationOfPart(this, props);
    const { maxUnavailable = 1 } = props;
    const share = typeof maxUnavailable === 'string' ? Number(/^(\d+)%$/.exec(maxUnavailable)?.[1] ?? Number.NaN) : 100;
    if (!(share <= 100) || (typeof maxUnavailable === 'number' && (!Number.isInteger(maxUnavailable) || maxUnavailable < 0))) {
      throw new ConstructError(this, `maxUnavailable is ${maxUnavailable}; write a whole number, or a share such as 50%`);
    }
    if (maxUnavailable === 0 || maxUnavailable === '0%') {
      throw new ConstructError(this, 'maxUnavailable 0 would block every node drain; write 1, or leave the budget out');
    }
    new ManifestObject(this, 'Resource', {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      scope: 'Namespaced',
      metadata: partMetadata(this, installation, { name: installation.name, given: props.metadata }),
      body: { spec: { maxUnavailable, selector: { matchLabels: installation.selector } } },
    });
  }
}
