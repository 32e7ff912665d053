import { canonicalJson, type Json } from '@keelson/kubernetes/apimachinery';
import { isJson, type Mark, marksOf } from '../marks.js';
import { metadataOf, unreadable, type ZodDef, type ZodNode } from '../zod-internals.js';
import { type ConversionContext, type Place, refuse } from './context.js';
import { nativeChecks } from './native-checks.js';

export interface DefaultValue {
  readonly value: Json;
  /** `.default()`: zod takes the value as it is. `.prefault()` fills in the defaults below it, as the API server always does. */
  readonly isWhole: boolean;
}

/** A schema without its wrappers, and what the wrappers said. */
export interface Unwrapped {
  readonly core: ZodNode;
  readonly optional: boolean;
  readonly nullable: boolean;
  readonly defaultValue: DefaultValue | undefined;
  /** Innermost first: the order in which the author chained them. */
  readonly marks: readonly Mark[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

const WRAPPERS: ReadonlySet<string> = new Set(['optional', 'nullable', 'default', 'prefault', 'readonly', 'nonoptional']);

interface Wrapped {
  optional: boolean | undefined;
  nullable: boolean;
  defaultValue: DefaultValue | undefined;
  readonly marks: Mark[];
  readonly metadata: Record<string, unknown>;
}

/** Takes the wrappers off, from the outside. `undefined` if there is no readable schema inside; the problem is then reported. */
export function unwrap(schema: unknown, context: ConversionContext, place: Place): Unwrapped | undefined {
  const found: Wrapped = { optional: undefined, nullable: false, defaultValue: undefined, marks: [], metadata: {} };
  let current = schema;
  for (;;) {
    const problem = unreadable(current);
    if (problem !== undefined) {
      refuse(context, place, problem);
      return undefined;
    }
    const node = current as ZodNode;
    collectLayer(node, found);
    if (!WRAPPERS.has(node._zod.def.type))
      return { ...found, core: node, optional: found.optional === true || found.defaultValue !== undefined };
    nativeChecks(node, context, place);
    applyWrapper(node._zod.def, found, { context, place });
    current = node._zod.def.innerType;
  }
}

function collectLayer(node: ZodNode, found: Wrapped): void {
  found.marks.unshift(...marksOf(node));
  for (const [key, value] of Object.entries(metadataOf(node))) {
    if (value !== undefined) found.metadata[key] ??= value;
  }
}

function applyWrapper(def: ZodDef, found: Wrapped, { context, place }: { context: ConversionContext; place: Place }): void {
  // The outermost of optional and nonoptional decides.
  if (def.type === 'optional') found.optional ??= true;
  else if (def.type === 'nonoptional') found.optional ??= false;
  else if (def.type === 'nullable') found.nullable = true;
  else if (def.type === 'default' || def.type === 'prefault') {
    if (found.defaultValue !== undefined) {
      refuse(context, place, 'two defaults on one field; keep one');
      return;
    }
    const problem = defaultProblem(def);
    if (problem === undefined) found.defaultValue = { value: def.defaultValue as Json, isWhole: def.type === 'default' };
    else refuse(context, place, problem);
  }
}

/** zod turns a function into a getter: reading twice is the only way to see that the value is computed. */
function defaultProblem(def: ZodDef): string | undefined {
  const first = def.defaultValue;
  const second = def.defaultValue;
  if (!isJson(first))
    return `.default(): the value is not JSON (${typeof first === 'object' ? (first as object).constructor.name : String(first)}); write a plain JSON value`;
  const missing = undefinedField(first);
  if (missing !== undefined) return `.default(): the field "${missing}" is undefined, which JSON cannot say; leave the field out`;
  if (canonicalJson(first) !== canonicalJson(second)) {
    return `.default(() => …) gives another value each time, the CRD carries one constant; set it in a defaulting webhook or in the reconciler`;
  }
  if (first === null) {
    return '.default(null): the API server has no null defaults, an absent field stays absent; leave the default out and treat absent like null (.nullish())';
  }
  return undefined;
}

/** The first field of a JSON value that is there without a value. */
function undefinedField(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, field] of Object.entries(value)) {
    const found = field === undefined ? name : undefinedField(field);
    if (found !== undefined) return found;
  }
  return undefined;
}
