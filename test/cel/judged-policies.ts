import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AdmissionVariables, NamedExpression } from '../../src/cel/index.js';
import type { Json } from '../../src/kubernetes/index.js';

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
export const policyExpressions: readonly string[] = `
true
object.spec.replicas == 3
object.spec.replicas > 2.5
object.spec.ratio == 0.5
object.spec.whole == 2
object.spec.list.size() == 2
object.spec.list[1] == 'b'
object.spec.list[9] == 'b'
object.spec.list['x'] == 'b'
object.spec.missing == 1
object.spec.?missing.orValue(1) == 1
object.?spec.?missing.hasValue()
has(object.spec.missing)
has(object.spec.nothing)
object.spec.nothing == null
object.spec.map['k'] == 'v'
object.spec.map[1] == 'v'
'k' in object.spec.map
1 in object.spec.map
object.spec.map.k == 'v'
object.spec.map.exists(k, k == 'k')
object.spec.map.all(k, v, k == 'k' && v == 'v')
object.spec.name.startsWith('na')
object.spec.replicas.startsWith('na')
object.spec.name + 1 == 'a'
object.spec.name
object.spec.enabled
object.spec.enabled == true
object.spec.enabled && true
object.spec.replicas ? true : false
object.metadata.name == 'judged'
object.metadata.namespace == 'cel-policies'
object.metadata.labels['tier'] == 'gold'
object.metadata.labels.tier == 'silver'
object.metadata.generation >= 1
object.metadata.creationTimestamp == ''
type(object) == map
type(object.spec.replicas) == int
type(object.spec.ratio) == double
object.kind == 'Judged'
object.apiVersion == 'policies.example.com/v1'
object['x-y'] == 1
object.in == 1
object.namespace == 1
oldObject == null
oldObject != null
oldObject.spec.replicas == 1
oldObject == null || oldObject.spec.replicas <= object.spec.replicas
oldObject == object
object == object
request.kind.kind == 'Judged'
request.kind.group == 'policies.example.com'
request.kind.version == 'v1'
request.resource.resource == 'judgeds'
request.resource.kind == 'x'
request.requestKind.kind == 'Judged'
request.requestResource.resource == 'judgeds'
request.subResource == ''
request.subresource == ''
has(request.subResource)
request.requestSubResource == ''
request.name == 'judged'
request.namespace == 'cel-policies'
request.__namespace__ == 'cel-policies'
request.operation == 'CREATE'
request.operation == 'UPDATE'
request.operation in ['CREATE', 'UPDATE']
request.operation == 1
request.userInfo.username == 'admin'
request.userInfo.uid == ''
has(request.userInfo.uid)
'system:masters' in request.userInfo.groups
request.userInfo.groups.exists(g, g == 'system:authenticated')
request.userInfo.groups[0] == 1
request.userInfo.extra.size() == 0
has(request.userInfo.extra)
request.userInfo.extra['x'] == ['y']
request.userInfo.extra['x'][0].startsWith('y')
request.userInfo.user == 'x'
request.dryRun
request.dryRun == 'x'
request.options.kind == 'CreateOptions'
request.options.fieldManager == 'x'
request.options.dryRun == ['All']
request.uid == 'x'
request.object == object
request == request
request.kind == request.requestKind
namespaceObject.metadata.name == 'cel-policies'
namespaceObject.metadata.labels['team'] == 'blue'
namespaceObject.metadata.labels.team == 'red'
'kubernetes.io/metadata.name' in namespaceObject.metadata.labels
namespaceObject.metadata.labels.none == 'x'
namespaceObject.metadata.annotations.size() == 0
has(namespaceObject.metadata.annotations)
namespaceObject.metadata.UID == ''
namespaceObject.metadata.uid == ''
has(namespaceObject.metadata.UID)
namespaceObject.metadata.generation == 1
namespaceObject.metadata.generateName == ''
namespaceObject.metadata.namespace == ''
namespaceObject.metadata.finalizers.size() == 0
namespaceObject.metadata.managedFields.size() == 0
namespaceObject.metadata.ownerReferences.size() == 0
namespaceObject.metadata.creationTimestamp == timestamp('2024-01-01T00:00:00Z')
namespaceObject.metadata.creationTimestamp == '2024'
namespaceObject.metadata.creationTimestamp > timestamp('2024-01-01T00:00:00Z')
namespaceObject.metadata.creationTimestamp.getFullYear() > 2000
namespaceObject.metadata.deletionTimestamp == null
has(namespaceObject.metadata.deletionTimestamp)
namespaceObject.metadata.deletionGracePeriodSeconds == 1
namespaceObject.spec.finalizers == ['kubernetes']
namespaceObject.status.phase == 'Active'
namespaceObject.status.phase == 1
namespaceObject.status.conditions.all(c, c.type == 'x' && c.reason == 'y' && c.message == 'z' && c.status == 'True')
namespaceObject.status.conditions[0].lastTransitionTime > timestamp('2024-01-01T00:00:00Z')
namespaceObject.status.conditions[0].observed == 1
namespaceObject.kind == 'Namespace'
namespaceObject != null
namespaceObject == null
params.data.max == '5'
params.data.none == '5'
params.kind == 'ConfigMap'
params.metadata.name == 'judged-params'
params != null
has(params.data)
int(params.data.max) >= object.spec.replicas
variables.n == 3
variables.n == 'x'
variables.n.startsWith('x')
variables.s.startsWith('te')
variables.s > 3
variables.l.all(x, x > 0)
variables.l == ['a']
variables.m.a == 1
variables.m.a == 'x'
variables.q.isGreaterThan(quantity('1Mi'))
variables.q == 'x'
variables.t > timestamp('2023-01-01T00:00:00Z')
variables.t == 1
variables.d.replicas == 3
variables.o == optional.of(1)
variables.o.value() == 1
variables.o.orValue(3) == 1
variables.req.operation == 'CREATE'
variables.req.foo == 'CREATE'
variables.next == 4
variables.fails == 1
has(variables.fails)
variables.nothing == null
has(variables.n)
has(variables.none)
variables.none == 1
variables['n'] == 3
variables == variables
size(variables) == 1
type(variables) == map
'n' in variables
false || variables.fails == 1
true || variables.fails == 1
authorizer == authorizer
authorizer.group('').resource('pods').check('create')
authorizer.group('').resource('pods').check('create').reason() == 1
authorizer.path('/x').check('get').allowed() == 'x'
authorizer.serviceAccount('a').path('/x').check('get').allowed()
authorizer.resource('pods').check('get').allowed()
authorizer.requestResource.check()
authorizer.requestresource.check('get').allowed()
authorizer.foo
authorizer.?foo.hasValue()
has(authorizer.foo)
authorizer.requestResource.foo
authorizer.group('').foo
authorizer.path('').foo
authorizer.group('').resource('pods').check('create').foo
quantity('1').foo
url('http://a').foo
ip('1.1.1.1').foo
cidr('1.1.1.1/8').foo
semver('1.0.0').foo
format.dns1123Label().foo
variables.q.foo
variables.q.foo == 1
optional.of(1).foo
optional.of(quantity('1')).foo
timestamp('2024-01-01T00:00:00Z').foo
type(1).foo
requestResource.check('get').allowed()
self.spec.replicas == 3
oldSelf == null
1
'x'
null
[true]
{'a': true}
timestamp('2024-01-01T00:00:00Z')
duration('1s')
[timestamp('2024-01-01T00:00:00Z')]
quantity('1')
optional.of(true)
request
object
request.kind
namespaceObject
type(1)
1u
1.0
b'x'
matches('a', '[')
duration('x') == duration('1s')
object.
object.spec.replicas ==
[3, 1].sort() == [1, 3]
dyn(quantity('1')).?f == optional.none()
dyn(quantity('1'))[?0] == optional.none()
dyn(optional.of(1)).?f == optional.none()
dyn(optional.of(1))[?0] == optional.none()
dyn(optional.none()).?f == optional.none()
dyn(optional.none())[?0] == optional.none()
dyn(timestamp('2024-01-01T00:00:00Z')).?f == optional.none()
dyn(timestamp('2024-01-01T00:00:00Z'))[?0] == optional.none()
dyn({'a': 1}).?f == optional.none()
dyn({'a': 1})[?0] == optional.none()
dyn([1]).?f == optional.none()
dyn([1])[?0] == optional.none()
dyn(b'x').?f == optional.none()
dyn(b'x')[?0] == optional.none()
dyn(type(1)).?f == optional.none()
dyn(type(1))[?0] == optional.none()
dyn(1u).?f == optional.none()
dyn(1u)[?0] == optional.none()
dyn(null).?f == optional.none()
dyn(null)[?0] == optional.none()
dyn('x').?f == optional.none()
dyn('x')[?0] == optional.none()
dyn(true).?f == optional.none()
dyn(true)[?0] == optional.none()
dyn(1.5).?f == optional.none()
dyn(1.5)[?0] == optional.none()
object.?spec.list.hasValue()
object.?spec.nothing.hasValue()
object.?spec.name.foo.hasValue()
object.spec.?name.?foo.hasValue()
object.spec.list.?foo.hasValue()
object.spec[?'name'].hasValue()
object.spec[?1].hasValue()
object.spec.list[?7].hasValue()
object.spec.list[1.0] == 'b'
object.spec.list[1.5] == 'b'
object.spec.list.sum() == 1
object.spec.list.join('-') == 'a-b'
object.spec.list.map(x, x + 1) == []
object.spec.list.filter(x, x > 1) == []
object.spec.list.exists(x, x == 'b' || x > 1)
object.spec.list.all(x, x > 1)
object.spec.map.map(k, k) == ['k']
object.spec.name.all(c, true)
object.spec.replicas.all(c, true)
object.spec.nothing.all(c, true)
object.spec.nothing.foo == 1
object.spec.nothing[0] == 1
size(object.spec.nothing) == 1
string(object.spec.nothing) == ''
string(object.spec.list) == ''
int(object.spec.name) == 1
quantity(object.spec.name).isInteger()
quantity(object.spec.replicas).isInteger()
timestamp(object.spec.name) == timestamp('2024-01-01T00:00:00Z')
duration(object.spec.replicas) == duration('1s')
url(object.spec.name).getHost() == ''
object.spec.name.matches(object.spec.name)
object.spec.name.matches('(' + object.spec.name)
object.spec.name.find('[a-z]') == 'n'
object.spec.replicas in [1, 3]
object.spec.replicas in [1.0, 3.0]
object.spec.name in object.spec
object.spec.replicas in object.spec.list
object.spec.replicas in object.spec.name
object.spec.whole / 0 == 1
object.spec.replicas % 0 == 1
object.spec.ratio / 0.0 > 1.0
object.spec == oldObject.spec
object.spec.list + ['c'] == ['a', 'b', 'c']
object.spec.list + 'c' == []
object.spec.map + {} == {}
'%d'.format([object.spec.name]) == ''
'%s %s'.format([object.spec.list, object.spec.map]) == '[a, b] {k: v}'
'%s'.format([object.spec.nothing]) == 'null'
dyn([{}]).min() == 1
dyn([{}]).max() == 1
dyn([null]).isSorted()
dyn(['a', 'b']).sum() == 1
dyn([true]).sum() == 1
dyn([1, 'a']).sum() == 1
dyn([1, 'a']).max() == 1
dyn([]).sum() == 0
dyn([]).max() == 0
object.spec.list[-1] == 'b'
object.spec.list[1e3] == 'b'
object.spec.list[1u] == 'b'
object.spec.list[true] == 'b'
object.spec.list[null] == 'b'
object.spec.list[?1.5] == optional.none()
object.spec.list[?'x'] == optional.none()
object.spec.map[1.5] == 'v'
object.spec.map[?1.5].hasValue()
object.spec.map[null] == 'v'
object.spec.map[true] == 'v'
null in object.spec.map
timestamp(object.spec.replicas) == timestamp('1970-01-01T00:00:03Z')
duration(3) == duration('3s')
has(object.spec.list.x)
has(object.spec.name.x)
has(object.spec.nothing.x)
object.spec.name['x'] == 1
object.spec.?list[0].orValue('') == 'a'
object.spec.?list[?7].orValue('z') == 'z'
object.spec.?map.k.orValue('') == 'v'
object.spec.?missing.a.b.c.orValue('z') == 'z'
{'a': object.spec.missing} == {}
[object.spec.missing] == []
object.spec.missing in [1]
!has(object.spec.missing) || object.spec.missing == 1
object.spec.replicas == 3 ? object.spec.missing == 1 : true
object.spec.list.exists_one(x, x == 'a')
object.spec.list.exists_one(x, x > 1)
object.spec.list.transformList(i, x, x + string(i)) == ['a0', 'b1']
object.spec.map.transformMap(k, v, v + k) == {'k': 'vk'}
object.spec.list.sortBy(x, x) == ['a', 'b']
sets.contains(object.spec.list, ['a'])
object.spec.list.indexOf('b') == 1
object.metadata.labels == {'tier': 'gold'}
object.spec.whole == 2.0
object.spec.ratio + 1 == 1.5
object.spec.whole + 1 == 3
1 + object.spec.ratio == 1.5
object.spec.map[b'x'] == 'v'
object.spec.map[?null].hasValue()
object.spec.map[[1]] == 'v'
object.spec.map[duration('1s')] == 'v'
timestamp(999999999999999) == timestamp(0)
timestamp(1) == timestamp(0)
dyn([0.0 / 0.0]).max() == 1.0
dyn([1.0, 0.0 / 0.0]).max() == 1.0
`
  .trim()
  .split('\n');

export const policyMessageExpressions: readonly string[] = `
'replicas: ' + string(object.spec.replicas)
'was ' + string(oldObject.spec.replicas)
object.spec.name
string(object.spec.name)
' '
'a\\nb'
'  trimmed '
1
null
variables.s
variables.s + string(variables.n)
string(variables.fails)
string(variables.none)
'max ' + params.data.max
string(params.data.none)
authorizer.group('').resource('pods').check('create').reason()
request.userInfo.username + ' in ' + namespaceObject.metadata.name
request.foo
object.spec.list.join(',')
'x'.repeat(2)
string(object.spec.list[9])
`
  .trim()
  .split('\n');

/** Given to the server as match conditions of a webhook and of a policy with params and variables. */
export const matchConditionExpressions: readonly string[] = `
true
object.metadata.name == 'x'
object.spec.replicas
request.name == 'x' && request.namespace == 'y'
request.uid == 'x'
request.userInfo.username.startsWith('system:')
request.resource.group != 'apps'
oldObject == null
params.x == 1
variables.n == 3
namespaceObject.metadata.name == 'x'
namespaceObject.metadata.uid == 'x'
authorizer.group('').resource('pods').check('create').allowed()
authorizer.requestResource.check('get').allowed()
authorizer.requestResource.allowed()
self == 1
1
'x'
request
object.foo.bar ==
has(object.spec)
has(object)
[1, 2].sort() == [1, 2]
'['.matches('[')
`
  .trim()
  .split('\n');

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
