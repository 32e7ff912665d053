import { writeFileSync } from 'node:fs';
import { eventually } from '../eventually.js';
import {
  judgedParams,
  judgedResource,
  knownPolicyDifferences,
  matchConditionExpressions,
  olderResource,
  POLICY_GROUP,
  POLICY_NAMESPACE,
  type PolicyVerdict,
  type PolicyVerdicts,
  policyExpressions,
  policyMessageExpressions,
  policyVariables,
  policyVerdictsFile,
} from '../kubernetes/cel/judged-policies.js';
import { policyVerdictOf } from '../kubernetes/cel/policy/policy-verdicts.js';
import { type ApiResponse, describeCluster, isStatus, type StatusCause, type TestObject } from './harness/index.js';

const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const BINDINGS = `${POLICIES.replace(/ies$/, 'y')}bindings`;
const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const RESOURCES = `/apis/${POLICY_GROUP}/v1/namespaces/${POLICY_NAMESPACE}/judgeds`;

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `judgeds.${POLICY_GROUP}` },
  spec: {
    group: POLICY_GROUP,
    scope: 'Namespaced',
    names: { kind: 'Judged', plural: 'judgeds' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } },
        },
      },
    ],
  },
} as TestObject;

interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
}

function policyOf(name: string, spec: object): TestObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      failurePolicy: 'Fail',
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints: {
        resourceRules: [{ apiGroups: [POLICY_GROUP], apiVersions: ['v1'], resources: ['judgeds'], operations: ['CREATE', 'UPDATE'] }],
      },
      ...spec,
    },
  } as TestObject;
}

function bindingOf(name: string, validationActions: readonly string[]): TestObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: {
      policyName: name,
      paramRef: { name: 'judged-params', namespace: POLICY_NAMESPACE, parameterNotFoundAction: 'Deny' },
      validationActions,
    },
  } as TestObject;
}

const causesOf = (body: unknown): readonly StatusCause[] => (isStatus(body) ? (body.details?.causes ?? []) : []);

/** The details of the refusals at `spec.<list>[n].<key>`, by n. */
function refusalsAt(body: unknown, list: string, key: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const { field = '', message = '' } of causesOf(body)) {
    const index = new RegExp(`${list}\\[(\\d+)\\]\\.${key}$`).exec(field)?.[1];
    if (index !== undefined)
      found.set(
        Number(index),
        message.slice(/: (?=compilation failed|must evaluate|Internal error|program)/.exec(message)?.index ?? -2).slice(2),
      );
  }
  return found;
}

describeCluster('CEL in policies and webhooks as the API server speaks it', (cluster) => {
  const verdicts: { -readonly [K in keyof PolicyVerdicts]: Record<string, PolicyVerdict> } = {
    validations: {},
    messages: {},
    policyConditions: {},
    webhookConditions: {},
  };

  beforeAll(async () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: POLICY_NAMESPACE, labels: { team: 'blue' } } };
    await cluster.request('POST', '/api/v1/namespaces', namespace);
    await cluster.must('POST', DEFINITIONS, definition);
    await cluster.must('POST', `/api/v1/namespaces/${POLICY_NAMESPACE}/configmaps`, judgedParams);
    await cluster.untilServed(`judgeds.${POLICY_GROUP}`);
  });

  afterAll(async () => {
    await cluster.must('DELETE', `${DEFINITIONS}/judgeds.${POLICY_GROUP}`);
    await cluster.must('DELETE', `/api/v1/namespaces/${POLICY_NAMESPACE}/configmaps/judged-params`);
  });

  function record(group: keyof PolicyVerdicts, expressions: readonly string[], refusals: ReadonlyMap<number, string>): void {
    for (const [index, expression] of expressions.entries()) {
      const compile = refusals.get(index);
      verdicts[group][expression] = compile === undefined ? {} : { compile };
    }
    const ours = expressions.map((expression) => [expression, policyVerdictOf(group, expression).compile]);
    expect(ours).toEqual(expressions.map((expression) => [expression, verdicts[group][expression]?.compile]));
  }

  test('a policy is refused for the same expressions, in the same words', async () => {
    const validations = policyExpressions.map((expression) => ({ expression }));
    const spec = { variables: policyVariables, validations };
    const { body } = await cluster.request('POST', `${POLICIES}?dryRun=All`, policyOf('judged', spec));
    record('validations', policyExpressions, refusalsAt(body, 'validations', 'expression'));
  });

  test('so it is for messages', async () => {
    const validations = policyMessageExpressions.map((messageExpression) => ({ expression: 'true', messageExpression }));
    const { body } = await cluster.request(
      'POST',
      `${POLICIES}?dryRun=All`,
      policyOf('judged', { variables: policyVariables, validations }),
    );
    record('messages', policyMessageExpressions, refusalsAt(body, 'validations', 'messageExpression'));
  });

  const conditions = matchConditionExpressions.map((expression, index) => ({ name: `c${index}`, expression }));

  test('so it is for match conditions of a policy', async () => {
    const spec = { variables: policyVariables, matchConditions: conditions, validations: [{ expression: 'true' }] };
    const { body } = await cluster.request('POST', `${POLICIES}?dryRun=All`, policyOf('judged', spec));
    record('policyConditions', matchConditionExpressions, refusalsAt(body, 'matchConditions', 'expression'));
  });

  test('so it is for match conditions of a webhook', async () => {
    const { body } = await cluster.request('POST', `${WEBHOOKS}?dryRun=All`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'judged' },
      webhooks: [
        {
          name: `judged.${POLICY_GROUP}`,
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { url: 'https://127.0.0.1:1/none' },
          matchConditions: conditions,
        },
      ],
    });
    record('webhookConditions', matchConditionExpressions, refusalsAt(body, 'matchConditions', 'expression'));
  });

  // The server keeps compiled policies by name for a while: each gets its own.
  let policies = 0;

  /** What warning policies say of the creation and of an update of the resource, by validation. */
  async function judge(validations: readonly Validation[]): Promise<readonly PolicyVerdict[]> {
    const marked = validations.map((validation) => ({ policy: `judged-${++policies}`, validation }));
    for (const { policy, validation } of marked) {
      await cluster.must(
        'POST',
        POLICIES,
        policyOf(policy, { variables: policyVariables, validations: [validation, { expression: 'false', message: 'ready' }] }),
      );
      await cluster.must('POST', BINDINGS, bindingOf(policy, ['Warn']));
    }
    const warnings = async (send: () => Promise<ApiResponse<unknown>>): Promise<ReadonlyMap<string, readonly string[]>> => {
      let found = new Map<string, string[]>();
      const areReady = async (): Promise<boolean> => {
        found = warningsByPolicy(await send());
        return marked.every(({ policy }) => found.get(policy)?.includes('ready') === true);
      };
      await eventually(areReady, () => `all policies are ready: ${JSON.stringify([...found])}`);
      return found;
    };
    const created = await warnings(() => cluster.request('POST', `${RESOURCES}?dryRun=All`, judgedResource));
    const { metadata } = await cluster.must('POST', RESOURCES, olderResource);
    const { resourceVersion } = metadata as { resourceVersion: string };
    const next = { ...judgedResource, metadata: { ...(judgedResource['metadata'] as object), resourceVersion } };
    const updated = await warnings(() => cluster.request('PUT', `${RESOURCES}/judged?dryRun=All`, next));
    await cluster.must('DELETE', `${RESOURCES}/judged`);
    for (const { policy } of marked) {
      await cluster.must('DELETE', `${BINDINGS}/${policy}`);
      await cluster.must('DELETE', `${POLICIES}/${policy}`);
    }
    const textOf = (found: ReadonlyMap<string, readonly string[]>, policy: string) => found.get(policy)?.find((text) => text !== 'ready');
    return marked.map(({ policy }) => {
      const [create, update] = [textOf(created, policy), textOf(updated, policy)];
      return { ...(create !== undefined && { create }), ...(update !== undefined && { update }) };
    });
  }

  function warningsByPolicy({ warnings }: ApiResponse<unknown>): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const warning of warnings) {
      const [, policy = '', text = ''] = /ValidatingAdmissionPolicy '([^']+)' with binding '[^']+': ([\s\S]*)$/.exec(warning) ?? [];
      found.set(policy, [...(found.get(policy) ?? []), text]);
    }
    return found;
  }

  test('an accepted policy has the same to say of a request', async () => {
    const chunks = chunksOf(
      policyExpressions.filter((expression) => verdicts.validations[expression]?.compile === undefined),
      12,
    );
    expect(chunks.flat().length).toBeGreaterThan(60);
    for (const expressions of chunks) {
      const answers = await judge(expressions.map((expression) => ({ expression })));
      for (const [index, expression] of expressions.entries()) verdicts.validations[expression] = answers[index] as PolicyVerdict;
    }
    const judged = chunks.flat().filter((expression) => !knownPolicyDifferences.has(expression));
    expect(judged.map((expression) => [expression, policyVerdictOf('validations', expression)])).toEqual(
      judged.map((expression) => [expression, verdicts.validations[expression]]),
    );
    // Against hangs: a server looks for new policies once a second, and there are some twenty chunks.
  });

  test('a message is made of the same text', async () => {
    const expressions = policyMessageExpressions.filter((expression) => verdicts.messages[expression]?.compile === undefined);
    const answers = await judge(expressions.map((messageExpression) => ({ expression: 'false', message: ' fixed ', messageExpression })));
    for (const [index, expression] of expressions.entries()) verdicts.messages[expression] = answers[index] as PolicyVerdict;
    expect(expressions.map((expression) => [expression, policyVerdictOf('messages', expression)])).toEqual(
      expressions.map((expression) => [expression, verdicts.messages[expression]]),
    );
    if (process.env['KEELSON_RECORD'] === '1') writeFileSync(policyVerdictsFile, `${JSON.stringify(verdicts, null, 1)}\n`);
  });
});

function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}
