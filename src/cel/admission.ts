import type { Libraries } from './declarations.js';
import { type CelType, DYN, listOf, mapOf, opaque, STRING } from './type.js';

export interface AdmissionEnvironmentOptions {
  /** Type of `object` and `oldObject`. @defaultValue dyn: webhooks and policies meet many kinds */
  readonly objectType?: CelType;
  /** Whether `params` exists: the policy has a `paramKind`. @defaultValue false */
  readonly params?: CelType | boolean;
  /** Types of composed variables (`variables.x`) of a policy. Webhooks have none. */
  readonly variables?: Readonly<Record<string, CelType>>;
  /** Whether `namespaceObject` and `variables` exist. `policy`: yes; `webhook` (matchConditions): no. @defaultValue `policy` */
  readonly for?: 'policy' | 'webhook';
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

/** `request`: what an AdmissionReview says of the request. */
const REQUEST: CelType = object('kubernetes.AdmissionRequest', {
  kind: groupVersion('Kind'),
  resource: groupVersion('Resource'),
  subResource: STRING,
  requestKind: groupVersion('Kind'),
  requestResource: groupVersion('Resource'),
  requestSubResource: STRING,
  name: STRING,
  __namespace__: STRING,
  operation: STRING,
  userInfo: object('kubernetes.UserInfo', { username: STRING, uid: STRING, groups: listOf(STRING), extra: mapOf(STRING, listOf(STRING)) }),
  dryRun: { kind: 'bool' },
  options: DYN,
});

const NAMESPACE: CelType = object('kubernetes.Namespace', {
  metadata: object('kubernetes.NamespaceMetadata', {
    name: STRING,
    generateName: STRING,
    __namespace__: STRING,
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
  const variables: Record<string, CelType> = {
    object: objectType,
    oldObject: objectType,
    request: REQUEST,
    authorizer: AUTHORIZER,
    'authorizer.requestResource': opaque('kubernetes.authorization.ResourceCheck'),
  };
  if (options.params !== undefined && options.params !== false) variables['params'] = options.params === true ? DYN : options.params;
  if ((options.for ?? 'policy') === 'policy') {
    variables['namespaceObject'] = NAMESPACE;
    variables['variables'] = object('kubernetes.variables', options.variables ?? {});
  }
  return { variables, libraries: 'new' };
}
