import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { OperatorModel } from '../../definition/index.js';
import { mutatingPolicies } from '../../definition/index.js';
import { installPolicy } from './install-policy.js';

export interface MutatingPoliciesProps {
  /** The operator whose `mutatingPolicy` declarations are written. */
  readonly operator: OperatorModel;
  /**
   * Labels for every object.
   * @default - none beside the chart's
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /**
   * Version of `admissionregistration.k8s.io` of the objects: `v1` from Kubernetes 1.36 on.
   * @default 'v1beta1', which Kubernetes 1.34 and 1.35 serve where their flags ask for it
   */
  readonly version?: 'v1' | 'v1beta1' | undefined;
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

  constructor(scope: Construct, id: string, { operator, labels = {}, version = 'v1beta1' }: MutatingPoliciesProps) {
    super(scope, id);
    this.policies = new Map(mutatingPolicies(operator, version).map((policy) => installPolicy(this, policy, labels)));
  }
}
