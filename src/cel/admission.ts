import type { Libraries } from './declarations.js';
import { type CelType, DYN, listOf, mapOf, opaque, STRING } from './type.js';

export interface AdmissionEnvironmentOptions {
  /** Type of `object` and `oldObject`. @defaultValue dyn: webhooks and policies meet many kinds */
  readonly objectType?: CelType;
  /** Whether `params` exists: the policy has a `paramKind`. @defaultValue false */
  readonly params?: CelType | boolean;
  /** Types of composed variables (`variables.x`) of a policy. */
  readonly variables?: Readonly<Record<string, CelType>>;
  /**
   * Where the expression stands. A `matchCondition`, of a webhook or a policy, has no `variables`; a `messageExpression` has no `authorizer`.
   * @defaultValue `policy`: a validation, variable or audit annotation
   */
  readonly for?: 'policy' | 'messageExpression' | 'matchCondition';
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

/** `request`: what an AdmissionReview says of the request. Names are as in JSON: unlike rules, admission expressions know no `__namespace__`. */
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
  dryRun: { kind: 'bool' },
  options: DYN,
});

const NAMESPACE: CelType = object('kubernetes.Namespace', {
  metadata: object('kubernetes.NamespaceMetadata', {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: mapOf(STRING, STRING),
    annotations: mapOf(STRING, STRING),
    UID: STRING,
    creationTimestamp: { kind: 'timestamp' },
    deletionGracePeriodSeconds: { kind: 'int' },
    deletionTimestamp: { kind: 'timestamp' },
    resourceVersion: STRING,
    finalizers: listOf(STRING),
  }),
  spec: object('kubernetes.NamespaceSpec', { finalizers: listOf(STRING) }),
  status: object('kubernetes.NamespaceStatus', { phase: STRING }),
});

const AUTHORIZER = opaque('kubernetes.authorization.Authorizer');

/**
 * The variables of an admission expression, for {@link compile}.
 *
 * @see apiserver, `pkg/admission/plugin/cel`
 */
export function admissionEnvironment(options: AdmissionEnvironmentOptions = {}): {
  readonly variables: Readonly<Record<string, CelType>>;
  readonly libraries: Libraries;
} {
  const objectType = options.objectType ?? DYN;
  const { for: place = 'policy', params = false } = options;
  const variables: Record<string, CelType> = { object: objectType, oldObject: objectType, request: REQUEST, namespaceObject: NAMESPACE };
  if (place !== 'messageExpression') {
    variables['authorizer'] = AUTHORIZER;
    variables['authorizer.requestResource'] = opaque('kubernetes.authorization.ResourceCheck');
  }
  if (params !== false) variables['params'] = params === true ? DYN : params;
  if (place !== 'matchCondition') variables['variables'] = object('kubernetes.variables', options.variables ?? {});
  return { variables, libraries: 'new' };
}
