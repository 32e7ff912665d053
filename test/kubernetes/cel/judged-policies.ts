import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../../src/kubernetes/apimachinery/index.js';
import type { AdmissionVariables, NamedExpression } from '../../../src/kubernetes/cel/index.js';

const expressions = JSON.parse(readFileSync(join(__dirname, 'golden', 'policy-expressions.json'), 'utf8')) as Readonly<
  Record<'validations' | 'messages' | 'matchConditions', readonly string[]>
>;

/** Composed variables of the policies below; those with unusual types become dyn where they are used. */
export const policyVariables: readonly NamedExpression[] = [
  { name: 'n', expression: '3' },
  { name: 's', expression: "'text'" },
  { name: 'l', expression: '[1, 2]' },
  { name: 'm', expression: "{'a': 1}" },
  { name: 'q', expression: "quantity('1Gi')" },
  { name: 't', expression: "timestamp('2024-01-01T00:00:00Z')" },
  { name: 'd', expression: 'object.spec' },
  { name: 'o', expression: 'optional.of(1)' },
  { name: 'req', expression: 'request' },
  { name: 'next', expression: 'variables.n + 1' },
  { name: 'fails', expression: 'object.spec.missing' },
  { name: 'nothing', expression: 'null' },
];

/** Given to the server as validations of one policy: every variable, its types, its absent fields, and what is not there. */
export const policyExpressions: readonly string[] = expressions.validations;

export const policyMessageExpressions: readonly string[] = expressions.messages;

/** Given to the server as match conditions of a webhook and of a policy with params and variables. */
export const matchConditionExpressions: readonly string[] = expressions.matchConditions;

/** Where we knowingly differ from the server. */
export const knownPolicyDifferences: ReadonlyMap<string, string> = new Map([
  ['authorizer == authorizer', 'the authorizer can be asked in a cluster only'],
  ['type(variables) == map', 'the variables are a map here, and a type of their own there'],
]);

export interface PolicyVerdict {
  /** The text of the refusal. */
  readonly compile?: string;
  /** What the policy has against the creation of {@link judgedCreation}, and against {@link judgedUpdate}. */
  readonly create?: string;
  readonly update?: string;
}

export type PolicyVerdicts = Readonly<
  Record<'validations' | 'messages' | 'policyConditions' | 'webhookConditions', Readonly<Record<string, PolicyVerdict>>>
>;

export const policyVerdictsFile: string = join(__dirname, 'golden', 'policy-verdicts.json');

export function recordedPolicyVerdicts(): PolicyVerdicts {
  return JSON.parse(readFileSync(policyVerdictsFile, 'utf8')) as PolicyVerdicts;
}

export const POLICY_GROUP = 'policies.example.com';
export const POLICY_NAMESPACE = 'cel-policies';

const resource = (replicas: number): { readonly [key: string]: Json } => ({
  apiVersion: `${POLICY_GROUP}/v1`,
  kind: 'Judged',
  metadata: { name: 'judged', namespace: POLICY_NAMESPACE, labels: { tier: 'gold' } },
  spec: { replicas, ratio: 0.5, whole: 2, list: ['a', 'b'], map: { k: 'v' }, name: 'name', enabled: true, nothing: null },
});

export const judgedResource: { readonly [key: string]: Json } = resource(3);
/** The state before {@link judgedUpdate}. */
export const olderResource: { readonly [key: string]: Json } = resource(1);
export const judgedParams: { readonly [key: string]: Json } = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'judged-params', namespace: POLICY_NAMESPACE },
  data: { max: '5' },
};

const stored = (object: { readonly [key: string]: Json }): Json => ({
  ...object,
  metadata: {
    ...(object['metadata'] as object),
    uid: '6f1c',
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
    managedFields: [],
  } as Json,
});

function review(operation: 'CREATE' | 'UPDATE', oldObject: Json): AdmissionVariables {
  const kind = { group: POLICY_GROUP, version: 'v1', kind: 'Judged' };
  const judged = { group: POLICY_GROUP, version: 'v1', resource: 'judgeds' };
  const options = { kind: operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions', apiVersion: 'meta.k8s.io/v1', dryRun: ['All'] };
  return {
    object: stored(judgedResource),
    oldObject,
    request: {
      uid: '',
      kind,
      resource: judged,
      requestKind: kind,
      requestResource: judged,
      name: 'judged',
      namespace: POLICY_NAMESPACE,
      operation,
      userInfo: { username: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] },
      object: null,
      oldObject: null,
      dryRun: true,
      options,
    },
    namespaceObject: {
      metadata: {
        name: POLICY_NAMESPACE,
        uid: '5e2a',
        resourceVersion: '7',
        creationTimestamp: '2026-01-01T00:00:00Z',
        labels: { 'kubernetes.io/metadata.name': POLICY_NAMESPACE, team: 'blue' },
      },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    },
    params: judgedParams,
  };
}

/** What the server's policies see of the requests in the cluster's suite, as far as the expressions look. */
export const judgedCreation: AdmissionVariables = review('CREATE', null);
export const judgedUpdate: AdmissionVariables = review('UPDATE', stored(olderResource));
