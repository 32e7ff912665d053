import { defineCustomResource, k, mutating, type PolicyOptions, validating, validatingPolicy } from 'keelson';
import { Pod } from 'keelson/kinds';
import { z } from 'zod';
import { problemsOf } from '../refusals.js';

const Cache = defineCustomResource({
  group: 'cache.example.com',
  kind: 'Cache',
  versions: {
    v1: {
      storage: true,
      spec: z.object({
        size: k.int32(),
        enabled: z.boolean().optional(),
        namespace: z.string().optional(),
        'a-b': z.string().optional(),
        labels: z.record(z.string(), z.string()).optional(),
        backends: z.array(z.object({ host: z.string() })).optional(),
        open: k.json().optional(),
      }),
      status: z.object({ ready: z.boolean() }),
    },
    v1alpha1: { spec: z.object({ shards: k.int32() }) },
  },
  convert: {
    v1alpha1: {
      toStorage: ({ spec }) => ({ spec: { size: spec.shards } }),
      fromStorage: ({ spec }) => ({ spec: { shards: spec.size } }),
      lossy: {
        fromStorage: Object.fromEntries(
          ['enabled', 'namespace', 'a-b', 'labels', 'backends', 'open'].map((field) => [`spec.${field}`, 'v1alpha1 has the size alone']),
        ),
      },
    },
  },
});

const policy = (options: Partial<PolicyOptions>, kind: Parameters<typeof validatingPolicy>[0] = Cache) =>
  problemsOf(() => validatingPolicy(kind, { validations: [{ expression: 'true' }], ...options }));
const check = (expression: string, kind?: Parameters<typeof validatingPolicy>[0]) => policy({ validations: [{ expression }] }, kind);
const condition = (expression: string, kind: typeof Cache | typeof Pod = Cache) =>
  problemsOf(() => validating(kind as typeof Cache, () => [], { matchConditions: [{ name: 'a', expression }] }));

describe('what the API server would not compile is refused, in its words', () => {
  test.each<[string, string, string]>([
    ['syntax', 'object.spec.size <', 'compilation failed: ERROR: <input>:1:19: Syntax error: mismatched input'],
    [
      'an unknown variable',
      'objekt.spec.size > 1',
      "compilation failed: ERROR: <input>:1:1: undeclared reference to 'objekt' (in container '')",
    ],
    ['params, as there is no paramKind', 'params.size > 1', "undeclared reference to 'params'"],
    ['types that do not go together', 'request.name == 1', "found no matching overload for '_==_' applied to '(string, int)'"],
    ['a field that requests do not have', "request.user == 'a'", "undefined field 'user'"],
    ['an escaped name, which only rules of a schema know', "request.__namespace__ == 'a'", "undefined field '__namespace__'"],
    ['another result than a bool', 'object.spec.size + 1 - 1', 'must evaluate to bool but got int'],
    ['a result that is a bool at run time only', 'object.spec.enabled', 'write bool(...) around it'],
    ['a pattern that RE2 cannot read', "object.metadata.name.matches('[')", 'invalid matches argument'],
  ])('%s', (_, expression, message) => {
    for (const problems of [check(expression), condition(expression)]) {
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain(message);
    }
  });

  test('the place is that of the expression', () => {
    const wrong = { expression: '1 +', messageExpression: 'x' };
    const paths = policy({
      variables: [{ name: 'v', expression: '1 +' }],
      matchConditions: [{ name: 'm', expression: '1 +' }],
      validations: [{ expression: 'true' }, wrong],
    }).map((problem) => problem.slice(0, problem.indexOf(':')));
    expect(paths).toEqual([
      'matchConditions[0].expression',
      'variables[0].expression',
      'validations[1].expression',
      'validations[1].messageExpression',
    ]);
  });

  test('a message must be a string, and may not ask the authorizer', () => {
    const message = (messageExpression: string) => policy({ validations: [{ expression: 'true', messageExpression }] });
    expect(message('string(object.spec.size)')).toEqual([]);
    expect(message('object.spec.size')[0]).toContain(
      'must evaluate to string but got dyn; its type is known at run time only: write string(...) around it',
    );
    expect(message("string(authorizer.group('').resource('pods').check('get').allowed())")[0]).toContain(
      "undeclared reference to 'authorizer'",
    );
  });

  test('a variable has its type where it is used, and is seen by later ones only', () => {
    const variables = [{ name: 'min', expression: '1' }];
    expect(policy({ variables, validations: [{ expression: 'object.spec.size >= variables.min' }] })).toEqual([]);
    expect(policy({ variables, validations: [{ expression: "variables.min == 'a'" }] })[0]).toContain("applied to '(int, string)'");
    expect(policy({ variables, validations: [{ expression: 'variables.max == 1' }] })[0]).toContain("undefined field 'max'");
    const forward = [{ name: 'a', expression: 'variables.min' }, ...variables];
    expect(policy({ variables: forward })[0]).toContain("undefined field 'min'");
    expect(policy({ matchConditions: [{ name: 'm', expression: 'variables.min == 1' }], variables })[0]).toContain(
      "undeclared reference to 'variables'",
    );
  });

  test('a broken variable is told once', () => {
    const variables = [{ name: 'broken', expression: '1 +' }];
    expect(policy({ variables, validations: [{ expression: 'variables.broken > 1' }] })).toHaveLength(1);
  });
});

describe('what can never come true is refused though the API server takes it', () => {
  test.each<[string, string]>([
    ['a misspelt field', 'object.spec.siez > 1'],
    ['a misspelt field of the old object', 'oldObject == null || oldObject.spec.siez > 1'],
    ['a field whose presence is asked for', '!has(object.spec.siez)'],
    ['an optional field', 'object.spec.?siez.orValue(1) == 1'],
    ['a field of list items', "object.spec.backends.all(b, b.hots != '')"],
    ['a field of metadata', "object.metadata.nmae == 'a'"],
    ['a field of the status', 'object.status.redy == true'],
    ['an object without a status at all', 'object.stauts.ready == true'],
  ])('%s', (_, expression) => {
    const [problem = ''] = check(expression);
    expect(problem).toMatch(/undefined field '(siez|hots|nmae|redy|stauts)'/);
    expect(problem).toMatch(/\nthe schema has no such field, so the API server never lets it in$/);
    expect(condition(expression)).toHaveLength(1);
  });

  test('a field of another version', () => {
    expect(check('object.spec.shards > 1')).toHaveLength(1);
    expect(check('object.spec.shards > 1', Cache.versions.v1alpha1)).toEqual([]);
    expect(check('object.spec.size > 1', Cache.versions.v1alpha1)).toHaveLength(1);
  });

  test('a name escaped as in rules: admission expressions see the object as it is in JSON', () => {
    expect(check("object.spec.__namespace__ == 'a'")[0]).toContain('admission expressions do not escape names; write namespace');
    expect(check("object.spec.a__dash__b == 'a'")[0]).toContain("admission expressions do not escape names; write it in brackets, ['a-b']");
  });

  test('a misspelt field below a variable', () => {
    const variables = [{ name: 'spec', expression: 'object.spec' }];
    expect(policy({ variables, validations: [{ expression: 'variables.spec.siez > 1' }] })[0]).toContain("undefined field 'siez'");
  });

  test('namespaceObject in a match condition: it is always null there', () => {
    const expression = "namespaceObject.metadata.name == 'a'";
    const message =
      'matchConditions[0].expression: reads namespaceObject, which is always null in a match condition; use namespaceSelector';
    expect(condition(expression)).toEqual([message]);
    expect(policy({ matchConditions: [{ name: 'm', expression }] })).toEqual([message]);
    expect(check(expression)).toEqual([]);
  });
});

describe('what the API server takes, and what may come true, is taken', () => {
  test.each([
    'object.spec.size > 1 && oldObject == null',
    "object.spec == {'size': 1}",
    "'size' in object.spec",
    "object.spec.size == 'one' || object.spec.size == null",
    "object.spec['siez'] == 1",
    'object.spec.all(key, object.spec[key] != 7)',
    "object.spec.namespace == 'a' && object.spec['a-b'] == 'b'",
    "object.spec.labels.anything == 'a'",
    'object.spec.open.anything.at.all == 1',
    'dyn(object).spec.siez == 1',
    '[object.spec, object.status].exists(part, has(part.ready) && part.ready)',
    "object.metadata.labels['a'] == 'b' && object.metadata.uid != '' && object.metadata.managedFields.size() > 0",
    "authorizer.group('').resource('pods').check('get').allowed()",
    "request.options.dryRun == true && request.userInfo.extra['a'].exists(v, v == 'b')",
  ])('%s', (expression) => {
    expect(check(expression)).toEqual([]);
    expect(condition(expression)).toEqual([]);
  });

  test('any field of a built-in kind: a cluster may be newer than we are', () => {
    expect(check('object.spec.fieldOfTomorrow == 1', Pod)).toEqual([]);
    expect(condition('object.spec.fieldOfTomorrow == 1', Pod)).toEqual([]);
  });

  test('any field below a subresource of another kind', () => {
    const of = (subresource: string) => () =>
      mutating(Cache, { subresource, apply: () => undefined, matchConditions: [{ name: 'a', expression: 'object.spec.replicas == 1' }] });
    expect(problemsOf(of('status'))).toHaveLength(1);
    expect(problemsOf(of('scale'))).toEqual(["subresource: 'scale' is not a subresource of Cache, which has status"]);
  });
});

describe('what the API server refuses beside CEL', () => {
  test.each<[string, Partial<PolicyOptions>, string]>([
    [
      'a reason that policies do not have',
      { validations: [{ expression: 'true', reason: 'Unauthorized' as 'Invalid' }] },
      "validations[0].reason: 'Unauthorized' is unknown; write one of 'Forbidden', 'Invalid', 'RequestEntityTooLarge'",
    ],
    [
      'an empty message',
      { validations: [{ expression: 'true', message: ' ' }] },
      'validations[0].message: is empty; leave it out, or say what is wrong',
    ],
    [
      'an empty message expression',
      { validations: [{ expression: 'true', messageExpression: ' ' }] },
      'validations[0].messageExpression: is empty; leave it out, or write CEL that yields a text',
    ],
    [
      'a variable named like a word of CEL',
      { variables: [{ name: 'namespace', expression: '1' }] },
      "variables[0].name: 'namespace' is a word of CEL; choose another name",
    ],
    [
      'an operation in lower case',
      { operations: ['create' as 'CREATE'] },
      "operations[0]: 'create' is unknown; write one of 'CREATE', 'UPDATE', 'DELETE', 'CONNECT'",
    ],
  ])('%s', (_, options, message) => {
    expect(policy(options)).toEqual([message]);
  });

  test('an expression of several lines needs a message or a message expression', () => {
    const expression = 'true\n&& true';
    expect(policy({ validations: [{ expression, messageExpression: "'a'" }] })).toEqual([]);
    expect(policy({ validations: [{ expression, message: 'a' }] })).toEqual([]);
    expect(policy({ validations: [{ expression }] })).toHaveLength(1);
  });
});
