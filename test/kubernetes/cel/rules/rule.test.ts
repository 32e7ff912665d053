import type { StructuralSchema, ValidationRule } from '../../../../src/kubernetes/apimachinery/index.js';
import { compileRule, type RuleOptions } from '../../../../src/kubernetes/cel/index.js';
import { NEWEST_MINOR } from '../../../../src/kubernetes/cel/types/declarations.js';
import { KUBERNETES_MINOR } from '../../../../src/kubernetes/kinds/index.js';

const schema: StructuralSchema = {
  type: 'object',
  properties: {
    size: { type: 'integer' },
    name: { type: 'string', maxLength: 10 },
    labels: { type: 'object', additionalProperties: { type: 'object', properties: { 'a.b': { type: 'string' } } } },
  },
};

function compiled(rule: ValidationRule, options?: RuleOptions) {
  const result = compileRule(rule, schema, options);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.compiled;
}

function problemsOf(rule: ValidationRule, options?: RuleOptions) {
  const result = compileRule(rule, schema, options);
  return result.ok ? [] : result.problems;
}

test.each<[string, ValidationRule, RuleOptions | undefined, string, string]>([
  ['an empty rule', { rule: ' ' }, undefined, 'rule', 'rule is not specified'],
  ['an empty message', { rule: 'true', message: ' ' }, undefined, 'message', 'must be non-empty if specified'],
  ['a message of several lines', { rule: 'true', message: 'a\nb' }, undefined, 'message', 'must not contain line breaks'],
  [
    'several lines without a message',
    { rule: 'true ||\nfalse' },
    undefined,
    'message',
    'message must be specified if rule contains line breaks',
  ],
  [
    'an empty message expression',
    { rule: 'true', messageExpression: ' ' },
    undefined,
    'messageExpression',
    'messageExpression must be non-empty if specified',
  ],
  [
    'a message that is not a text',
    { rule: 'true', messageExpression: '1' },
    undefined,
    'messageExpression',
    'messageExpression must evaluate to a string',
  ],
  ['a rule that is not a bool', { rule: 'self.size' }, undefined, 'rule', 'cel expression must evaluate to a bool'],
  ['a path to nowhere', { rule: 'true', fieldPath: '.sice' }, undefined, 'fieldPath', 'must be a valid path'],
  ['a path without its dot', { rule: 'true', fieldPath: 'size' }, undefined, 'fieldPath', 'must be a valid path'],
  [
    'optionalOldSelf without oldSelf',
    { rule: 'true', optionalOldSelf: true },
    undefined,
    'optionalOldSelf',
    'may not be set if oldSelf is not used in rule',
  ],
  [
    'oldSelf without identity',
    { rule: 'self == oldSelf' },
    { uncorrelatedWithin: 'spec.items' },
    'rule',
    'oldSelf cannot be used on the uncorrelatable portion of the schema within spec.items',
  ],
])('%s is refused', (_, rule, options, ...[field, detail]) => {
  expect(problemsOf(rule, options)).toEqual([{ field, detail }]);
});

test('an error in the message expression is placed in its own text', () => {
  expect(problemsOf({ rule: 'true', messageExpression: 'self.nam' })).toEqual([
    {
      field: 'messageExpression',
      detail: "messageExpression compilation failed: ERROR: <input>:1:5: undefined field 'nam'\n | self.nam\n | ....^",
    },
  ]);
});

test('a schema that expressions cannot see takes no rule', () => {
  const result = compileRule({ rule: 'true' }, { type: 'array', items: { 'x-kubernetes-preserve-unknown-fields': true } });
  expect(result.ok).toBe(false);
});

test('a violated rule speaks with its message expression, at its field path, for its reason', () => {
  const rule = compiled({
    rule: 'self.size > 1',
    message: 'fixed',
    messageExpression: "'size is ' + string(self.size)",
    fieldPath: '.size',
    reason: 'FieldValueForbidden',
  });
  expect(rule.check({ size: 1 })).toEqual({ message: 'size is 1', reason: 'FieldValueForbidden', fieldPath: 'size' });
  expect(rule.check({ size: 2 })).toBeUndefined();
});

test.each([
  ['fails', "self.labels['none'].a__dot__b"],
  ['is empty', "' '"],
  ['has line breaks', "'a\\nb'"],
])('a message expression that %s gives way to the message', (_, messageExpression) => {
  expect(compiled({ rule: 'false', message: ' fixed ', messageExpression }).check({ labels: {} })?.message).toBe('fixed');
});

test('field paths may lead through map keys and quoted names', () => {
  const rule = compiled({ rule: 'false', fieldPath: ".labels['x']['a.b']" });
  expect(rule.check({})?.fieldPath).toBe('labels[x].a.b');
});

test('a rule with oldSelf waits for an old value', () => {
  const rule = compiled({ rule: 'self.size >= oldSelf.size', message: 'must not shrink' });
  expect(rule.usesOldSelf).toBe(true);
  expect(rule.check({ size: 1 })).toBeUndefined();
  expect(rule.check({ size: 1 }, { size: 2 })?.message).toBe('must not shrink');
});

test('with optionalOldSelf the rule runs on creation too', () => {
  const rule = compiled({ rule: 'oldSelf.hasValue() || self.size == 1', optionalOldSelf: true });
  expect(rule.check({ size: 1 })).toBeUndefined();
  expect(rule.check({ size: 2 })?.message).toBe('failed rule: oldSelf.hasValue() || self.size == 1');
  expect(rule.check({ size: 2 }, { size: 1 })).toBeUndefined();
});

test('a rule holds for null, and a missing field is an error of the rule', () => {
  const rule = compiled({ rule: 'self.size > 1' });
  expect(rule.check(null)).toBeUndefined();
  expect(rule.check({})).toEqual({
    message: 'no such key: size evaluating rule: self.size > 1',
    reason: 'FieldValueInvalid',
    fieldPath: '',
    evaluationError: 'no such key: size',
  });
});

test('a rule that costs too much tells that the others were not run', () => {
  const failure = compiled({ rule: 'self.name.matches("a*")' }).check({ name: 'a' }, undefined, { costLimit: 0 });
  expect(failure).toMatchObject({ budgetExceeded: true, evaluationError: 'operation cancelled: actual cost limit exceeded' });
});

test('the root of a resource shows its name, and nothing else of its metadata', () => {
  const rule = { rule: "self.metadata.name == 'a'" };
  expect(problemsOf(rule)).toHaveLength(1);
  expect(compiled(rule, { isResourceRoot: true }).check({ metadata: { name: 'a' } })).toBeUndefined();
  expect(problemsOf({ rule: "self.metadata.namespace == 'a'" }, { isResourceRoot: true })).toHaveLength(1);
});

test('what a release adds is refused in what must fit older ones, by its name and the release that accepts it', () => {
  const sorted = { rule: '[2, 1].sort() == [1, 2]' };
  expect(problemsOf(sorted)).toEqual([]);
  expect(compiled(sorted).check({})).toBeUndefined();
  expect(problemsOf(sorted, { libraries: 'portable' })).toEqual([
    expect.objectContaining({
      detail: expect.stringContaining("undeclared reference to 'sort' (in container ''): Kubernetes accepts sort since 1.35"),
    }),
  ]);
  expect(problemsOf({ rule: '[2, 1].sortBy(x, x) == [1, 2]' }, { libraries: 'portable' })[0]?.detail).toContain(
    'accepts sortBy since 1.35',
  );
  const various = "['b', 'a'].sortBy(x, x).first().value() == 'a' && [1, 1].distinct().size() == 1 && lists.range(3).slice(1, 3) == [1, 2]";
  expect(compiled({ rule: various }).check({})).toBeUndefined();
});

test('what the newest release adds is refused in new rules and known in stored ones', () => {
  const rule = { rule: "[1, 2].includes(2) && ![1].includes(2) && 'a'.includes('a') && !dyn({'a': 1}).includes('a')" };
  expect(problemsOf(rule).length).toBeGreaterThan(0);
  expect(compiled(rule, { libraries: 'stored' }).check({})).toBeUndefined();
});

test('the known releases are that of imports/, the one before, and the one before the oldest that is supported', () => {
  const minor = Number(KUBERNETES_MINOR.split('.')[1]);
  expect(NEWEST_MINOR).toEqual({ stored: minor, new: minor - 1, portable: minor - 4 });
});

test('a field may be written in backticks, but not where a rule must fit older releases', () => {
  const rule = { rule: 'self.`size` == 2 && has(self.`size`) && !has(self.`name`)' };
  expect(compiled(rule).check({ size: 2 })).toBeUndefined();
  expect(problemsOf(rule, { libraries: 'portable' })[0]?.detail).toContain("unsupported syntax: '`': Kubernetes accepts it since 1.37");
});

test('a dot in front of a name asks for the variable that a macro hides, and a hidden name has no fields of a global one', () => {
  expect(compiled({ rule: '[1].all(self, .self.size == 2)' }).check({ size: 2 })).toBeUndefined();
  expect(problemsOf({ rule: "['a'].all(net, type(ip('1.2.3.4')) == net.IP)" })).toHaveLength(1);
});
