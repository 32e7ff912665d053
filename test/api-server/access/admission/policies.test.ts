import { defaultAdmission } from '../../../../src/api-server/access/admission/index.js';
import type { AdmissionRequest, JsonObject } from '../../../../src/api-server/contract/index.js';
import { StatusError } from '../../../../src/api-server/status/index.js';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';
import { requestIn, resource, type World, world } from './surroundings.js';

const RULES = [{ operations: ['*'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['things'], scope: '*' }];

function policy(name: string, spec: object): JsonObject {
  return {
    metadata: { name },
    spec: { failurePolicy: 'Fail', matchConstraints: { resourceRules: RULES, matchPolicy: 'Equivalent' }, ...spec } as Json,
  };
}

function binding(name: string, spec: object): JsonObject {
  return { metadata: { name }, spec: { policyName: 'p', validationActions: ['Deny'], ...spec } as Json };
}

function within(policies: readonly JsonObject[], bindings: readonly JsonObject[]): World {
  const made = world();
  made.objects.set('validatingadmissionpolicies', [...policies]);
  made.objects.set('validatingadmissionpolicybindings', [...bindings]);
  return made;
}

async function outcome(made: World, request: Partial<AdmissionRequest> & { readonly version?: string } = {}): Promise<unknown> {
  try {
    await defaultAdmission(made).validate(requestIn(made, request));
    return 'admitted';
  } catch (error) {
    if (StatusError.isStatusError(error)) return error.status;
    throw error;
  }
}

const small = { validations: [{ expression: "object.metadata.labels.size == 'small'" }] };

describe('validating admission policies', () => {
  test('a denial says which policy, which binding and what', async () => {
    expect(await outcome(within([policy('p', small)], [binding('b', {})]))).toEqual({
      status: 'Failure',
      code: 422,
      reason: 'Invalid',
      message: `things.example.com "one" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression: object.metadata.labels.size == 'small'`,
      details: {
        name: 'one',
        group: 'example.com',
        kind: 'things',
        causes: [
          {
            message: `ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression: object.metadata.labels.size == 'small'`,
          },
        ],
      },
    });
  });

  test('without a binding a policy does nothing', async () => {
    expect(await outcome(within([policy('p', small)], [binding('b', { policyName: 'q' })]))).toBe('admitted');
  });

  test('a reason brings its code, Warn warns', async () => {
    const strict = policy('p', { validations: [{ expression: 'false', message: 'no', reason: 'Forbidden' }] });
    expect(await outcome(within([strict], [binding('b', {})]))).toMatchObject({ code: 403, reason: 'Forbidden' });
    const warned = within([strict], [binding('b', { validationActions: ['Warn'] })]);
    expect([await outcome(warned), warned.warnings]).toEqual([
      'admitted',
      ["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': no"],
    ]);
  });

  test('what fails to run denies, or with failurePolicy Ignore does nothing', async () => {
    const broken = { validations: [{ expression: 'object.spec.x == 1' }] };
    expect(await outcome(within([policy('p', broken)], [binding('b', {})]))).toMatchObject({
      message: expect.stringContaining('no such key: spec'),
    });
    expect(await outcome(within([policy('p', { ...broken, failurePolicy: 'Ignore' })], [binding('b', {})]))).toBe('admitted');
  });

  test.each<[string, object, object, Partial<AdmissionRequest>]>([
    ['another resource', { matchConstraints: { resourceRules: [{ ...RULES[0], resources: ['others'] }] } }, {}, {}],
    ['an excluded one', { matchConstraints: { resourceRules: RULES, excludeResourceRules: RULES } }, {}, {}],
    ['another name', { matchConstraints: { resourceRules: [{ ...RULES[0], resourceNames: ['two'] }] } }, {}, {}],
    ['labels of the namespace', {}, { matchResources: { namespaceSelector: { matchLabels: { team: 'y' } } } }, {}],
    ['labels of the object', {}, { matchResources: { objectSelector: { matchLabels: { size: 'small' } } } }, {}],
    ['a match condition', { matchConditions: [{ name: 'x', expression: 'request.name == "two"' }] }, {}, {}],
  ])('%s: it is not judged', async (_what, spec, bound, request) => {
    expect(await outcome(within([policy('p', { ...small, ...spec })], [binding('b', bound)]), request)).toBe('admitted');
  });

  test('an object at another version is judged at the one that the rule names', async () => {
    const converted = policy('p', {
      validations: [{ expression: "object.converted == 'v1'" }, { expression: "request.kind.version == 'v1'" }],
    });
    expect(await outcome(within([converted], [binding('b', {})]), { version: 'v1beta1' })).toBe('admitted');
  });

  test('the namespace of the object is there', async () => {
    const team = policy('p', { validations: [{ expression: "namespaceObject.metadata.labels.team == 'x'" }] });
    expect(await outcome(within([team], [binding('b', {})]))).toBe('admitted');
  });

  describe('parameters', () => {
    const limited = policy('p', {
      paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' },
      validations: [{ expression: 'params == null || params.max > 1', messageExpression: "'max is ' + string(params.max)" }],
    });

    function withLimits(bound: object, limits: readonly JsonObject[]): World {
      const made = within([limited], [binding('b', bound)]);
      made.catalog.put(resource({ plural: 'limits', kind: 'Limit', storageKey: 'example.com/limits' }));
      made.objects.set('limits', [...limits]);
      return made;
    }

    test('each that is chosen is judged with', async () => {
      const one = { metadata: { name: 'l', labels: { x: 'y' } }, max: 1 };
      expect(await outcome(withLimits({ paramRef: { name: 'l', parameterNotFoundAction: 'Deny' } }, [one]))).toMatchObject({
        message: expect.stringContaining('max is 1'),
      });
      expect(await outcome(withLimits({ paramRef: { selector: { matchLabels: { x: 'y' } } } }, [one]))).toMatchObject({ code: 422 });
      expect(await outcome(withLimits({}, [one]))).toBe('admitted');
    });

    test('those that are missing deny or do not, as the binding says', async () => {
      expect(await outcome(withLimits({ paramRef: { name: 'l', parameterNotFoundAction: 'Allow' } }, []))).toBe('admitted');
      expect(await outcome(withLimits({ paramRef: { name: 'l', parameterNotFoundAction: 'Deny' } }, []))).toMatchObject({
        message: expect.stringContaining(
          'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
        ),
      });
    });

    test('a kind that nobody serves is the fault of the configuration', async () => {
      expect(await outcome(within([limited], [binding('b', { paramRef: { name: 'l' } })]))).toMatchObject({
        message: expect.stringContaining('failed to configure binding: paramKind kind `example.com/v1, Kind=Limit` not known'),
      });
    });
  });
});
