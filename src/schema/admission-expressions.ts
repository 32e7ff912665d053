import { admissionEnvironment, type CelType, compile, formatType, renderProblems } from '../cel/index.js';
import type { StructuralSchema } from '../kubernetes/index.js';
import type { SchemaProblem } from './schema-error.js';

/** The CEL of a webhook (match conditions only) or of a validating policy. */
export interface AdmissionExpressions {
  readonly matchConditions?: readonly { readonly expression: string }[] | undefined;
  readonly variables?: readonly { readonly name: string; readonly expression: string }[] | undefined;
  readonly validations?: readonly { readonly expression: string; readonly messageExpression?: string | undefined }[] | undefined;
}

export interface AdmissionOptions {
  /** Schema of the one kind that `object` and `oldObject` can be; it must be the whole truth about them. Absent: they may be anything. */
  readonly objectSchema?: StructuralSchema | undefined;
}

/** One expression with its place. */
interface Placed {
  readonly path: string;
  readonly expression: string;
  readonly place: 'validation' | 'messageExpression' | 'matchCondition';
  /** What it must yield; `undefined` for a variable. */
  readonly yields?: 'bool' | 'string';
}

/**
 * What the API server has against the expressions, and what cannot come true.
 *
 * The API server types `object` and `oldObject` as `dyn` when it takes a webhook or a policy; what does not compile so is refused, byte for byte as here. The
 * types of its own later check of policies are told as warnings in their status only, and it is wrong at times (`object.spec == {...}` is fine). We are
 * stricter in two certain cases:
 *
 * - A field that the schema does not have. The schema is structural, so the API server prunes the field from every object before it asks: reading it fails
 *   each request, `has()` of it is always false. Other type errors under the schema are not told, as values of other types may be compared.
 * - `namespaceObject` in a match condition. It compiles, but is always null there, and reading it fails each request.
 *
 * @see apiserver 1.34, `pkg/apis/admissionregistration/validation` and `pkg/admission/plugin/cel`
 */
export function admissionExpressionProblems(expressions: AdmissionExpressions, options: AdmissionOptions = {}): SchemaProblem[] {
  const { matchConditions = [], variables = [], validations = [] } = expressions;
  const checker = new ExpressionChecker(options.objectSchema, variables.length > 0);
  // In order: a variable sees those before it.
  variables.forEach(({ name, expression }, index) => {
    checker.addVariable(name, { path: `variables[${index}].expression`, expression, place: 'validation' });
  });
  matchConditions.forEach(({ expression }, index) => {
    checker.check({ path: `matchConditions[${index}].expression`, expression, place: 'matchCondition', yields: 'bool' });
  });
  validations.forEach(({ expression, messageExpression }, index) => {
    checker.check({ path: `validations[${index}].expression`, expression, place: 'validation', yields: 'bool' });
    if (messageExpression === undefined) return;
    const path = `validations[${index}].messageExpression`;
    checker.check({ path, expression: messageExpression, place: 'messageExpression', yields: 'string' });
  });
  return checker.problems;
}

const DYN: CelType = { kind: 'dyn' };

class ExpressionChecker {
  readonly problems: SchemaProblem[] = [];
  readonly #objectType: CelType | undefined;
  /** As the API server types them. */
  readonly #variables = new Map<string, CelType>();
  /** As they are under the schema. */
  readonly #shapes = new Map<string, CelType>();

  readonly #hasVariables: boolean;

  constructor(objectSchema: StructuralSchema | undefined, hasVariables: boolean) {
    this.#objectType = objectSchema === undefined ? undefined : resourceShape(objectSchema);
    this.#hasVariables = hasVariables;
  }

  addVariable(name: string, placed: Placed): void {
    const types = this.check(placed);
    // A broken variable is told once, not again wherever it is used.
    this.#variables.set(name, types?.declared ?? DYN);
    this.#shapes.set(name, types?.shape ?? DYN);
  }

  check(placed: Placed): { readonly declared: CelType; readonly shape: CelType } | undefined {
    const { path, expression, place, yields } = placed;
    const result = compile(expression, admissionEnvironment({ place, ...this.#visible(this.#variables) }));
    if (!result.ok) return this.#refuse(path, `compilation failed: ${renderProblems(expression, result.problems)}`);
    const { resultType, references } = result.program;
    if (yields !== undefined && resultType.kind !== yields) {
      const hint = resultType.kind === 'dyn' ? `; its type is known at run time only: write ${yields}(...) around it` : '';
      return this.#refuse(path, `must evaluate to ${yields} but got ${formatType(resultType)}${hint}`);
    }
    if (place === 'matchCondition' && references.has('namespaceObject')) {
      return this.#refuse(path, 'reads namespaceObject, which is always null in a match condition; use namespaceSelector');
    }
    return { declared: resultType, shape: this.#shapeOf(placed) };
  }

  /** Compiles again under the schema, for the sake of undefined fields. */
  #shapeOf({ path, expression, place }: Placed): CelType {
    const objectType = this.#objectType;
    if (objectType === undefined) return DYN;
    const result = compile(expression, admissionEnvironment({ place, objectType, ...this.#visible(this.#shapes) }));
    if (result.ok) return result.program.resultType;
    const { problems } = result;
    // After another type error the types of what follows are guesses.
    if (problems.every(({ undefinedField }) => undefinedField !== undefined)) {
      const hints = problems.flatMap(({ undefinedField = '' }) => plainName(undefinedField));
      const [hint = 'the schema has no such field, so the API server never lets it in'] = hints;
      this.#refuse(path, `${renderProblems(expression, problems)}\n${hint}`);
    }
    return DYN;
  }

  /** The variables so far; a policy without any has no `variables` either. */
  #visible(types: ReadonlyMap<string, CelType>): { readonly variables?: Readonly<Record<string, CelType>> } {
    return this.#hasVariables ? { variables: Object.fromEntries(types) } : {};
  }

  #refuse(path: string, message: string): undefined {
    this.problems.push({ path, message });
    return undefined;
  }
}

/** Rules of a schema write `__namespace__` and `a__dash__b`; admission expressions read the object as it is in JSON. */
function plainName(field: string): string[] {
  if (/^__[a-z]+__$/.test(field)) return [`admission expressions do not escape names; write ${field.slice(2, -2)}`];
  return /__(?:dash|dot|slash|underscores)__/.test(field)
    ? ["admission expressions do not escape names; write it in brackets, ['a-b']"]
    : [];
}

const META_FIELDS: readonly string[] = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
];

function resourceShape(schema: StructuralSchema): CelType {
  const shape = shapeOf(schema, 'object');
  if (shape.kind !== 'object') return DYN;
  const metadata: CelType = { kind: 'object', name: 'object.metadata', fields: new Map(META_FIELDS.map((name) => [name, DYN])) };
  return { ...shape, fields: new Map([...shape.fields, ['apiVersion', DYN], ['kind', DYN], ['metadata', metadata]]) };
}

/** Where which fields can stand, and nothing else: scalars and everything that the schema leaves open are `dyn`. */
function shapeOf(schema: StructuralSchema, name: string): CelType {
  const { type, items, properties = {}, additionalProperties } = schema;
  if (schema['x-kubernetes-preserve-unknown-fields'] === true || schema['x-kubernetes-embedded-resource'] === true) return DYN;
  if (type === 'array') return { kind: 'list', item: items === undefined ? DYN : shapeOf(items, `${name}.@idx`) };
  if (type !== 'object' || additionalProperties === true) return DYN;
  if (typeof additionalProperties === 'object')
    return { kind: 'map', key: { kind: 'string' }, value: shapeOf(additionalProperties, `${name}.@elem`) };
  const fields = Object.entries(properties).map(([key, property]): [string, CelType] => [key, shapeOf(property, `${name}.${key}`)]);
  return { kind: 'object', name, fields: new Map(fields) };
}
