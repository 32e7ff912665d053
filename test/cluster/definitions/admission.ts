import { DefinitionError, type PolicyOptions, validating, validatingPolicy } from 'keelson';
import { Pod } from 'keelson/kinds';

/** Expressions that are put into every place where admission takes CEL. */
export const expressions: readonly string[] = [
  'true',
  '1',
  "'text'",
  'null',
  '1 +',
  'object.spec.hostNetwork',
  'object.spec.hostNetwork == true',
  'object.spec.anything.at.all == 1',
  'bool(object.spec.hostNetwork)',
  'string(object.metadata.name)',
  'object == null || oldObject == null',
  "object.spec == {'a': 1}",
  'objekt == 1',
  'self.spec == 1',
  'params.limit == 1',
  'variables.one == 1',
  "variables.one == 'a'",
  'variables.other == 1',
  "request.namespace == 'a' && request.dryRun",
  "request.__namespace__ == 'a'",
  "request.user == 'a'",
  "request.userInfo.extra['a'].exists(v, v == 'b')",
  "request.options.fieldManager == 'a'",
  "request.kind.group == '' && request.resource.resource == 'pods' && request.subResource == ''",
  'has(namespaceObject.metadata.labels)',
  "namespaceObject.metadata.uid == 'a'",
  "authorizer.group('').resource('pods').check('get').allowed()",
  "authorizer.requestResource.check('get').allowed()",
  "object.metadata.name.matches('[')",
  "object.metadata.name.matches('^a')",
  "duration('x') == duration('1s')",
  "quantity('1Gi').isLessThan(quantity('2Gi'))",
  "[1, 'a'] == [1]",
  "1 == 'a'",
  'object.spec.containers.all(c, c.image.startsWith("a"))',
  "format.dns1123Label().validate('a').hasValue()",
  "isIP('10.0.0.1') && url('https://a').getHost() == 'a'",
  'oldObject.?spec.orValue({}).size() > 0',
];

/** Each place by its name, with what stands there. */
export function placesOf(expression: string): Readonly<Record<string, { readonly policy?: PolicyOptions; readonly condition?: string }>> {
  const validations = [{ expression: 'true' }];
  const variables = [{ name: 'one', expression: '1' }];
  return {
    validation: { policy: { validations: [{ expression }], variables } },
    messageExpression: { policy: { validations: [{ expression: 'true', messageExpression: expression }], variables } },
    'match condition of a policy': { policy: { validations, variables, matchConditions: [{ name: 'a', expression }] } },
    variable: { policy: { validations, variables: [...variables, { name: 'two', expression }] } },
    'match condition of a webhook': { condition: expression },
  };
}

const RULES = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }];

/** The object that carries it, and where to send it. */
export function admissionObject({ policy, condition }: ReturnType<typeof placesOf>[string]): {
  readonly plural: string;
  readonly object: unknown;
} {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const metadata = { name: 'judged.example.com' };
  if (policy !== undefined) {
    const spec = { matchConstraints: { resourceRules: RULES }, ...policy };
    return { plural: 'validatingadmissionpolicies', object: { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata, spec } };
  }
  const webhook = {
    name: metadata.name,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { url: 'https://127.0.0.1:1/' },
    rules: RULES,
    matchConditions: [{ name: 'a', expression: condition }],
  };
  const object = { apiVersion, kind: 'ValidatingWebhookConfiguration', metadata, webhooks: [webhook] };
  return { plural: 'validatingwebhookconfigurations', object };
}

/** Our problems, as the API server places and words them. */
export function ourAdmissionProblems({ policy, condition = '' }: ReturnType<typeof placesOf>[string]): readonly string[] {
  try {
    if (policy !== undefined) validatingPolicy(Pod, policy);
    else validating(Pod, () => [], { matchConditions: [{ name: 'a', expression: condition }] });
    return [];
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    const prefix = policy === undefined ? 'webhooks[0]' : 'spec';
    return error.problems.map(
      ({ path, message }) => `${prefix}.${path}: ${message.replace(/; its type is known at run time only.*$/, '')}`,
    );
  }
}
