import type { Libraries } from '../types/index.js';
import { BOOL, type CelType, DYN, INT, listOf, mapOf, opaque, STRING, TIMESTAMP } from '../types/index.js';

/**
 * Where an admission expression stands.
 *
 * `validation` is also that of audit annotations and composed variables; `messageExpression` does not see the authorizer, `matchCondition` no composed variables.
 */
export type AdmissionPlace = 'validation' | 'messageExpression' | 'matchCondition';

export interface AdmissionEnvironmentOptions {
  /** @defaultValue `validation` */
  readonly place?: AdmissionPlace;
  /** Type of `object` and `oldObject`. @defaultValue dyn, as the API server has it: policies and webhooks meet many kinds */
  readonly objectType?: CelType;
  /** Whether `params` exists: the policy has a `paramKind`. Webhooks have none. @defaultValue false */
  readonly params?: CelType | boolean;
  /** Types of the composed variables (`variables.x`) of a policy. Without any, `variables` does not exist. */
  readonly variables?: Readonly<Record<string, CelType>>;
}

const object = (name: string, fields: Readonly<Record<string, CelType>>): CelType => ({
  kind: 'object',
  name,
  fields: new Map(Object.entries(fields)),
});

const groupVersion = (last: 'Kind' | 'Resource'): CelType => {
  const name = `kubernetes.GroupVersion${last}`;
  return object(name, { group: STRING, version: STRING, [last.toLowerCase()]: STRING });
};

/** `request`: what an AdmissionReview says of the request, without `uid` and the objects. */
const REQUEST: CelType = object('kubernetes.AdmissionRequest', {
  kind: groupVersion('Kind'),
  resource: groupVersion('Resource'),
  subResource: STRING,
  requestKind: groupVersion('Kind'),
  requestResource: groupVersion('Resource'),
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: object('kubernetes.UserInfo', { username: STRING, uid: STRING, groups: listOf(STRING), extra: mapOf(STRING, listOf(STRING)) }),
  dryRun: BOOL,
  options: DYN,
});

const NAMESPACE_CONDITION: CelType = object('kubernetes.NamespaceCondition', {
  status: STRING,
  type: STRING,
  lastTransitionTime: TIMESTAMP,
  message: STRING,
  reason: STRING,
});

/** `namespaceObject`: the fields that the API server lists by hand, fewer than a Namespace has. */
const NAMESPACE: CelType = object('kubernetes.Namespace', {
  metadata: object('kubernetes.NamespaceMetadata', {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: mapOf(STRING, STRING),
    annotations: mapOf(STRING, STRING),
    // The API server's own slip: the value has `uid`, so that neither spelling can be read.
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: listOf(STRING),
  }),
  spec: object('kubernetes.NamespaceSpec', { finalizers: listOf(STRING) }),
  status: object('kubernetes.NamespaceStatus', { conditions: listOf(NAMESPACE_CONDITION), phase: STRING }),
});

const AUTHORIZER = {
  authorizer: opaque('kubernetes.authorization.Authorizer'),
  'authorizer.requestResource': opaque('kubernetes.authorization.ResourceCheck'),
};

/**
 * The variables of an admission expression, for {@link compile}.
 *
 * @see apiserver, `pkg/admission/plugin/cel/compile.go`
 */
export function admissionEnvironment(options: AdmissionEnvironmentOptions = {}): {
  readonly variables: Readonly<Record<string, CelType>>;
  readonly libraries: Libraries;
} {
  const { place = 'validation', objectType = DYN, params = false, variables } = options;
  return {
    variables: {
      object: objectType,
      oldObject: objectType,
      namespaceObject: NAMESPACE,
      request: REQUEST,
      ...(place === 'messageExpression' ? {} : AUTHORIZER),
      ...(params === false ? {} : { params: params === true ? DYN : params }),
      ...(variables === undefined || place === 'matchCondition' ? {} : { variables: object('kubernetes.variables', variables) }),
    },
    libraries: 'new',
  };
}
