import type { Step } from '../differential/exchange.js';
import type { Script } from '../differential/script.js';
import {
  apply,
  BINDINGS,
  binding,
  CONFIG_MAPS,
  casesOf,
  constraints,
  DEPLOYMENTS,
  type Fields,
  here,
  MERGE,
  numbered,
  only,
  PODS,
  type PolicyCase,
  patch,
  policy,
  post,
  removed,
  sentinel,
  written,
} from './mutating-policy-steps.js';

const configurations = casesOf('apply configurations', [
  ...numbered(
    'a',
    [
      'Object{data: {"b": "2"}}',
      'Object{data: {"b": 2}}',
      'Object{}',
      'Object{metadata: Object.metadata{labels: {"x": "y"}}}',
      'Object{metadata: Object.metadata{labels: Object.metadata.labels{x: "y"}}}',
      'Object{data: Object.wrong{b: "x"}}',
      'Object{nope: 1}',
      'Object{immutable: null}',
      'Object{data: {"x": null}}',
      'Object{data: null}',
      'Object{immutable: "x"}',
      'Object{immutable: true, ?data: optional.none()}',
      'Object{?immutable: optional.of(true)}',
      'Object{data: optional.of({"o": "1"})}',
      'Object{} == Object{} ? Object{data: {"eq": "1"}} : Object{}',
      'Object{data: {"a": string(Object{a:[1]} == Object{a:[1]}), "b": string(Object{a:1} == Object{a:1}), "c": string(Object{a:1} == Object{a:1u}), "d": string(Object{a:{"b":1}} == Object{a:{"b":1}})}}',
      'Object{data: {"x": string(Object{a: 1}.a + 1), "y": string(has(Object{a: 1}.b)), "w": string(has(Object{a: 1}.a)), "q": string(Object{a: 1}.b == null)}}',
      'Object{data: {"x": string(dyn(Object{a: 1}).a)}}',
      'Object{data: {"y": string(has(dyn(Object{a: 1}).b))}}',
      'Object{data: {"y": string(type(Object{a: Object.a{b: 1}}.a) == map)}}',
      'Object{data: {"y": string(size(Object{a: [Object.a{b: 1}]}.a)) + string(Object{a: [Object.a{b: 1}]}.a[0].b)}}',
      'Object{metadata: Object.metadata{finalizers: ["a/b"]}}',
      'Object{metadata: Object.metadata{ownerReferences: [Object.metadata.ownerReferences{uid: "1", name: "x", kind: "K", apiVersion: "v1"}]}}',
      'Object{metadata: Object.metadata{name: 3}}',
      'Object{apiVersion: "v2", kind: "X"}',
      'Object{data: {1: "x"}}',
      'Object{data: 1.5}',
      'Object{data: [1]}',
      'Object{spec: Object.spec{x: [[1]]}}',
      'Object{data: {"x": namespaceObject.metadata.name}}',
      'Object{data: {"x": object.nope}}',
      'Object{data: {"x": "1"}, data: {"y": "2"}}',
      '  Object{data: {"x": object.missing}}  ',
      'Object{data: {"x": jsonpatch.escapeKey("a/b~c~1")}}',
      'has(object.data) ? Object{data: {"h": "1"}} : Object{}',
      'Object{data: object.data}',
      'Object{data: {"x": string(quantity("1Gi").asInteger())}, immutable: dyn(3u) == 3}',
      'Object{data: {"s": [1, 2].map(x, string(x)).join(",")}}',
      'Object{data: {"op": request.operation, "user": request.userInfo.username, "kind": request.kind.kind, "resource": request.resource.resource, "dry": string(request.dryRun)}}',
      'Object{data: {"not a key": "1"}}',
    ],
    apply,
  ),
]);

const operations = casesOf('JSON patches', [
  ...numbered(
    'j',
    [
      '[JSONPatch{op: "add", path: "/data/b", value: "2"}]',
      '[JSONPatch{op: "add", path: "/data/b", value: 2}]',
      '[JSONPatch{op: "bogus", path: "/x"}]',
      '[JSONPatch{}]',
      '[JSONPatch{op: "add", path: "/nope/b", value: "2"}]',
      '[JSONPatch{op: "add", path: "/nope", value: "2"}]',
      '[JSONPatch{op: "remove", path: "/data/zz"}]',
      '[JSONPatch{op: "test", path: "/data/a", value: "9"}, JSONPatch{op: "add", path: "/data/b", value: "x"}]',
      '[JSONPatch{op: "add", path: "/data/b", value: "x"}, JSONPatch{op: "test", path: "/data/a", value: "9"}]',
      '[JSONPatch{op: "test", path: "/data/a", value: "1"}, JSONPatch{op: "add", path: "/data/b", value: "x"}]',
      '[JSONPatch{op: "test", path: "/data/q", value: "1"}, JSONPatch{op: "add", path: "/data/b", value: "x"}]',
      '[JSONPatch{op: "add", path: "/metadata/labels", value: {"a": "b"}}]',
      '[JSONPatch{op: "add", path: "/metadata/labels", value: Object.metadata.labels{a: "b"}}]',
      '[JSONPatch{op: "add", path: "/metadata/labels", value: Object.metadata{labels: Object.x{}}}]',
      '[JSONPatch{op: "add", path: "/metadata/finalizers", value: ["a/b"]}]',
      '[JSONPatch{op: "replace", path: "/data", value: {1: "x"}}]',
      '[JSONPatch{op: "replace", path: "/data", value: null}]',
      '[JSONPatch{op: "replace", path: "/data"}]',
      '[JSONPatch{op: "add", path: "/data/t", value: timestamp("2020-01-01T00:00:00Z")}]',
      '[JSONPatch{op: "add", path: "/data/t", value: duration("90s")}]',
      "[JSONPatch{op: 'add', path: '/data/t', value: b'abc'}]",
      '[JSONPatch{op: "copy", from: "/data/a", path: "/data/c"}]',
      '[JSONPatch{op: "move", from: "/data/a", path: "/data/c"}]',
      '[JSONPatch{op: dyn(1), path: "/data/c"}]',
      '[JSONPatch{op: dyn([1]), path: "/data/c"}]',
      '[JSONPatch{op: dyn(null), path: "/data/c"}]',
      '[JSONPatch{op: "remove", path: "/kind"}]',
      '[JSONPatch{op: "add", path: "/data/b", value: "2"}] + (true ? [JSONPatch{op: "add", path: "/data/c", value: "3"}] : [])',
      'object.data.map(k, JSONPatch{op: "replace", path: "/data/" + jsonpatch.escapeKey(k), value: "n"})',
      '[JSONPatch{op: "add", path: "/data/q", value: [JSONPatch{op: "x"}.op][0]}]',
      '[JSONPatch{op: "add", path: "/data/q", value: string(JSONPatch{op: "x"} == JSONPatch{op: "x"})}]',
      '[JSONPatch{op: "add", path: "/data/q", value: string(has(JSONPatch{op: "x"}.path))}]',
      '[JSONPatch{op: "add", path: "/data/q", value: quantity("1Gi")}]',
      '[JSONPatch{op: "add", path: "/data/q", value: int}]',
      '[JSONPatch{op: "add", path: "/data/q", value: optional.of("x")}]',
      '[JSONPatch{op: "add", path: "/data/q", ?value: optional.of("x")}]',
      '[JSONPatch{op: "add", path: "/metadata/labels", value: Object.x{b: 1, c: [[1]]}}]',
      '[JSONPatch{op: "add", path: "/metadata/labels", value: Object.x{b: "1", c: "2"}}]',
      '[JSONPatch{op: "add", path: "/metadata/generation", value: 9007199254740993}]',
      '[JSONPatch{op: "add", path: "/metadata/generation", value: 7.0}]',
      '[JSONPatch{op: "add", path: "/metadata/generation", value: 7u}]',
      '[JSONPatch{op: "add", path: "/metadata/generation", value: 7.5}]',
      '[JSONPatch{op: "add", path: "", value: {}}]',
      '[JSONPatch{op: "add", path: "/data/" + string(object.data.nope), value: "x"}]',
      '[JSONPatch{op: "add", path: "/data/b", value: "é\\n\\"\\u0001<"}]',
      '[JSONPatch{op: "add", path: "/data/p\\"q", value: "1"}]',
    ],
    patch,
  ),
]);

const ONE_CONTAINER = { spec: { containers: [{ name: 'main', image: 'main:1', env: [{ name: 'A', value: '1' }] }] } };
const SIDECAR = 'Object.spec.containers{name: "sidecar", image: "sidecar:1", ports: [Object.spec.containers.ports{containerPort: 80}]}';
const pod = (name: string, ...mutations: readonly Fields[]): PolicyCase => ({ name, mutations, object: ONE_CONTAINER, path: PODS });

const typed = casesOf('structs, lists and defaults', [
  pod('p0', apply(`Object{spec: Object.spec{containers: [${SIDECAR}]}}`)),
  pod(
    'p1',
    apply(
      'Object{spec: Object.spec{containers: [Object.spec.containers{name: "main", env: [Object.spec.containers.env{name: "B", value: "2"}]}]}}',
    ),
  ),
  pod('p2', apply('Object{spec: Object.spec{containers: [Object.spec.containers{name: "main", args: ["x"]}]}}')),
  pod('p3', apply('Object{spec: Object.spec{containers: [Object.spec.containers{image: "x"}]}}')),
  pod(
    'p4',
    apply(
      'Object{spec: Object.spec{containers: [Object.spec.containers{name: "main", resources: Object.spec.containers.resources{limits: {"cpu": "abc"}}}]}}',
    ),
  ),
  pod(
    'p5',
    apply(
      'Object{spec: Object.spec{containers: [Object.spec.containers{name: "main", resources: Object.spec.containers.resources{limits: {"cpu": "100m"}}}]}}',
    ),
  ),
  pod('p6', apply('Object{spec: Object.spec{nodeSelector: {"a": "b"}}}')),
  pod('p7', apply('Object{spec: Object.spec{tolerations: [Object.spec.tolerations{key: "a", operator: "Exists"}]}}')),
  pod(
    'p8',
    apply(
      'Object{spec: Object.spec{volumes: [Object.spec.volumes{name: "v", emptyDir: Object.spec.volumes.emptyDir{}}], initContainers: [Object.spec.initContainers{name: "i", image: "i", restartPolicy: "Always"}]}}',
    ),
  ),
  pod('p9', patch('[JSONPatch{op: "add", path: "/spec/containers/-", value: Object.spec.containers{name: "sidecar", image: "s:1"}}]')),
  pod('p10', patch('[JSONPatch{op: "add", path: "/spec/containers/-", value: {"name": "sidecar", "image": "s:1"}}]')),
  pod('p11', patch('[JSONPatch{op: "add", path: "/spec/containers/0/nope", value: "1"}]')),
  pod('p12', apply('Object{spec: Object.spec{containers: [Object.spec.containers{name: "main", image: ""}]}}')),
  pod('p13', apply('Object{spec: Object.spec{containers: [Object.spec.containers{name: "main"}, Object.spec.containers{name: "main"}]}}')),
  pod(
    'p14',
    apply(
      'Object{spec: Object.spec{containers: object.spec.containers.map(c, Object.spec.containers{name: c.name, image: "mirror/" + c.image})}}',
    ),
  ),
  pod('p15', apply('Object{spec: Object.spec{terminationGracePeriodSeconds: 7.5}}')),
  pod('p16', apply('Object{spec: Object.spec{hostUsers: false, priority: null}}')),
  {
    name: 'p17',
    mutations: [apply('Object{metadata: Object.metadata{labels: {"x": "y"}}}')],
    path: PODS,
    object: {
      spec: {
        containers: [
          {
            name: 'a',
            image: 'a',
            env: [
              { name: 'A', value: '1' },
              { name: 'A', value: '2' },
            ],
          },
        ],
      },
    },
  },
  {
    name: 'd0',
    path: DEPLOYMENTS,
    object: { spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, ...ONE_CONTAINER } } },
    mutations: [
      apply(
        'Object{spec: Object.spec{replicas: 3, template: Object.spec.template{metadata: Object.spec.template.metadata{labels: {"c": "d"}}}}}',
      ),
    ],
  },
  {
    name: 'd1',
    path: DEPLOYMENTS,
    object: { spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, ...ONE_CONTAINER } } },
    mutations: [apply('Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {"c": "d"}}}}')],
  },
]);

const label = (name: string, value: string): Fields => apply(`Object{metadata: Object.metadata{labels: {"${name}": ${value}}}}`);
const counted = (name: string): Fields => label(name, `string(int(object.metadata.?labels.?${name}.orValue('0')) + 1)`);
const ofSeveral = { matchConditions: [here, only('several')] };

/**
 * Policies that act on one object, and see it again. Of several policies the server has no order (it goes through a Go map): only what is the same in each order
 * can be compared.
 */
const order: Script = {
  name: 'mutations and reinvocation',
  steps: [
    policy(
      'm1',
      [counted('again'), apply('Object{data: {"all": string(["again", "m2b", "never"].all(l, l in object.metadata.labels))}}')],
      {
        reinvocationPolicy: 'IfNeeded',
        ...ofSeveral,
      },
    ),
    policy(
      'm2',
      [
        label('m2', "'x'"),
        label('m2b', "object.metadata.labels.m2 + 'y'"),
        patch("[JSONPatch{op: 'remove', path: '/metadata/labels/m2'}]"),
      ],
      ofSeveral,
    ),
    policy('m3', [counted('never')], ofSeveral),
    ...['m1', 'm2', 'm3'].map((name) => binding(name)),
    binding('m3b', {}, 'm3'),
    ...sentinel(),
    post(CONFIG_MAPS, { metadata: { name: 'several' }, data: { a: '1' } }),
    { method: 'PATCH', path: `${CONFIG_MAPS}/several`, contentType: MERGE, body: { data: { b: '2' } } },
    { method: 'PUT', path: `${CONFIG_MAPS}/several`, body: { metadata: { name: 'several' }, data: { c: '3' } } },
    {
      method: 'PATCH',
      path: `${CONFIG_MAPS}/several?fieldManager=applier&force=true`,
      contentType: 'application/apply-patch+yaml',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'several' }, data: { d: '4' } },
    },
    { method: 'DELETE', path: `${CONFIG_MAPS}/several` },
    ...['m1', 'm2', 'm3', 'zz'].flatMap(removed),
    { method: 'DELETE', path: `${BINDINGS}/{ns}-m3b` },
  ],
};

const variables = [
  { name: 'own', expression: "object.data.?a.orValue('none')" },
  { name: 'twice', expression: 'variables.own + variables.own' },
  { name: 'broken', expression: 'object.data.nope' },
];
const param = (name: string, labels: Fields = {}): Step => post(CONFIG_MAPS, { metadata: { name, labels }, data: { value: name } });
const PARAM_KIND = { apiVersion: 'v1', kind: 'ConfigMap' };
const fromParams = [
  apply('Object{data: {"param": params == null ? "none" : params.data.value}}'),
  apply('Object{metadata: Object.metadata{labels: params == null ? {} : {params.metadata.name: "1"}}}'),
];

/** What is wrong with the parameters is wrong before conditions are asked. */
const selected = (name: string): Fields => ({
  matchConditions: [here],
  matchConstraints: { ...constraints(), objectSelector: { matchLabels: { case: name } } },
});
const labelled = (name: string): Step =>
  written({ name, mutations: [], object: { metadata: { labels: { case: name } }, data: { a: '1' } } });

/** Variables, parameters, conditions and what becomes of mistakes. */
const surroundings: Script = {
  name: 'variables, parameters, mistakes',
  steps: [
    param('one', { kind: 'p' }),
    param('two', { kind: 'p' }),
    policy('v0', [apply('Object{data: {"v": variables.twice}}'), apply('Object{data: {"w": variables.twice}}')], { variables }),
    policy('v1', [apply('Object{data: {"v": variables.broken}}'), apply('Object{data: {"w": "later"}}')], { variables }),
    policy('v2', [apply('Object{data: {"v": variables.broken}}'), apply('Object{data: {"w": "later"}}')], {
      variables,
      failurePolicy: 'Ignore',
    }),
    policy('c0', [apply('Object{data: {"v": "x"}}')], {
      matchConditions: [here, only('c0'), { name: 'broken', expression: 'object.nope' }],
    }),
    policy('c1', [apply('Object{data: {"v": "x"}}')], {
      failurePolicy: 'Ignore',
      matchConditions: [here, only('c1'), { name: 'broken', expression: 'object.nope' }],
    }),
    policy('c2', [apply('Object{data: {"v": "x"}}')], {
      matchConditions: [here, only('c2'), { name: 'b', expression: 'object.nope == 1' }, { name: 'c', expression: 'object.nix == 1' }],
    }),
    policy('k0', fromParams, { ...selected('k0'), paramKind: PARAM_KIND }),
    policy('k1', fromParams, { ...selected('k1'), paramKind: PARAM_KIND }),
    policy('k2', fromParams, { ...selected('k2'), paramKind: PARAM_KIND }),
    policy('k3', fromParams, { ...selected('k3'), paramKind: PARAM_KIND }),
    policy('k4', fromParams, { ...selected('k4'), paramKind: PARAM_KIND }),
    policy('k5', fromParams, { ...selected('k5'), paramKind: { apiVersion: 'nowhere.example.com/v1', kind: 'Nothing' } }),
    policy('k6', fromParams, {
      ...selected('k6'),
      paramKind: { apiVersion: 'nowhere.example.com/v1', kind: 'Nothing' },
      failurePolicy: 'Ignore',
    }),
    policy('e0', [patch('[JSONPatch{op: "remove", path: "/data/nope"}]'), patch('[JSONPatch{op: "remove", path: "/data/nix"}]')]),
    policy('e1', [patch('[JSONPatch{op: "remove", path: "/data/nope"}]'), patch('[JSONPatch{op: "add", path: "/data/x", value: "1"}]')], {
      failurePolicy: 'Ignore',
    }),
    policy('b0', [
      apply(
        'Object{data: {"x": string([0,1,2,3,4,5,6,7,8,9].all(a, [0,1,2,3,4,5,6,7,8,9].all(b, [0,1,2,3,4,5,6,7,8,9].all(c, [0,1,2,3,4,5,6,7,8,9].all(d, [0,1,2,3,4,5,6,7,8,9].all(e, [0,1,2,3,4,5,6,7,8,9].all(f, a + b + c + d + e + f >= 0)))))))}}',
      ),
    ]),
    ...['v0', 'v1', 'v2', 'c0', 'c1', 'c2', 'k0', 'e0', 'e1', 'b0'].map((name) => binding(name)),
    binding('k1', { paramRef: { name: 'one', parameterNotFoundAction: 'Deny' } }),
    binding('k2', { paramRef: { selector: { matchLabels: { kind: 'p' } }, parameterNotFoundAction: 'Deny' } }),
    binding('k3', { paramRef: { name: 'nobody', parameterNotFoundAction: 'Deny' } }),
    binding('k4', { paramRef: { name: 'nobody', parameterNotFoundAction: 'Allow' } }),
    binding('k5', { paramRef: { name: 'one', parameterNotFoundAction: 'Allow' } }),
    binding('k6', { paramRef: { name: 'one', parameterNotFoundAction: 'Allow' } }),
    ...sentinel(),
    // The parameters are watched from the time on at which a policy names their kind.
    { ...labelled('k1'), until: '"param":"one"' },
    ...['v0', 'v1', 'v2', 'c0', 'c1', 'c2', 'k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'e0', 'e1', 'b0', 'unbound'].map((name) =>
      written({ name, mutations: [] }),
    ),
    post(`${CONFIG_MAPS}?dryRun=All`, { metadata: { generateName: 'e0' }, data: {} }),
    ...['v0', 'v1', 'v2', 'c0', 'c1', 'c2', 'k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'e0', 'e1', 'b0', 'zz'].flatMap(removed),
  ],
};

export const mutatingPolicyScripts: readonly Script[] = [configurations, operations, typed, order, surroundings];
