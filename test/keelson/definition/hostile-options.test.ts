import {
  defaulting,
  defineController,
  defineCustomResource,
  defineOperator,
  k,
  mutating,
  permissionsOf,
  toOwner,
  validating,
  validatingPolicy,
  watch,
} from 'keelson';
import { Deployment, Pod } from 'keelson/kinds';
import { z } from 'zod';
import { problemsOf } from './refusals.js';

/** The compiler refuses most of what stands here; JavaScript and casts get past it. */
const untyped = (build: (...parameters: never) => unknown) => build as (...parameters: readonly unknown[]) => unknown;
const [defineResource, defineAny, operator, anyWatch] = [
  untyped(defineCustomResource),
  untyped(defineController),
  untyped(defineOperator),
  untyped(watch),
];
const [complete, change, check, policy] = [untyped(defaulting), untyped(mutating), untyped(validating), untyped(validatingPolicy)];
const [anyOwner, anyRights] = [untyped(toOwner), untyped(permissionsOf)];

const spec = z.object({ size: k.int32().default(1) });
const Thing = defineCustomResource({ group: 'a.example.com', kind: 'Thing', versions: { v1: { spec } } });
const resource = (options: object) => defineResource({ group: 'a.example.com', kind: 'Thing', versions: { v1: { spec } }, ...options });
const version = (options: object) => resource({ versions: { v1: { spec, ...options } } });
const controller = (options: object) => defineAny({ name: 'c', for: Thing, reconcile: () => undefined, ...options });
const circular: { self?: unknown } = {};
circular.self = circular;

type Case = [what: string, make: () => unknown, problems: readonly string[]];

describe('a custom resource that untyped code gets wrong is refused in words, never by a crash', () => {
  test.each<Case>([
    [
      'crd undefined',
      () => defineResource(undefined),
      [
        'the options: is undefined; write an object with group, kind, plural, singular, listKind, shortNames, categories, scope, labels, annotations, descriptions, existing, versions, convert',
      ],
    ],
    [
      'crd empty',
      () => defineResource({}),
      [
        'group: is missing; write a domain that you own, for example cache.example.com',
        'kind: is missing; write the kind in CamelCase, for example Memcached',
        'versions: is missing; define at least one, for example v1alpha1: { spec: z.object({ ... }) }',
      ],
    ],
    [
      'crd string',
      () => defineResource('x'),
      [
        "the options: is 'x'; write an object with group, kind, plural, singular, listKind, shortNames, categories, scope, labels, annotations, descriptions, existing, versions, convert",
      ],
    ],
    ['group number', () => resource({ group: 3 }), ['group: is 3; write a text']],
    ['kind number', () => resource({ kind: 3 }), ['kind: is 3; write a text']],
    ['plural null', () => resource({ plural: null }), ['plural: is null; write a text']],
    ['shortNames string', () => resource({ shortNames: 'th' }), ["shortNames: is 'th'; write a list: [ ... ]"]],
    ['shortNames undefined entry', () => resource({ shortNames: [undefined] }), ['shortNames[0]: is undefined; leave it out']],
    ['categories null', () => resource({ categories: null }), ['categories: is null; write a list: [ ... ]']],
    ['labels undefined value', () => resource({ labels: { a: undefined } }), ['labels.a: is undefined; leave it out']],
    ['annotations number value', () => resource({ annotations: { a: 1 } }), ['annotations.a: is 1; write a text']],
    ['versions array', () => resource({ versions: [{ spec }] }), ['versions: is a list; write an object: { name: ... }']],
    [
      'version null',
      () => resource({ versions: { v1: null } }),
      [
        'versions.v1: is null; write an object with spec, status, statusSubresource, fields, served, storage, deprecated, description, columns, scale, selectableFields, rules, structural',
      ],
    ],
    ['version undefined', () => resource({ versions: { v1: undefined } }), ['versions.v1: is undefined; leave it out']],
    [
      'version __proto__',
      () => resource({ versions: { ['__proto__']: { spec } } }),
      ["versions.__proto__: '__proto__' must be lower case letters, digits and dashes, beginning with a letter (DNS-1035 label)"],
    ],
    ['spec string', () => version({ spec: 'x' }), ['versions.v1.spec: string is not a zod schema; write one, for example z.string()']],
    [
      'spec plain object',
      () => version({ spec: { size: 1 } }),
      ['versions.v1.spec: a plain object is not a zod schema; wrap it: z.object({ ... })'],
    ],
    [
      'columns string entry',
      () => version({ columns: ['.spec.size'] }),
      ["versions.v1.columns[0]: is '.spec.size'; write an object with name, type, jsonPath, format, description, priority"],
    ],
    [
      'columns name undefined',
      () => version({ columns: [{ type: 'integer', jsonPath: '.spec.size' }] }),
      ['versions.v1.columns[0].name: is missing; write the heading of the column'],
    ],
    [
      'columns unknown key',
      () => version({ columns: [{ name: 'a', type: 'integer', jsonPath: '.spec.size', with: 3 }] }),
      ['versions.v1.columns[0].with: is not part of a column; known are name, type, jsonPath, format, description, priority'],
    ],
    [
      'scale empty',
      () => version({ status: spec, scale: {} }),
      [
        'versions.v1.scale.specReplicasPath: is missing; write a path such as .spec.replicas',
        'versions.v1.scale.statusReplicasPath: is missing; write a path such as .status.replicas',
      ],
    ],
    [
      'selectable undefined entry',
      () => version({ selectableFields: [undefined] }),
      ['versions.v1.selectableFields[0]: is undefined; leave it out'],
    ],
    [
      'selectable proto',
      () => version({ selectableFields: ['.spec.constructor'] }),
      ["versions.v1.selectableFields[0]: '.spec.constructor' is not in the schema; correct the path or add the field"],
    ],
    [
      'rules string entry',
      () => version({ rules: ['true'] }),
      ["versions.v1.rules[0]: is 'true'; write an object with rule, message, messageExpression, reason, fieldPath, optionalOldSelf"],
    ],
    ['rules number', () => version({ rules: [{ rule: 1 }] }), ['versions.v1.rules[0].rule: is 1; write a text']],
    ['storage string', () => version({ storage: 'yes' }), ["versions.v1.storage: is 'yes'; write true or false"]],
    ['deprecated number', () => version({ deprecated: 3 }), ['versions.v1.deprecated: is 3; write true, or the warning that clients get']],
    [
      'convert null entry',
      () => resource({ versions: { v1: { spec, storage: true }, v2: { spec } }, convert: { v2: null } }),
      [
        'convert.v2.toStorage: is missing; write a function from one version of the object to the other',
        'convert.v2.fromStorage: is missing; write a function from one version of the object to the other',
      ],
    ],
    [
      'default async',
      () => version({ spec: z.object({ a: z.string().default((async () => 'x') as never) }) }),
      ['versions.v1.spec.a: .default(): the value is not JSON (Promise); write a plain JSON value'],
    ],
    [
      'default circular',
      () => version({ spec: z.object({ a: k.json().default(circular as never) }) }),
      ['versions.v1.spec.a: .default(): the value is not JSON (Object); write a plain JSON value'],
    ],
    [
      'default function',
      () => version({ spec: z.object({ a: k.json().default({ f: () => 1 } as never) }) }),
      ['versions.v1.spec.a: .default(): the value is not JSON (Object); write a plain JSON value'],
    ],
    [
      'meta circular example',
      () => version({ spec: z.object({ a: z.string().meta({ example: circular }) }) }),
      ['versions.v1.spec.a: .meta({ example }) must be a JSON value'],
    ],
  ])('%s', (_, make, problems) => {
    expect(problemsOf(make)).toEqual(problems);
  });
});

describe('a controller or a watch that untyped code gets wrong is refused in words, never by a crash', () => {
  test.each<Case>([
    [
      'controller undefined',
      () => defineAny(undefined),
      [
        'the options: is undefined; write an object with name, for, owns, watches, reads, uses, observes, background, timeLimit, concurrency, backoff, retries, rate, abortOn, permissions, writesStatus, finalizer, formerFieldManagers, formerNames, formerFinalizers, released, annotations, reconcile, finalize',
      ],
    ],
    ['controller name symbol', () => controller({ name: Symbol('x') }), ['name: is Symbol(x); write a text']],
    ['controller name object', () => controller({ name: Object.create(null) }), ['name: is an object; write a text']],
    ['owns kind', () => controller({ owns: Deployment }), ['owns: is a function; write an object: { name: ... }']],
    ['owns array', () => controller({ owns: [Deployment] }), ['owns: is a list; write an object: { name: ... }']],
    [
      'owns __proto__',
      () => controller({ owns: { ['__proto__']: Deployment } }),
      ["owns.__proto__: '__proto__' is a reserved name: the context itself uses it; choose another"],
    ],
    [
      'owns watch()',
      () => controller({ owns: { a: watch(Pod) } }),
      ['owns.a: is not a kind; give a kind of keelson/kinds, or own(Kind, { ... })'],
    ],
    [
      'owns crd data',
      () => controller({ owns: { a: { group: 'x', version: 'v1', plural: 'xs', scope: 'Namespaced', kind: 'X' } } }),
      ['owns.a: is not a kind; give a kind of keelson/kinds, or own(Kind, { ... })'],
    ],
    [
      'watches literal verbs',
      () => controller({ watches: { a: { kind: Pod, verbs: ['delete'] } } }),
      ['watches.a: is not a kind; give a kind of keelson/kinds, or watch(Kind, { ... })'],
    ],
    [
      'watch options null',
      () => anyWatch(Pod, null),
      ['the options: is null; write an object with select, verbs, enqueue, only, indexes, metadataOnly, ignoreStatus, optional'],
    ],
    [
      'watch options fn',
      () => controller({ watches: { a: anyWatch(Pod, () => []) } }),
      ['the options: is a function; write an object with select, verbs, enqueue, only, indexes, metadataOnly, ignoreStatus, optional'],
    ],
    [
      'watch verbs string',
      () => controller({ watches: { a: anyWatch(Pod, { verbs: 'delete' }) } }),
      ["verbs: is 'delete'; write a list: [ ... ]"],
    ],
    [
      'watch unknown option',
      () => controller({ watches: { a: anyWatch(Pod, { enque: () => [] }) } }),
      ['enque: is not an option of a watch; known are select, verbs, enqueue, only, indexes, metadataOnly, ignoreStatus, optional'],
    ],
    [
      'watch select string',
      () => controller({ watches: { a: anyWatch(Pod, { select: 'app=x' }) } }),
      ["select: is 'app=x'; write an object with labels, labelSelector, fields, namespaces"],
    ],
    [
      'watch select number labels',
      () => controller({ watches: { a: anyWatch(Pod, { select: { labels: { a: 1 } } }) } }),
      ['select.labels.a: is 1; write a text'],
    ],
    [
      'watch select unknown',
      () => controller({ watches: { a: anyWatch(Pod, { select: { label: { a: 'b' } } }) } }),
      ['select.label: is not part of a selection; known are labels, labelSelector, fields, namespaces'],
    ],
    [
      'watch select bad label key',
      () => controller({ watches: { a: anyWatch(Pod, { select: { labels: { 'a b': 'c' } } }) } }),
      [
        "select.labels: 'a b' must be a name of at most 63 letters, digits, dashes, underscores and dots, with an optional DNS prefix and a slash (label key)",
      ],
    ],
    [
      'watch select expr',
      () =>
        controller({ watches: { a: anyWatch(Pod, { select: { labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } } }) } }),
      ['select.labelSelector.matchExpressions[0].values: is empty; In needs at least one value'],
    ],
    [
      'watch indexes array',
      () => controller({ watches: { a: anyWatch(Pod, { indexes: [() => []] }) } }),
      ['indexes: is a list; write an object: { name: ... }'],
    ],
    [
      'toOwner undefined',
      () => controller({ watches: { a: anyWatch(Pod, { enqueue: anyOwner(undefined) }) } }),
      ["owner: is not a kind; give a kind, or its name: toOwner('Memcached')"],
    ],
    [
      'permissions strings',
      () => controller({ permissions: ['pods'] }),
      [
        "permissions[0]: is 'pods'; write an object with apiGroups, resources, resourceNames, nonResourceURLs, verbs, clusterScoped, namespaces",
      ],
    ],
    [
      'permissions null entry',
      () => controller({ permissions: [null] }),
      [
        'permissions[0]: is null; write an object with apiGroups, resources, resourceNames, nonResourceURLs, verbs, clusterScoped, namespaces',
      ],
    ],
    [
      'permissions verbs string',
      () => controller({ permissions: [{ apiGroups: [''], resources: ['pods/exec'], verbs: 'create' }] }),
      ["permissions[0].verbs: is 'create'; write a list: [ ... ]"],
    ],
    [
      'permissions undefined in list',
      () => controller({ permissions: [{ apiGroups: [undefined], resources: ['pods'], verbs: ['get'] }] }),
      ['permissions[0].apiGroups[0]: is undefined; leave it out'],
    ],
    [
      'permissions unknown key',
      () => controller({ permissions: [{ apiGroups: [''], resource: ['pods'], verbs: ['get'] }] }),
      [
        'permissions[0].resource: is not part of a rule; known are apiGroups, resources, resourceNames, nonResourceURLs, verbs, clusterScoped, namespaces',
      ],
    ],
    [
      'permissions unknown verb',
      () => controller({ permissions: [{ apiGroups: [''], resources: ['pods'], verbs: ['GET', 'exec'] }] }),
      ["permissions[0].verbs: 'GET' is not a verb; write it in lower case, for example get"],
    ],
    ['finalizer null', () => controller({ finalizer: null, finalize() {} }), ['finalizer: is null; write a text']],
    ['writesStatus string', () => controller({ writesStatus: 'yes' }), ["writesStatus: is 'yes'; write true or false"]],
  ])('%s', (_, make, problems) => {
    expect(problemsOf(make)).toEqual(problems);
  });
});

describe('a webhook or a policy that untyped code gets wrong is refused in words, never by a crash', () => {
  test.each<Case>([
    ['validating null', () => check(Thing, null), ['handle: is null; write an object with create, update, delete, connect']],
    [
      'validating Create',
      () => check(Thing, { Create() {} }),
      ['handle.Create: is not an operation that is checked; known are create, update, delete, connect'],
    ],
    ['validating array', () => check(Thing, [() => []]), ['handle: is a list; write an object with create, update, delete, connect']],
    [
      'validating options null',
      () => check(Thing, () => [], null),
      [
        'the options: is null; write an object with name, path, select, namespaceSelector, matchConditions, failurePolicy, matchPolicy, sideEffects, timeoutSeconds, watches, uses, subresource',
      ],
    ],
    [
      'mc object',
      () => check(Thing, () => [], { matchConditions: { name: 'a', expression: 'true' } }),
      ['matchConditions: is an object; write a list: [ ... ]'],
    ],
    [
      'mc string',
      () => check(Thing, () => [], { matchConditions: ['true'] }),
      ["matchConditions[0]: is 'true'; write an object with name, expression"],
    ],
    [
      'mc number expr',
      () => check(Thing, () => [], { matchConditions: [{ name: 'a', expression: 1 }] }),
      ['matchConditions[0].expression: is 1; write a text'],
    ],
    [
      'select null',
      () => check(Thing, () => [], { select: null }),
      ['select: is null; write an object with labels, labelSelector, ofInstance'],
    ],
    [
      'nsSelector bad op',
      () => check(Thing, () => [], { namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } }),
      ["namespaceSelector.matchExpressions[0].operator: 'Is' is unknown; write one of 'In', 'NotIn', 'Exists', 'DoesNotExist'"],
    ],
    [
      'nsSelector unknown',
      () => check(Thing, () => [], { namespaceSelector: { labels: { a: 'b' } } }),
      ['namespaceSelector.labels: is not part of a label selector; known are matchLabels, matchExpressions'],
    ],
    [
      'mutating fn',
      () => change(Pod, () => {}),
      [
        'the options: is a function; write an object with name, path, select, namespaceSelector, matchConditions, failurePolicy, matchPolicy, sideEffects, timeoutSeconds, watches, uses, operations, subresource, reinvocationPolicy, apply',
      ],
    ],
    ['mutating ops string', () => change(Pod, { operations: 'CREATE', apply() {} }), ["operations: is 'CREATE'; write a list: [ ... ]"]],
    [
      'mutating subresource full',
      () => change(Pod, { subresource: 'pods/exec', apply() {} }),
      [
        "subresource: 'pods/exec' is not a subresource of Pod, which has attach, binding, ephemeralcontainers, eviction, exec, log, portforward, proxy, resize, status",
      ],
    ],
    ['defaulting no fn', () => complete(Thing), ['handle: is not a function; write one that takes the object']],
    [
      'policy no options',
      () => policy(Thing),
      [
        'the options: is undefined; write an object with name, validations, variables, matchConditions, operations, select, namespaceSelector, failurePolicy, validationActions',
      ],
    ],
    [
      'policy kind string',
      () => policy('Thing', { validations: [{ expression: 'true' }] }),
      ['kind: is not a kind; give a custom resource, or a kind of keelson/kinds'],
    ],
    [
      'policy validations strings',
      () => policy(Thing, { validations: ['true'] }),
      ["validations[0]: is 'true'; write an object with expression, message, messageExpression, reason"],
    ],
    [
      'policy unknown key',
      () => policy(Thing, { validations: [{ expresion: 'true' }] }),
      [
        'validations[0].expresion: is not part of a validation; known are expression, message, messageExpression, reason',
        'validations[0].expression: is missing; write CEL that yields true or false',
      ],
    ],
    [
      'policy message number',
      () => policy(Thing, { validations: [{ expression: 'true', message: 3 }] }),
      ['validations[0].message: is 3; write a text'],
    ],
    [
      'policy variables object',
      () => policy(Thing, { validations: [{ expression: 'true' }], variables: { a: '1' } }),
      ['variables: is an object; write a list: [ ... ]'],
    ],
    [
      'policy actions string',
      () => policy(Thing, { validations: [{ expression: 'true' }], validationActions: 'Deny' }),
      ["validationActions: is 'Deny'; write a list: [ ... ]"],
    ],
  ])('%s', (_, make, problems) => {
    expect(problemsOf(make)).toEqual(problems);
  });
});

describe('an operator, or the question for its rights, that untyped code gets wrong is refused in words, never by a crash', () => {
  test.each<Case>([
    [
      'operator undefined',
      () => operator(undefined),
      [
        'the options: is undefined; write an object with name, formerNames, controllers, webhooks, customResources, checks, endpoints, tasks',
      ],
    ],
    [
      'operator controllers undefined entry',
      () => operator({ name: 'o', controllers: [undefined] }),
      ['controllers[0]: is undefined; leave it out'],
    ],
    [
      'operator controllers kind',
      () => operator({ name: 'o', controllers: [Thing] }),
      ['controllers[0]: is not a controller; make it with defineController({ ... })'],
    ],
    [
      'operator controllers object',
      () => operator({ name: 'o', controllers: { a: controller({}) } }),
      ['controllers: is an object; write a list: [ ... ]'],
    ],
    [
      'operator controllers options',
      () => operator({ name: 'o', controllers: [{ name: 'c', for: Thing, reconcile() {} }] }),
      ['controllers[0]: is not a controller; make it with defineController({ ... })'],
    ],
    [
      'operator webhooks function',
      () => operator({ name: 'o', webhooks: [() => []] }),
      ['webhooks[0]: is not a webhook; make it with defaulting, mutating, validating, validatingPolicy or mutatingPolicy'],
    ],
    [
      'operator controller in webhooks',
      () => operator({ name: 'o', webhooks: [controller({})] }),
      ['webhooks[0]: is not a webhook; make it with defaulting, mutating, validating, validatingPolicy or mutatingPolicy'],
    ],
    [
      'operator cr kind',
      () => operator({ name: 'o', customResources: [Pod] }),
      [
        'customResources[0]: is not a custom resource of yours; make it with defineCustomResource({ ... }), and give it as a whole, not one of its versions',
      ],
    ],
    ['operator name symbol', () => operator({ name: Symbol('x'), controllers: [controller({})] }), ['name: is Symbol(x); write a text']],
    ['permissionsOf {}', () => anyRights({}), ['operator: is not an operator; make it with defineOperator({ ... })']],
    [
      'permissionsOf ns string',
      () => anyRights(operator({ name: 'o', controllers: [controller({})] }), { scope: { namespaces: 'a' } }),
      ["scope.namespaces: is 'a'; write a list: [ ... ]"],
    ],
    [
      'permissionsOf scope namespaced',
      () => anyRights(operator({ name: 'o', controllers: [controller({})] }), { scope: 'Namespaced' }),
      ["scope: 'Namespaced' is not a scope; write 'Cluster' or { namespaces: ['a'] }"],
    ],
  ])('%s', (_, make, problems) => {
    expect(problemsOf(make)).toEqual(problems);
  });
});

test('names that every object has are names like others', () => {
  const fields = z.object({ constructor: z.string(), ['__proto__']: z.string(), hasOwnProperty: z.string().optional() });
  const Odd = defineCustomResource({ group: 'a.example.com', kind: 'Constructor', versions: { v1: { spec: fields } } });
  expect(Object.keys(Odd.versionList[0]?.schema.properties?.['spec']?.properties ?? {})).toEqual([
    'constructor',
    '__proto__',
    'hasOwnProperty',
  ]);
  expect(problemsOf(() => controller({ owns: { constructor: Deployment, toString: Pod } }))).toEqual([]);
  expect(
    problemsOf(() =>
      policy(Thing, { validations: [{ expression: 'variables.constructor == 1' }], variables: [{ name: 'constructor', expression: '1' }] }),
    ),
  ).toEqual([]);
});

test('an error of the author’s own code keeps its cause', () => {
  const throwing = {
    get group(): string {
      throw new RangeError('mine');
    },
  };
  expect(() => defineResource(throwing)).toThrow(new RangeError('mine'));
});

test('a very long name is told in short', () => {
  const problems = problemsOf(() => resource({ kind: 'T'.repeat(5000) }));
  expect(problems.length).toBeGreaterThan(0);
  for (const problem of problems) expect(problem.length).toBeLessThan(250);
});
