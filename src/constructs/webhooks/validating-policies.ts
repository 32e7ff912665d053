import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { OperatorModel, ValidatingPolicyModel } from '../../definition/index.js';
import { ManifestObject } from '../object/index.js';

export interface ValidatingPoliciesProps {
  /** The operator whose `validatingPolicy` declarations are written. */
  readonly operator: OperatorModel;
  /**
   * Labels for every object.
   * @default - none beside the chart's
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

const API_VERSION = 'admissionregistration.k8s.io/v1';

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
    const policies = new Map<string, ApiObject>();
    for (const policy of props.operator.policies) policies.set(policy.name, this.#policy(policy, props.labels ?? {}));
    this.policies = policies;
  }

  #policy(policy: ValidatingPolicyModel, labels: Readonly<Record<string, string>>): ApiObject {
    const metadata = { name: policy.name, labels };
    const object = new ManifestObject(this, policy.name, {
      apiVersion: API_VERSION,
      kind: 'ValidatingAdmissionPolicy',
      scope: 'Cluster',
      metadata,
      body: { spec: policySpec(policy) },
    });
    new ManifestObject(this, `${policy.name}-binding`, {
      apiVersion: API_VERSION,
      kind: 'ValidatingAdmissionPolicyBinding',
      scope: 'Cluster',
      metadata,
      body: { spec: { policyName: policy.name, validationActions: policy.validationActions } },
    });
    return object;
  }
}

function policySpec(policy: ValidatingPolicyModel): object {
  const { kind } = policy;
  return {
    failurePolicy: policy.failurePolicy,
    matchConstraints: {
      matchPolicy: 'Equivalent',
      namespaceSelector: policy.namespaceSelector,
      objectSelector: policy.objectSelector,
      resourceRules: [
        {
          apiGroups: [kind.group],
          apiVersions: [kind.version],
          operations: policy.operations,
          resources: [kind.plural],
          scope: kind.scope,
        },
      ],
    },
    matchConditions: policy.matchConditions.length === 0 ? undefined : policy.matchConditions,
    validations: policy.validations,
    variables: policy.variables.length === 0 ? undefined : policy.variables,
  };
}
