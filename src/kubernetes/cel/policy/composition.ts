import type { CelProgram, EvaluateOptions } from '../program/index.js';
import type { Libraries } from '../types/index.js';
import { type CelType, DYN, isIdentifier } from '../types/index.js';
import { CelEvaluationError, type CelMap, type CelValue, celError } from '../values/index.js';
import { compileAdmissionExpression, type ResultKinds } from './admission-expression.js';
import type { AdmissionProblem, NamedExpression } from './match-conditions.js';

export interface Environment {
  readonly params: boolean;
  readonly libraries: Libraries;
  /** Absent without composed variables: `variables` is then unknown. */
  readonly variables?: Readonly<Record<string, CelType>>;
}

export interface Variable {
  readonly name: string;
  readonly program: CelProgram;
}

export type Bindings = Readonly<Record<string, CelValue>>;

export function compileVariables(
  variables: readonly NamedExpression[],
  environment: Environment,
  problems: AdmissionProblem[],
): { readonly environment: Environment; readonly variables: readonly Variable[] } {
  if (variables.length === 0) return { environment, variables: [] };
  const types: Record<string, CelType> = {};
  const compiled: Variable[] = [];
  for (const [index, { name, expression }] of variables.entries()) {
    const field = `variables[${index}]`;
    if (name.trim() === '') problems.push({ field: `${field}.name`, detail: 'name is not specified' });
    else if (!isIdentifier(name)) problems.push({ field: `${field}.name`, detail: 'must be a valid CEL identifier' });
    const program = compileAt(
      `${field}.expression`,
      { source: expression, environment: { ...environment, variables: { ...types } }, results: 'any' },
      problems,
    );
    types[name] = composedType(program?.resultType);
    if (program !== undefined) compiled.push({ name, program });
  }
  return { environment: { ...environment, variables: types }, variables: compiled };
}

const KEPT_KINDS: ReadonlySet<string> = new Set(['bool', 'bytes', 'double', 'duration', 'int', 'null', 'string', 'timestamp', 'uint']);

/** The type that a variable has where it is used: what is neither scalar, list nor map becomes dyn. */
function composedType(type: CelType | undefined): CelType {
  switch (type?.kind) {
    case 'list':
      return { kind: 'list', item: composedType(type.item) };
    case 'map':
      return { kind: 'map', key: composedType(type.key), value: composedType(type.value) };
    default:
      return type !== undefined && KEPT_KINDS.has(type.kind) ? type : DYN;
  }
}

export function compileAt(
  field: string,
  { source, environment, results }: { readonly source: string; readonly environment: Environment; readonly results: ResultKinds },
  problems: AdmissionProblem[],
): CelProgram | undefined {
  if (source.trim() === '') {
    problems.push({ field, detail: 'expression is not specified' });
    return undefined;
  }
  const result = compileAdmissionExpression(source, { ...environment, results });
  if (result.ok) return result.program;
  problems.push({ field, detail: result.detail });
  return undefined;
}

/** `variables`: each evaluated when it is first read. `limits.onCost` is given the cost of each. */
export function composedVariables(variables: readonly Variable[], bindings: Bindings, limits: EvaluateOptions): CelMap {
  const known = new Map<string, CelValue>();
  const map: CelMap = {
    kind: 'map',
    size: variables.length,
    keys: () => variables.map(({ name }) => name),
    get: (key) => {
      const variable = variables.find(({ name }) => name === key);
      if (variable === undefined) return undefined;
      const before = known.get(variable.name);
      if (before !== undefined) return before;
      const value = evaluateVariable(variable, { ...bindings, variables: map }, limits);
      known.set(variable.name, value);
      return value;
    },
  };
  return map;
}

function evaluateVariable({ name, program }: Variable, bindings: Bindings, limits: EvaluateOptions): CelValue {
  try {
    return program.evaluate(bindings, limits);
  } catch (error) {
    if (error instanceof CelEvaluationError) return celError(`composited variable "${name}" fails to evaluate: ${error.message}`);
    throw error;
  }
}
