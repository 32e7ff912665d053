import { METADATA_FIELDS, type StructuralSchema } from '@keelson/kubernetes/apimachinery';
import {
  type AdmissionProblem,
  admissionEnvironment,
  type CelType,
  compile,
  compileMatchConditions,
  compileMutatingPolicy,
  compilePolicy,
  MUTATION_FIELDS,
  type MutationExpression,
  patchProblems,
  renderProblems,
} from '@keelson/kubernetes/cel';
import type { SchemaProblem } from '@keelson/kubernetes/structural';

interface Named {
  readonly name: string;
  readonly expression: string;
}

/** The CEL of a webhook (match conditions only), of a validating policy or of a mutating one. */
export interface AdmissionExpressions {
  readonly matchConditions?: readonly Named[] | undefined;
  readonly variables?: readonly Named[] | undefined;
  readonly validations?: readonly { readonly expression: string; readonly messageExpression?: string | undefined }[] | undefined;
  readonly mutations?: readonly MutationExpression[] | undefined;
}

export interface AdmissionOptions {
  /** Schema of the one kind that `object` and `oldObject` can be; it must be the whole truth about them. Absent: they may be anything. */
  readonly objectSchema?: StructuralSchema | undefined;
  /** Whether `params` exist; their schema, if it is the whole truth about them. @defaultValue false */
  readonly params?: StructuralSchema | boolean | undefined;
}

/**
 * The API server's objections to the expressions, and conditions that cannot come true.
 *
 * The API server types `object` and `oldObject` as `dyn` when it takes a webhook or a policy; what does not compile so is refused, in its words. The types of
 * its own later check of policies are recorded as warnings in their status only, and it is wrong at times (`object.spec == {...}` is fine). We are stricter in two
 * certain cases:
 *
 * - A field that the schema does not have. The schema is structural, so the API server prunes the field from every object before it asks: reading it fails
 *   each request, `has()` of it is always false. Other type errors under the schema are not reported, as values of other types may be compared.
 * - An `Object` of a mutation that its place does not allow ({@link patchProblems}).
 * - `namespaceObject` in a match condition. It compiles, but is always null there, and reading it fails each request.
 *
 * @see apiserver, `pkg/apis/admissionregistration/validation` and `pkg/admission/plugin/cel`
 */
export function admissionExpressionProblems(
  expressions: AdmissionExpressions,
  { objectSchema, params = false }: AdmissionOptions = {},
): SchemaProblem[] {
  const refused = refusedByServer(expressions, params !== false);
  const paramsType = typeof params === 'boolean' ? params : resourceShape(params);
  const objectType = objectSchema === undefined ? DYN : resourceShape(objectSchema);
  const isRefused = ({ path }: Placed): boolean => refused.some((problem) => problem.path === path);
  const shapes = new Map<string, CelType>();
  const hopeless = placedIn(expressions).flatMap((placed) => {
    const judged = isRefused(placed) ? { type: DYN, problems: [] } : judge(placed, { objectType, shapes, paramsType });
    if (placed.variable !== undefined) shapes.set(placed.variable, judged.type);
    return judged.problems;
  });
  return [...refused, ...hopeless];
}

/** Every supported release must accept the expressions. */
const PORTABLE = { libraries: 'portable' } as const;

function refusedByServer(expressions: AdmissionExpressions, params: boolean): SchemaProblem[] {
  return problemsOf(expressions, params).map(({ field, detail }) => ({ path: field, message: `${detail}${dynHint(detail)}` }));
}

function problemsOf(
  { matchConditions = [], variables = [], validations, mutations }: AdmissionExpressions,
  params: boolean,
): readonly AdmissionProblem[] {
  const common = { matchConditions, variables, params };
  if (mutations !== undefined) return failuresOf(compileMutatingPolicy({ ...common, mutations }, PORTABLE));
  return failuresOf(
    validations === undefined ? compileMatchConditions(matchConditions, PORTABLE) : compilePolicy({ ...common, validations }, PORTABLE),
  );
}

function failuresOf(
  result: { readonly ok: true } | { readonly ok: false; readonly problems: readonly AdmissionProblem[] },
): readonly AdmissionProblem[] {
  return result.ok ? [] : result.problems;
}

function dynHint(detail: string): string {
  const wanted = /^must evaluate to (bool|string) but got dyn$/.exec(detail)?.[1];
  return wanted === undefined ? '' : `; its type is known at run time only: write ${wanted}(...) around it`;
}

/** One expression with its place. */
interface Placed {
  readonly path: string;
  readonly expression: string;
  readonly place: 'validation' | 'messageExpression' | 'matchCondition';
  /** It makes a patch: `Object` and `JSONPatch` are known. */
  readonly isPatch?: boolean;
  /** Name of the variable that it defines. */
  readonly variable?: string;
}

/** All expressions, variables first: a variable sees those before it. */
function placedIn({ matchConditions = [], variables = [], validations = [], mutations = [] }: AdmissionExpressions): readonly Placed[] {
  const place = 'validation';
  return [
    ...variables.map(
      ({ name, expression }, index): Placed => ({ path: `variables[${index}].expression`, expression, place, variable: name }),
    ),
    ...matchConditions.map(
      ({ expression }, index): Placed => ({ path: `matchConditions[${index}].expression`, expression, place: 'matchCondition' }),
    ),
    ...mutations.map(
      ({ patchType, expression }, index): Placed => ({
        path: `mutations[${index}].${MUTATION_FIELDS[patchType]}.expression`,
        expression,
        place,
        isPatch: true,
      }),
    ),
    ...validations.flatMap(({ expression, messageExpression }, index): Placed[] => [
      { path: `validations[${index}].expression`, expression, place },
      ...(messageExpression === undefined
        ? []
        : [{ path: `validations[${index}].messageExpression`, expression: messageExpression, place: 'messageExpression' as const }]),
    ]),
  ];
}

const DYN: CelType = { kind: 'dyn' };

interface Shapes {
  readonly objectType: CelType;
  /** For the variables so far. */
  readonly shapes: ReadonlyMap<string, CelType>;
  readonly paramsType: CelType | boolean;
}

interface Judgement {
  readonly type: CelType;
  readonly problems: readonly SchemaProblem[];
}

/** Looks at an expression that the API server takes, under the schema of the object. */
function judge({ path, expression, place, variable, isPatch = false }: Placed, { objectType, shapes, paramsType }: Shapes): Judgement {
  const misplaced = isPatch ? patchProblems(expression, objectType.kind === 'object' ? objectType : undefined) : [];
  if (misplaced.length > 0) return { type: DYN, problems: [{ path, message: renderProblems(expression, misplaced) }] };
  const composed = shapes.size > 0 || variable !== undefined ? { variables: Object.fromEntries(shapes) } : {};
  const result = compile(expression, {
    ...admissionEnvironment({ place, objectType, params: paramsType, ...composed }),
    ...PORTABLE,
    patches: isPatch,
  });
  if (result.ok) {
    const { resultType, references } = result.program;
    const readsNull = place === 'matchCondition' && references.has('namespaceObject');
    const message = 'reads namespaceObject, which is always null in a match condition; use namespaceSelector';
    return { type: resultType, problems: readsNull ? [{ path, message }] : [] };
  }
  const { problems } = result;
  // After another type error the types of what follows are guesses.
  if (!problems.every(({ undefinedField }) => undefinedField !== undefined)) return { type: DYN, problems: [] };
  const [hint = 'the schema has no such field, so the API server never lets it in'] = problems.flatMap(({ undefinedField = '' }) =>
    plainName(undefinedField),
  );
  return { type: DYN, problems: [{ path, message: `${renderProblems(expression, problems)}\n${hint}` }] };
}

/** Rules of a schema write `__namespace__` and `a__dash__b`; admission expressions read the object as it is in JSON. */
function plainName(field: string): string[] {
  if (/^__[a-z]+__$/.test(field)) return [`admission expressions do not escape names; write ${field.slice(2, -2)}`];
  return /__(?:dash|dot|slash|underscores)__/.test(field)
    ? ["admission expressions do not escape names; write it in brackets, ['a-b']"]
    : [];
}

function resourceShape(schema: StructuralSchema): CelType {
  const shape = shapeOf(schema, 'object');
  if (shape.kind !== 'object') return DYN;
  const metadata: CelType = { kind: 'object', name: 'object.metadata', fields: new Map(METADATA_FIELDS.map((name) => [name, DYN])) };
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
