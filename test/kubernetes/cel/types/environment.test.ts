import type { StructuralSchema } from '../../../../src/kubernetes/apimachinery/index.js';
import {
  admissionEnvironment,
  celTypeOf,
  compile,
  escapePropertyName,
  formatType,
  unescapePropertyName,
  untypedValue,
} from '../../../../src/kubernetes/cel/index.js';

test.each([
  ['plain', 'plain'],
  ['x-y', 'x__dash__y'],
  ['a.b/c', 'a__dot__b__slash__c'],
  ['a__b', 'a__underscores__b'],
  ['namespace', '__namespace__'],
  ['in', '__in__'],
  ['_x', '_x'],
  ['9x', undefined],
  ['a b', undefined],
  ['ü', undefined],
  ['', undefined],
])('the property %s is read as %s', (name, identifier) => {
  expect(escapePropertyName(name)).toBe(identifier);
  if (identifier !== undefined) expect(unescapePropertyName(identifier)).toBe(name);
});

test.each<[string, StructuralSchema, string | undefined]>([
  ['int-or-string', { 'x-kubernetes-int-or-string': true }, 'dyn'],
  ['a map', { type: 'object', additionalProperties: { type: 'integer' } }, 'map(string, int)'],
  ['a list of lists', { type: 'array', items: { type: 'array', items: { type: 'number' } } }, 'list(list(double))'],
  ['bytes', { type: 'string', format: 'byte' }, 'bytes'],
  ['a date', { type: 'string', format: 'date' }, 'timestamp'],
  ['a duration', { type: 'string', format: 'duration' }, 'duration'],
  ['preserved data without a type', { 'x-kubernetes-preserve-unknown-fields': true }, undefined],
  ['a list of preserved data', { type: 'array', items: { 'x-kubernetes-preserve-unknown-fields': true } }, undefined],
])('%s has its CEL type', (_, schema, expected) => {
  const type = celTypeOf(schema);
  expect(type === undefined ? undefined : formatType(type)).toBe(expected);
});

function evaluate(expression: string, bindings: Parameters<Extract<ReturnType<typeof compile>, { ok: true }>['program']['evaluate']>[0]) {
  const result = compile(expression, admissionEnvironment({ params: true }));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.program.evaluate(bindings);
}

test('a policy sees object, oldObject, request and params', () => {
  const object = untypedValue({ spec: { replicas: 3 } });
  expect(
    evaluate("object.spec.replicas <= params.max && request.operation == 'CREATE' && oldObject == null", {
      object,
      oldObject: null,
      params: untypedValue({ max: 5 }),
      request: untypedValue({ operation: 'CREATE' }),
    }),
  ).toBe(true);
});

test('a policy may ask the authorizer, a rule may not', () => {
  const expression = "authorizer.group('apps').resource('deployments').check('create').allowed()";
  expect(compile(expression, admissionEnvironment()).ok).toBe(true);
  expect(compile("authorizer.requestResource.check('create').allowed()", admissionEnvironment()).ok).toBe(true);
  expect(compile(expression, { variables: {} }).ok).toBe(false);
});

test('each place sees what the API server shows there', () => {
  const declares = (options: Parameters<typeof admissionEnvironment>[0], expression: string) =>
    compile(expression, admissionEnvironment(options)).ok;
  const variables = { x: { kind: 'int' } } as const;
  for (const expression of ["object.metadata.name == request.name && request.namespace == 'x'", "namespaceObject.metadata.name == 'x'"])
    for (const place of ['validation', 'messageExpression', 'matchCondition'] as const) expect(declares({ place }, expression)).toBe(true);
  expect(declares({}, "request.__namespace__ == 'x'")).toBe(false);
  expect(declares({}, 'params.x == 1')).toBe(false);
  expect(declares({ params: true, place: 'matchCondition' }, 'params.x == 1')).toBe(true);
  expect(declares({ variables, place: 'messageExpression' }, 'variables.x == 1')).toBe(true);
  expect(declares({ variables, place: 'matchCondition' }, 'variables.x == 1')).toBe(false);
  expect(declares({ place: 'messageExpression' }, 'authorizer == authorizer')).toBe(false);
});

test('composed variables have their own types', () => {
  const environment = admissionEnvironment({ variables: { size: { kind: 'int' } } });
  expect(compile('variables.size > 1', environment).ok).toBe(true);
  expect(compile("variables.size == 'x'", environment).ok).toBe(false);
  expect(compile('variables.other == 1', environment).ok).toBe(false);
});
