import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { OperatorModel } from '../../definition/index.js';
import { validatingPolicies } from '../../definition/index.js';
import { installPolicy } from './install-policy.js';

export interface ValidatingPoliciesProps {
  /** The operator whose `validatingPolicy` declarations are written. */
  readonly operator: OperatorModel;
  /**
   * Labels for every object.
   * @default - none beside the chart's
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/**
 * A ValidatingAdmissionPolicy and its binding for each policy of the operator: CEL that the API server runs itself, with no process behind it.
 *
 * @example
 * ```ts
 * new ValidatingPolicies(chart, 'policies', { operator });
 * ```
 */
export class ValidatingPolicies extends Construct {
  /** The policies by name. */
  readonly policies: ReadonlyMap<string, ApiObject>;

  constructor(scope: Construct, id: string, props: ValidatingPoliciesProps) {
    super(scope, id);
    this.policies = new Map(validatingPolicies(props.operator).map((policy) => installPolicy(this, policy, props.labels ?? {})));
  }
}
