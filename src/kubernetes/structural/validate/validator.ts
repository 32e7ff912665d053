import { type FieldError, fieldErrorText, invalid, type Json, type StructuralSchema } from '../../apimachinery/index.js';
import { compileGoPattern, type GoPattern } from '../../re2/index.js';
import type { Correlation } from './correlation.js';
import { hasEmbeddedObjects, validateEmbeddedObjects } from './embedded-objects.js';
import { fieldErrorOf } from './failure.js';
import { validateListTypes } from './list-types.js';
import { type OpenApiContext, validateOpenApi } from './open-api.js';
import { compileRules, hasRules, type NodeRule, validateRules } from './rules.js';
import { type ScaleValidation, validateScale } from './scale.js';

export interface ValidateOptions {
  /** The value before: makes this an update. Faults of unchanged parts are let pass, rules with `oldSelf` run. */
  readonly old?: Json | undefined;
  /**
   * Whether the value is a whole custom resource (and the schema its root).
   * @defaultValue true
   */
  readonly isResourceRoot?: boolean | undefined;
  /** An update through `/status`: only the status is held against the schema. */
  readonly subresource?: 'status' | undefined;
  /**
   * Whether duplicates in sets and list-maps are reported.
   * @defaultValue true
   */
  readonly listTypes?: boolean | undefined;
  /** Paths of the scale subresource, whose values are checked too. */
  readonly scale?: ScaleValidation | undefined;
  /** Errors found before, for example in the metadata: some of them keep rules from being evaluated, as on the server. They are returned first. */
  readonly preceding?: readonly FieldError[] | undefined;
  /** Called for each violated rule that an unchanged value is spared: the server sends it as a Warning header. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

/** Errors after which the API server does not evaluate rules. */
const BLOCKING: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const UNCHECKED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/** A schema made ready to validate many values: patterns and rules are compiled once, when first needed. */
export interface Validator {
  validate(value: Json, options?: ValidateOptions): FieldError[];
}

/**
 * Validates as kube-apiserver does, word for word: keywords, embedded objects, sets and list-maps, then CEL rules.
 *
 * Assumptions: the value has been pruned and defaulted before, as the server does. Where the server's order of errors is random (Go's maps), ours is that of the schema.
 * Numbers: 1.0 and 1 are one value in JavaScript; both count as integers.
 */
export function createValidator(schema: StructuralSchema): Validator {
  const rules = new Map<StructuralSchema, readonly NodeRule[]>();
  const ruled = hasRules(schema);
  // Most schemas have none, and looking for them in values costs as much as a keyword.
  const embedded = hasEmbeddedObjects(schema);
  const openApi = patternMatcher();
  const compiled = (node: StructuralSchema, isResourceRoot: boolean): readonly NodeRule[] => {
    const known = rules.get(node) ?? compileRules(node, isResourceRoot);
    rules.set(node, known);
    return known;
  };
  const evaluateRules = (value: Json, { old, isResourceRoot = true, onWarning }: ValidateOptions): FieldError[] => {
    const correlation = correlationOf(schema, value, old);
    const visit = { schema, path: '', isResourceRoot, value, old, correlation, nearest: undefined };
    return validateRules(visit, { compiled, warn: (error) => onWarning?.(fieldErrorText(error)) });
  };
  const validate: Validator['validate'] = (value, options = {}) => {
    const errors = [...(options.preceding ?? []), ...staticErrors(schema, value, { options, openApi, embedded })];
    if (!ruled) return errors;
    if (errors.some(({ reason }) => BLOCKING.has(reason))) return [...errors, invalid('', null, UNCHECKED)];
    return [...errors, ...evaluateRules(value, options)];
  };
  return { validate };
}

/** Values that break a keyword of a schema, in words without the values: bounds, lengths, patterns, enums, formats. Rules are not evaluated. */
export type KeywordJudge = (value: Json, path: string) => readonly string[];

/** A judge that compiles patterns once, when they are first needed. */
export function createKeywordJudge(schema: StructuralSchema): KeywordJudge {
  const openApi = patternMatcher();
  return (value, path) =>
    validateOpenApi({ schema, path }, value, openApi).failures.map(({ message }) => message.replace(' in body ', ' '));
}

/** {@link createValidator} for one value. */
export function validate(schema: StructuralSchema, value: Json, options: ValidateOptions = {}): FieldError[] {
  return createValidator(schema).validate(value, options);
}

function patternMatcher(): OpenApiContext {
  const patterns = new Map<string, GoPattern>();
  return {
    matches(pattern, text) {
      const compiled = patterns.get(pattern) ?? compileGoPattern(pattern);
      patterns.set(pattern, compiled);
      return compiled.test(text);
    },
  };
}

function correlationOf(schema: StructuralSchema, value: Json, old: Json | undefined): Correlation | undefined {
  return old === undefined ? undefined : { schema, value, old };
}

interface StaticContext {
  readonly options: ValidateOptions;
  readonly openApi: OpenApiContext;
  readonly embedded: boolean;
}

/** Everything but rules. */
function staticErrors(schema: StructuralSchema, value: Json, { options, openApi, embedded }: StaticContext): FieldError[] {
  const { old, scale, subresource } = options;
  const status = subresource === 'status';
  const part = status ? statusPart(schema, value, old) : { schema, value, old, prefix: '' };
  const failures =
    part === undefined
      ? []
      : validateOpenApi(
          { schema: part.schema, path: '', correlation: correlationOf(part.schema, part.value, part.old) },
          part.value,
          openApi,
        ).failures;
  // A list that was not unique before may stay so.
  const listTypesMatter = options.listTypes !== false && !(old !== undefined && validateListTypes(schema, old).length > 0);
  return [
    ...failures.map((failure) => fieldErrorOf(failure, part?.prefix ?? '')),
    ...(scale === undefined ? [] : validateScale(value, scale, status ? 'status' : 'all')),
    ...(status || !embedded ? [] : validateEmbeddedObjects(schema, value)),
    ...(listTypesMatter ? validateListTypes(schema, value) : []),
  ];
}

function statusPart(
  schema: StructuralSchema,
  value: Json,
  old: Json | undefined,
): { schema: StructuralSchema; value: Json; old: Json | undefined; prefix: string } | undefined {
  const status = (value as { readonly status?: Json }).status;
  const property = schema.properties?.['status'];
  if (status === undefined || property === undefined) return undefined;
  return { schema: property, value: status, old: (old as { readonly status?: Json } | undefined)?.status, prefix: 'status' };
}
