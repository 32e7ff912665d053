import { writeFileSync } from 'node:fs';
import type { StructuralSchema } from '../../src/kubernetes/apimachinery/index.js';
import { eventually } from '../eventually.js';
import {
  type TransitionVerdict,
  transitionSchema,
  transitions,
  transitionVerdictOf,
  transitionVerdictsFile,
} from '../kubernetes/cel/judged-transitions.js';
import { describeCluster, isStatus, type TestObject } from './harness/index.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const NAME = 'transitions.transitions.example.com';
const RESOURCES = '/apis/transitions.example.com/v1/transitions';

const definitionOf = (openAPIV3Schema: StructuralSchema): TestObject =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: NAME },
    spec: {
      group: 'transitions.example.com',
      scope: 'Cluster',
      names: { kind: 'Transition', plural: 'transitions' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  }) as TestObject;

/** The schema before the rules came, under which every object can be stored. */
function withoutRules(schema: StructuralSchema): StructuralSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === 'x-kubernetes-validations' ? undefined : value)),
  ) as StructuralSchema;
}

/** What Go's parser adds to the name of a text that it cannot read: the layout that it tried last. Ours ends before that. */
const GO_LAYOUT = /: parsing time ".*(?= evaluating rule)/;

function textsOf(body: unknown): string[] {
  const causes = isStatus(body) ? (body.details?.causes ?? []) : [];
  return causes.map(({ field, message = '' }) => `${field}: ${message.replace(GO_LAYOUT, '')}`).sort();
}

describeCluster('CEL rules over changes as the API server evaluates them', (cluster) => {
  beforeAll(async () => {
    await cluster.must('POST', DEFINITIONS, definitionOf(withoutRules(transitionSchema)));
    await cluster.untilServed(NAME);
  });

  afterAll(async () => {
    await cluster.must('DELETE', `${DEFINITIONS}/${NAME}`);
  });

  test('each is let pass, refused or warned of in the same words', async () => {
    const stored = new Map<string, TestObject>();
    for (const { name, before } of transitions) stored.set(name, await cluster.must('POST', RESOURCES, before));
    const { metadata } = await cluster.must('GET', `${DEFINITIONS}/${NAME}`);
    const { resourceVersion } = metadata as { resourceVersion: string };
    const definition = definitionOf(transitionSchema);
    await cluster.must('PUT', `${DEFINITIONS}/${NAME}`, { ...definition, metadata: { name: NAME, resourceVersion } });
    const violating = { ...(transitions.find(({ name }) => name === 'plain-0')?.after as TestObject), metadata: { name: 'probe' } };
    await untilRefused(violating);
    const verdicts: Record<string, TransitionVerdict> = {};
    for (const { name, after } of transitions) {
      const created = await cluster.request('POST', `${RESOURCES}?dryRun=All`, {
        ...(after as TestObject),
        metadata: { name: `${name}-new` },
      });
      const metadata = (stored.get(name) as TestObject).metadata;
      const updated = await cluster.request('PUT', `${RESOURCES}/${name}?dryRun=All`, { ...(after as TestObject), metadata });
      verdicts[name] = { create: textsOf(created.body), update: textsOf(updated.body), warnings: [...updated.warnings].sort() };
    }
    const ours = Object.fromEntries(transitions.map((transition) => [transition.name, transitionVerdictOf(transition)]));
    if (process.env['KEELSON_RECORD'] === '1') writeFileSync(transitionVerdictsFile, `${JSON.stringify(verdicts, null, 1)}\n`);
    expect(ours).toEqual(verdicts);
  });

  /** Waits until the new schema is in force. */
  async function untilRefused(object: TestObject): Promise<void> {
    await eventually(
      async () => (await cluster.request('POST', `${RESOURCES}?dryRun=All`, object)).status === 422,
      'the rules are in force',
    );
  }
});
