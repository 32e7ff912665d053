import type { Json, StructuralSchema } from '../../../src/kubernetes/apimachinery/index.js';
import {
  admissionEnvironment,
  CelEvaluationError,
  compile,
  compilePolicy,
  compileRule,
  untypedValue,
} from '../../../src/kubernetes/cel/index.js';
import type { Random } from '../values/apply/differential/random.js';
import { runCampaign } from './campaign.js';
import { celExpression } from './cel-expressions.js';
import { alteredJson } from './json-values.js';
import { objectOf, SAMPLES, WIDGET_DEFINITION, WIDGETS } from './samples.js';

interface Definition {
  readonly spec: {
    readonly versions: readonly {
      readonly schema: { readonly openAPIV3Schema: { readonly properties: { readonly spec: StructuralSchema } } };
    }[];
  };
}
const [version] = (WIDGET_DEFINITION as unknown as Definition).spec.versions;
const SCHEMA = version?.schema.openAPIV3Schema.properties.spec as StructuralSchema;
const WIDGET = SAMPLES.find(({ plural }) => plural === WIDGETS.plural);
if (WIDGET === undefined) throw new Error('no sample of a widget');
const OBJECT = objectOf(WIDGET, 'a', 'default');
/** As a cluster would: what runs longer than this is given up. */
const LIMIT = { costLimit: 20_000 };

/** The schema says what a rule may be sure of: values are changed only where it leaves them free. */
function widgetSpec(random: Random): Json {
  const { free, embedded, ...rest } = OBJECT['spec'] as { readonly [field: string]: Json };
  return { ...rest, free: alteredJson(random, free as Json, 0.3), ...random.maybe('embedded', () => embedded as Json) };
}

test('rules of schemas are compiled or refused, and then hold, fail, or say why they cannot be judged', () => {
  const tally = runCampaign({
    subject: 'CEL rules',
    generate: (random) => ({
      rule: {
        rule: celExpression(random),
        ...random.maybe('messageExpression', () => celExpression(random), 0.2),
        ...random.maybe('optionalOldSelf', () => random.chance(0.5), 0.2),
        ...random.maybe('fieldPath', () => random.one(['.size', '.parts[0]', ".map['a']", 'x', '.', '[']), 0.1),
      },
      value: widgetSpec(random),
      old: widgetSpec(random),
    }),
    run: ({ rule, value, old }) => {
      const result = compileRule(rule, SCHEMA);
      if (!result.ok) return 'refused';
      const failure = result.compiled.check(value, old, LIMIT);
      if (failure === undefined) return 'held';
      return failure.evaluationError === undefined ? 'failed' : 'not judged';
    },
  });
  expect([...tally.keys()].sort()).toEqual(['failed', 'held', 'not judged', 'refused']);
});

test('expressions of policies are compiled or refused, and judge any object', () => {
  const tally = runCampaign({
    subject: 'CEL policies',
    generate: (random) => ({
      policy: {
        params: random.chance(0.5),
        variables: random.chance(0.3) ? [{ name: random.one(['a', 'size', '1', '']), expression: celExpression(random) }] : [],
        matchConditions: random.chance(0.2) ? [{ name: 'a', expression: celExpression(random) }] : [],
        validations: [{ expression: celExpression(random), ...random.maybe('messageExpression', () => celExpression(random), 0.2) }],
      },
      free: celExpression(random),
      object: alteredJson(random, objectOf(random.one(SAMPLES), 'a'), 0.1),
    }),
    run: ({ policy, free, object }) => {
      evaluate(free, object);
      const result = compilePolicy(policy);
      if (!result.ok) return 'refused';
      const failures = result.compiled.check({ object, oldObject: null, request: { operation: 'CREATE' } }, LIMIT);
      return failures.length === 0 ? 'held' : 'failed';
    },
  });
  expect([...tally.keys()].sort()).toEqual(['failed', 'held', 'refused']);
});

function evaluate(source: string, object: Json): void {
  const result = compile(source, admissionEnvironment());
  if (!result.ok) return;
  try {
    result.program.evaluate({ object: untypedValue(object), oldObject: untypedValue(null), request: untypedValue({}) }, LIMIT);
  } catch (error) {
    if (!(error instanceof CelEvaluationError)) throw error;
  }
}
