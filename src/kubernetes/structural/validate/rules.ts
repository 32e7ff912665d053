import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  type Json,
  OMITTED,
  required,
  type StructuralSchema,
} from '../../apimachinery/index.js';
import { type CompiledRule, type CostBudget, compileRule, OUT_OF_BUDGET_TEXT, objectBudget, type RuleFailure } from '../../cel/index.js';
import { type Correlation, correlatedField, correlatedItem, fieldSchemaOf, isUnchanged, olderItem } from './correlation.js';

/**
 * Evaluates the CEL rules of a schema over a value.
 *
 * Flow: the rules of a value first, then those of its `allOf`, its items and its fields. Null is never evaluated. Values that an update left unchanged keep their faults, which then
 * become warnings; rules with `oldSelf` are not spared.
 * Source: apiextensions-apiserver, `pkg/apiserver/schema/cel/validation.go`.
 */
export interface RuleContext {
  /** The rules of a node, compiled once per validator. `undefined` for one that does not compile: its text says why. */
  compiled(schema: StructuralSchema, isResourceRoot: boolean): readonly NodeRule[];
  warn(error: FieldError): void;
}

export type NodeRule = { readonly compiled: CompiledRule } | { readonly problem: string };

interface Visit {
  readonly schema: StructuralSchema;
  readonly path: string;
  readonly isResourceRoot: boolean;
  readonly value: Json;
  readonly old: Json | undefined;
  /** `undefined` below a part without identity; then the nearest one above decides. */
  readonly correlation: Correlation | undefined;
  readonly nearest: Correlation | undefined;
}

export function compileRules(schema: StructuralSchema, isResourceRoot: boolean): readonly NodeRule[] {
  return (schema['x-kubernetes-validations'] ?? []).map((rule) => {
    // Stored rules may use every library that this server knows; whether they may be used was asked when the CRD was made.
    const result = compileRule(rule, schema, { isResourceRoot, libraries: 'stored' });
    return result.ok ? { compiled: result.compiled } : { problem: result.problems.map(({ detail }) => detail).join(', ') };
  });
}

export function hasRules(schema: StructuralSchema | undefined): boolean {
  if (schema === undefined) return false;
  const { items, additionalProperties, properties = {} } = schema;
  return (
    (schema['x-kubernetes-validations'] ?? []).length > 0 ||
    hasRules(items) ||
    (typeof additionalProperties === 'object' && hasRules(additionalProperties)) ||
    Object.values(properties).some(hasRules)
  );
}

export function validateRules(visit: Visit, context: RuleContext): FieldError[] {
  const run: Run = { context, errors: [], budget: objectBudget() };
  // A budget that runs out anywhere ends it for the whole object.
  evaluate(visit, run);
  return run.errors;
}

interface Run {
  readonly context: RuleContext;
  readonly errors: FieldError[];
  readonly budget: CostBudget;
}

/** False when the budget is used up and nothing more is evaluated. */
function evaluate(visit: Visit, run: Run): boolean {
  if (visit.value === null) return true;
  if (!evaluateNode(visit, run)) return false;
  return childrenOf(visit).every((child) => evaluate(child, run));
}

function evaluateNode(visit: Visit, { context, errors, budget }: Run): boolean {
  const { schema, value, old, path } = visit;
  const type = schema.type ?? '';
  const rules = context.compiled(schema, visit.isResourceRoot);
  if (rules.length > 0 && budget.left <= 0) {
    errors.push(invalid(path, type, OUT_OF_BUDGET_TEXT));
    return false;
  }
  for (const rule of rules) {
    if ('problem' in rule) {
      errors.push(invalid(path, type, `rule compile error: ${rule.problem}`));
      continue;
    }
    const failure = rule.compiled.check(value, old, { budget });
    if (failure === undefined) continue;
    const error = fieldErrorOf(failure, { path, type, value });
    const spared = failure.evaluationError === undefined && !rule.compiled.usesOldSelf && isUnchanged(visit.correlation ?? visit.nearest);
    if (spared) context.warn(error);
    else errors.push(error);
    if (failure.budgetExceeded === true) return false;
  }
  return true;
}

function fieldErrorOf(
  { message, reason, fieldPath, evaluationError, budgetExceeded }: RuleFailure,
  { path, type, value }: { path: string; type: string; value: Json },
): FieldError {
  // A rule that was answered with false shows the value, if it is a scalar; one that could not be answered shows its type.
  const isAnswered = evaluationError === undefined && budgetExceeded !== true;
  const shown = !isAnswered ? type : type === 'object' || type === 'array' ? OMITTED : value;
  const field = evaluationError !== undefined || fieldPath === '' ? path : path === '' ? fieldPath : `${path}.${fieldPath}`;
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(field, message);
    case 'FieldValueRequired':
      return required(field, message);
    case 'FieldValueDuplicate':
      return duplicate(field, shown);
    default:
      return invalid(field, shown, message);
  }
}

type Fields = { readonly [key: string]: Json };

function fieldsOf(value: Json | undefined): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function childrenOf(visit: Visit): readonly Visit[] {
  const { schema, value, old } = visit;
  const nested = (schema.allOf ?? []).map(
    (alternative): Visit => ({ ...visit, schema: junctorSchema(alternative, schema), correlation: undefined }),
  );
  if (Array.isArray(value)) return [...nested, ...itemsOf(visit, value, Array.isArray(old) ? old : undefined)];
  const fields = fieldsOf(value);
  return fields === undefined ? nested : [...nested, ...fieldVisits(visit, fields, fieldsOf(old))];
}

/** Rules inside `allOf` are refused by structural CRDs; those that are there see the node's own types. */
function junctorSchema(alternative: StructuralSchema, schema: StructuralSchema): StructuralSchema {
  const { properties, additionalProperties, items, allOf, ...node } = schema;
  return { ...node, 'x-kubernetes-validations': alternative['x-kubernetes-validations'] ?? [] };
}

function itemsOf(visit: Visit, items: readonly Json[], olds: readonly Json[] | undefined): readonly Visit[] {
  const { schema, path } = visit;
  const { items: itemSchema } = schema;
  if (itemSchema === undefined) return [];
  return items.map((value, index) => ({
    schema: itemSchema,
    path: `${path}[${index}]`,
    isResourceRoot: itemSchema['x-kubernetes-embedded-resource'] === true,
    value,
    old: olderItem(schema, olds, value),
    ...below(visit, correlatedItem(visit.correlation, index)),
  }));
}

function fieldVisits(visit: Visit, fields: Fields, olds: Fields | undefined): readonly Visit[] {
  const { schema, path } = visit;
  return Object.entries(fields).flatMap(([key, value]) => {
    const property = fieldSchemaOf(schema, key);
    if (property === undefined) return [];
    const named = schema.properties !== undefined && Object.hasOwn(schema.properties, key);
    // At the root apiVersion and kind are converted and never count as unchanged.
    const lost = visit.nearest === undefined && (key === 'apiVersion' || key === 'kind');
    return {
      schema: property,
      path: named ? (path === '' ? key : `${path}.${key}`) : `${path}[${key}]`,
      isResourceRoot: property['x-kubernetes-embedded-resource'] === true,
      value,
      old: olds !== undefined && Object.hasOwn(olds, key) ? olds[key] : undefined,
      ...(lost ? { correlation: undefined, nearest: undefined } : below(visit, correlatedField(visit.correlation, key))),
    };
  });
}

/** Where a value has no older self of its own, the last one above that had decides. */
function below({ correlation, nearest }: Visit, found: Correlation | undefined): Pick<Visit, 'correlation' | 'nearest'> {
  return correlation === undefined ? { correlation, nearest } : { correlation: found, nearest: correlation };
}
