import { apiVersionOf, type KindInfo } from '@keelson/kubernetes/apimachinery';
import type { MutatingPolicyModel, OperatorModel, PolicyParamsModel, ValidatingPolicyModel, WebhookOperation } from '../model.js';
import type { InstalledObject } from './installed-object.js';

/** A policy and the binding that puts it into force. */
export interface InstalledPolicy {
  readonly policy: InstalledObject;
  readonly binding: InstalledObject;
}

const GROUP = 'admissionregistration.k8s.io';

/** The ValidatingAdmissionPolicies of an operator. */
export function validatingPolicies({ policies }: OperatorModel): readonly InstalledPolicy[] {
  return policies.map((model) => {
    const { name, validationActions, validations } = model;
    const spec = { ...sharedSpec(model), validations };
    return installedPolicy({ name, apiVersion: `${GROUP}/v1`, kind: 'ValidatingAdmissionPolicy' }, spec, {
      policyName: name,
      validationActions,
    });
  });
}

/** The MutatingAdmissionPolicies of an operator, in a version of their group. */
export function mutatingPolicies(
  { mutatingPolicies: policies = [] }: OperatorModel,
  version: 'v1' | 'v1beta1',
): readonly InstalledPolicy[] {
  return policies.map((model) => {
    const { name, params, reinvocationPolicy } = model;
    const spec = {
      ...sharedSpec(model),
      mutations: model.mutations.map(({ patchType, expression }) =>
        patchType === 'JSONPatch' ? { patchType, jsonPatch: { expression } } : { patchType, applyConfiguration: { expression } },
      ),
      ...(params && { paramKind: { apiVersion: apiVersionOf(params.kind), kind: params.kind.kind } }),
      reinvocationPolicy,
    };
    const binding = { ...(params && { paramRef: paramRef(params) }), policyName: name };
    return installedPolicy({ name, apiVersion: `${GROUP}/${version}`, kind: 'MutatingAdmissionPolicy' }, spec, binding);
  });
}

interface PolicyName {
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
}

function installedPolicy({ name, apiVersion, kind }: PolicyName, spec: object, binding: object): InstalledPolicy {
  const metadata = { name };
  return { policy: { apiVersion, kind, metadata, spec }, binding: { apiVersion, kind: `${kind}Binding`, metadata, spec: binding } };
}

function sharedSpec(model: ValidatingPolicyModel | MutatingPolicyModel): object {
  const { namespaceSelector, objectSelector, matchConditions, variables } = model;
  return {
    failurePolicy: model.failurePolicy,
    matchConstraints: {
      matchPolicy: 'Equivalent',
      ...(namespaceSelector && { namespaceSelector }),
      ...(objectSelector && { objectSelector }),
      resourceRules: [resourceRule(model)],
    },
    ...(matchConditions.length === 0 ? {} : { matchConditions }),
    ...(variables.length === 0 ? {} : { variables }),
  };
}

function resourceRule({ kind, operations }: { readonly kind: KindInfo; readonly operations: readonly WebhookOperation[] }): object {
  const { group, version, plural, scope } = kind;
  return { apiGroups: [group], apiVersions: [version], operations, resources: [plural], scope };
}

function paramRef({ name, namespace, selector, parameterNotFoundAction }: PolicyParamsModel): object {
  return { ...(name && { name }), ...(namespace && { namespace }), parameterNotFoundAction, ...(selector && { selector }) };
}
