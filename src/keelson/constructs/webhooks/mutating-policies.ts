import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { OperatorModel } from '../../definition/index.js';
import { mutatingPolicies } from '../../definition/index.js';
import { ConstructError } from '../object/index.js';
import { installPolicy } from './install-policy.js';

/** A minor of Kubernetes that keelson supports. */
export type KubernetesMinor = '1.34' | '1.35' | '1.36' | '1.37';

/** The version of mutating policies that each minor serves. */
const VERSIONS: Readonly<Record<KubernetesMinor, 'v1' | 'v1beta1'>> = { '1.34': 'v1beta1', '1.35': 'v1beta1', '1.36': 'v1', '1.37': 'v1' };

export interface MutatingPoliciesProps {
  /** The operator whose `mutatingPolicy` declarations are written. */
  readonly operator: OperatorModel;
  /**
   * Labels for every object.
   * @default - none beside the chart's
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /**
   * The oldest minor of Kubernetes that the manifests are for. With '1.34' and '1.35' mutating policies are written in `v1beta1`, which these serve if their
   * flags ask for it; with '1.36' and '1.37' in `v1`. All other manifests fit the four.
   * @default '1.36'
   */
  readonly kubernetes?: KubernetesMinor | undefined;
}

/**
 * A MutatingAdmissionPolicy and its binding for each mutating policy of the operator: CEL that the API server runs itself, with no process behind it.
 *
 * @example
 * ```ts
 * new MutatingPolicies(chart, 'mutating-policies', { operator });
 * ```
 */
export class MutatingPolicies extends Construct {
  /** The policies by name. */
  readonly policies: ReadonlyMap<string, ApiObject>;

  constructor(scope: Construct, id: string, { operator, labels = {}, kubernetes = '1.36' }: MutatingPoliciesProps) {
    super(scope, id);
    if (!Object.hasOwn(VERSIONS, kubernetes))
      throw new ConstructError(this, `kubernetes is '${String(kubernetes)}'; write one of ${Object.keys(VERSIONS).join(', ')}, as text`);
    this.policies = new Map(mutatingPolicies(operator, VERSIONS[kubernetes]).map((policy) => installPolicy(this, policy, labels)));
  }
}
