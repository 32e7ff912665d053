import type { JsonObject } from '../../../../../src/api-server/contract/index.js';
import { builtinResources } from '../../../../../src/api-server/kinds/builtin/index.js';
import type { Fields } from '../stories/story.js';
import { created, messageOf } from '../stories/story-server.js';
import { context, served, surroundings } from '../surroundings.js';

describe('admission policies', () => {
  const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
  const rule = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
  const policy = (fields: Fields): Fields => ({ spec: { matchConstraints: { resourceRules: [rule] }, ...fields } });

  test('an expression that does not compile is refused when it is written, with the place', async () => {
    const told = await created(path, policy({ validations: [{ expression: 'object.x == 1 &&' }] }));
    expect(messageOf(told)).toBe(
      'ValidatingAdmissionPolicy.admissionregistration.k8s.io "a" is invalid: spec.validations[0].expression: Invalid value: "object.x == 1 &&": ' +
        "compilation failed: ERROR: <input>:1:17: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | object.x == 1 &&\n | ................^",
    );
  });

  test('only a policy with a paramKind has params', async () => {
    const validations = [{ expression: 'params.x == 1' }];
    expect(messageOf(await created(path, policy({ validations })))).toContain("undeclared reference to 'params'");
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    expect(await created(path, policy({ validations, paramKind }))).toMatchObject({
      status: 201,
      body: { metadata: { generation: 1 }, spec: { failurePolicy: 'Fail', matchConstraints: { matchPolicy: 'Equivalent' } } },
    });
  });

  test('an audit annotation may come to nothing, but not to a number', async () => {
    const annotations = (valueExpression: string): Fields => policy({ auditAnnotations: [{ key: 'k', valueExpression }] });
    expect((await created(path, annotations('null'))).status).toBe(201);
    expect(messageOf(await created(path, annotations('1')))).toContain('must evaluate to one of [string null_type] but got int');
  });
});

describe('parameters of policies', () => {
  const asked: unknown[] = [];
  const authorizer = {
    authorize(attributes: unknown) {
      asked.push(attributes);
      return { allowed: false, reason: '' };
    },
  };
  const resources = builtinResources({ ...surroundings, authorizer });
  const { strategy } = served(resources, { group: 'admissionregistration.k8s.io', version: 'v1', plural: 'validatingadmissionpolicies' });
  const rule = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
  const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] };
  const policy = (paramKind?: { apiVersion: string; kind: string }): JsonObject => {
    const { draft } = strategy.decode({ metadata: { name: 'a' }, spec: { ...spec, ...(paramKind && { paramKind }) } });
    strategy.setDefaults(draft);
    return draft;
  };
  const user = { username: 'ann', uid: 'u', groups: ['dev', 'staff'], extra: { b: ['1', '2'], a: ['3'] } };
  const kind = { apiVersion: 'x.example.com/v1', kind: 'Limit' };

  test('have to be readable for who writes the policy', async () => {
    expect(await strategy.validate(policy(kind), { ...context, user })).toEqual([
      {
        reason: 'FieldValueForbidden',
        field: 'spec.paramKind',
        message:
          'Forbidden: user &{ann u [dev staff] map[a:[3] b:[1 2]]} must have "get" permission on all objects of the referenced paramKind (kind=Limit, apiVersion=x.example.com/v1)',
      },
    ]);
    expect(asked).toEqual([{ type: 'resource', user, verb: 'get', apiGroup: 'x.example.com', resource: '*', name: '*', namespace: '*' }]);
  });

  test('are not asked for where there are none, they stay as they were, or an administrator writes', async () => {
    expect(await strategy.validate(policy(), { ...context, user })).toEqual([]);
    expect(await strategy.validateUpdate(policy(kind), policy(kind), { ...context, user })).toEqual([]);
    expect(await strategy.validate(policy(kind), context)).toEqual([]);
    expect(await strategy.validateUpdate(policy(kind), policy(), { ...context, user })).toHaveLength(1);
  });
});
