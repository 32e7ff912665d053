import { apiVersionOf } from '../../kubernetes/index.js';
import type { MutatingPolicyModel, PolicyParamsModel } from '../model.js';

/** The specs of the objects that a mutating policy is installed as. */
export interface MutatingPolicyManifests {
  /** The spec of the MutatingAdmissionPolicy. */
  readonly policy: object;
  /** The spec of the MutatingAdmissionPolicyBinding. */
  readonly binding: object;
}

/** The manifests and a TestCluster install these for a mutating policy. */
export function mutatingPolicyManifests(model: MutatingPolicyModel): MutatingPolicyManifests {
  const { name, kind, operations, params, variables, matchConditions, namespaceSelector, objectSelector } = model;
  const { group, version, plural, scope } = kind;
  const rule = { apiGroups: [group], apiVersions: [version], operations, resources: [plural], scope };
  return {
    policy: {
      failurePolicy: model.failurePolicy,
      matchConstraints: {
        matchPolicy: 'Equivalent',
        ...(namespaceSelector && { namespaceSelector }),
        ...(objectSelector && { objectSelector }),
        resourceRules: [rule],
      },
      ...(matchConditions.length === 0 ? {} : { matchConditions }),
      mutations: model.mutations.map(({ patchType, expression }) =>
        patchType === 'JSONPatch' ? { patchType, jsonPatch: { expression } } : { patchType, applyConfiguration: { expression } },
      ),
      ...(params && { paramKind: { apiVersion: apiVersionOf(params.kind), kind: params.kind.kind } }),
      reinvocationPolicy: model.reinvocationPolicy,
      ...(variables.length === 0 ? {} : { variables }),
    },
    binding: { ...(params && { paramRef: paramRef(params) }), policyName: name },
  };
}

function paramRef({ name, namespace, selector, parameterNotFoundAction }: PolicyParamsModel): object {
  return { ...(name && { name }), ...(namespace && { namespace }), parameterNotFoundAction, ...(selector && { selector }) };
}
