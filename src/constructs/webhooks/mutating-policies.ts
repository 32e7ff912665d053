import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { type MutatingPolicyModel, mutatingPolicyManifests, type OperatorModel } from '../../definition/index.js';
import { ManifestObject } from '../object/index.js';

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
    this.policies = new Map((operator.mutatingPolicies ?? []).map((policy) => [policy.name, this.#policy(policy, labels, version)]));
  }

  #policy(policy: MutatingPolicyModel, labels: Readonly<Record<string, string>>, version: string): ApiObject {
    const apiVersion = `admissionregistration.k8s.io/${version}`;
    const metadata = { name: policy.name, labels };
    const { policy: spec, binding } = mutatingPolicyManifests(policy);
    const scope = 'Cluster' as const;
    const object = new ManifestObject(this, policy.name, { apiVersion, kind: 'MutatingAdmissionPolicy', scope, metadata, body: { spec } });
    new ManifestObject(this, `${policy.name}-binding`, {
      apiVersion,
      kind: 'MutatingAdmissionPolicyBinding',
      scope,
      metadata,
      body: { spec: binding },
    });
    return object;
  }
}
