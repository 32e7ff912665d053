import type { Step } from '../differential/exchange.js';
import type { Script } from '../differential/script.js';

export const GROUP = '/apis/admissionregistration.k8s.io/v1';
export const POLICIES = `${GROUP}/mutatingadmissionpolicies`;
export const BINDINGS = `${GROUP}/mutatingadmissionpolicybindings`;
export const CONFIG_MAPS = '/api/v1/namespaces/{ns}/configmaps';
export const PODS = '/api/v1/namespaces/{ns}/pods';
export const DEPLOYMENTS = '/apis/apps/v1/namespaces/{ns}/deployments';
export const MERGE = 'application/merge-patch+json';

export type Fields = Readonly<Record<string, unknown>>;

export const post = (path: string, body: Fields, more: Partial<Step> = {}): Step => ({ method: 'POST', path, body, ...more });
export const apply = (expression: string): Fields => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } });
export const patch = (expression: string): Fields => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

const ALL = {
  apiGroups: ['', 'apps', 'autoscaling'],
  apiVersions: ['*'],
  resources: ['configmaps', 'pods', 'deployments', 'deployments/scale'],
};
export const constraints = (operations: readonly string[] = ['CREATE', 'UPDATE']): Fields => ({ resourceRules: [{ ...ALL, operations }] });
/** Of this script alone: the other namespaces are those of others. */
export const here = { name: 'here', expression: "object.metadata.?namespace.orValue('') == '{ns}'" };
export const only = (name: string): Fields => ({
  name: 'only',
  expression: `object.metadata.?name.orValue(object.metadata.?generateName.orValue('')) == '${name}'`,
});

export interface PolicyCase {
  readonly name: string;
  readonly mutations: readonly Fields[];
  readonly spec?: Fields;
  /** Default: a ConfigMap `{ data: { a: '1' } }`. */
  readonly object?: Fields;
  readonly path?: string;
}

export const policy = (name: string, mutations: readonly Fields[], spec: Fields = {}): Step =>
  post(POLICIES, {
    metadata: { name: `{ns}-${name}` },
    spec: { reinvocationPolicy: 'Never', matchConstraints: constraints(), matchConditions: [here, only(name)], mutations, ...spec },
  });
export const binding = (name: string, spec: Fields = {}, of = name): Step =>
  post(BINDINGS, { metadata: { name: `{ns}-${name}` }, spec: { policyName: `{ns}-${of}`, ...spec } });

/** The server learns of policies in their order: once the last of them acts, all do. */
export const sentinel = (until = 'sentinel-acts'): readonly Step[] => [
  policy('zz', [patch("[JSONPatch{op: 'add', path: '/data/seen', value: 'sentinel-acts'}]")]),
  binding('zz'),
  post(`${CONFIG_MAPS}?dryRun=All`, { metadata: { name: 'zz' }, data: { a: '1' } }, { until }),
];

export const written = ({ name, object = { data: { a: '1' } }, path = CONFIG_MAPS }: PolicyCase): Step =>
  post(`${path}?dryRun=All`, { ...object, metadata: { ...(object['metadata'] as object | undefined), name } });

/** One policy for each object. */
export function casesOf(name: string, cases: readonly PolicyCase[]): Script {
  return {
    name,
    steps: [
      ...cases.flatMap((one) => [policy(one.name, one.mutations, one.spec), binding(one.name)]),
      ...sentinel(),
      ...cases.map(written),
      ...cases.flatMap((one) => removed(one.name)),
      ...removed('zz'),
    ],
  };
}

export const removed = (name: string): readonly Step[] => [
  { method: 'DELETE', path: `${BINDINGS}/{ns}-${name}` },
  { method: 'DELETE', path: `${POLICIES}/{ns}-${name}` },
];

export const numbered = (prefix: string, expressions: readonly string[], mutation: (expression: string) => Fields): readonly PolicyCase[] =>
  expressions.map((expression, index) => ({ name: `${prefix}${index}`, mutations: [mutation(expression)] }));
