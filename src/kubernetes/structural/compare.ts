import { canonicalJson, type Json, type StructuralSchema } from '../apimachinery/index.js';

export type SchemaChangeKind =
  | 'field-added'
  | 'field-removed'
  | 'type-changed'
  | 'required-added'
  | 'required-removed'
  | 'bound-narrowed'
  | 'bound-widened'
  | 'values-narrowed'
  | 'values-widened'
  | 'pattern-changed'
  | 'nullable-removed'
  | 'nullable-added'
  | 'default-changed'
  | 'pruning-changed'
  | 'topology-changed'
  | 'rule-added'
  | 'rule-removed';

/** One difference between two schemas of a kind. */
export interface SchemaChange {
  /** `spec.list[].name`; empty for the root. */
  readonly path: string;
  readonly change: SchemaChangeKind;
  /** Whether objects or clients that were right under the old schema may be wrong under the new one. */
  readonly breaking: boolean;
  readonly explanation: string;
}

/**
 * The changes from `before` to `after`, for objects that were stored and clients that were written under `before`.
 *
 * Breaking: fields that vanish (their values are pruned), other types, new requirements, narrower bounds, enums, patterns, new rules, changed defaults and list types.
 * Descriptions, titles and examples do not count.
 */
export function compareSchemas(before: StructuralSchema, after: StructuralSchema): SchemaChange[] {
  return compareNodes({ before, after, path: '' });
}

/**
 * The reason why `apiVersion` alone does not distinguish versions (conversion strategy `None`): the server stores one shape and reads it as the other.
 *
 * Everything that would be pruned or retyped on the way there and back. Narrower validations are not among them: they stop writes, they lose nothing.
 */
export function interchangeProblems(version: StructuralSchema, storage: StructuralSchema): SchemaChange[] {
  const lossy: ReadonlySet<SchemaChangeKind> = new Set([
    'field-added',
    'field-removed',
    'type-changed',
    'pruning-changed',
    'topology-changed',
    'nullable-removed',
    'nullable-added',
  ]);
  return compareSchemas(storage, version)
    .filter(({ change }) => lossy.has(change))
    .map((change) =>
      change.change === 'field-added'
        ? { ...change, breaking: true, explanation: 'exists in this version only: it is pruned when the object is stored' }
        : change,
    )
    .map((change) =>
      change.change === 'field-removed'
        ? { ...change, explanation: 'exists in the stored version only: a client of this version deletes it with each update' }
        : change,
    );
}

interface Pair {
  readonly before: StructuralSchema;
  readonly after: StructuralSchema;
  readonly path: string;
}

function compareNodes(pair: Pair): SchemaChange[] {
  const { before, after, path } = pair;
  const [was, is] = [typeName(before), typeName(after)];
  if (was !== is && !(was === 'integer' && is === 'number')) {
    return [{ path, change: 'type-changed', breaking: true, explanation: `the type was ${was} and is ${is}: stored values do not fit` }];
  }
  return [...compareStructure(pair), ...compareValues(pair), ...compareBounds(pair), ...compareRules(pair), ...compareBelow(pair)];
}

function typeName(schema: StructuralSchema): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'int-or-string';
  return schema.type ?? 'any JSON';
}

const TOPOLOGY = ['x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type'] as const;

function compareStructure({ before, after, path }: Pair): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const preserve = 'x-kubernetes-preserve-unknown-fields';
  if (before[preserve] !== after[preserve]) {
    const explanation = after[preserve] === true ? 'unknown fields are kept now' : 'unknown fields were kept and are pruned now';
    changes.push({ path, change: 'pruning-changed', breaking: after[preserve] !== true, explanation });
  }
  if (before['x-kubernetes-embedded-resource'] !== after['x-kubernetes-embedded-resource']) {
    const now = after['x-kubernetes-embedded-resource'] === true;
    changes.push({
      path,
      change: 'pruning-changed',
      breaking: true,
      explanation: now
        ? 'must be a whole object with apiVersion and kind now'
        : 'is not an embedded object any more: its apiVersion, kind and metadata are pruned unless declared',
    });
  }
  const topology = TOPOLOGY.filter((key) => topologyOf(before, key) !== topologyOf(after, key));
  for (const key of topology) {
    const explanation = `${key} was ${topologyOf(before, key)} and is ${topologyOf(after, key)}: server-side apply merges differently, and what managers own is laid out anew`;
    changes.push({ path, change: 'topology-changed', breaking: true, explanation });
  }
  return changes;
}

/** Atomic lists and granular maps are what the server assumes where nothing is said. */
function topologyOf(schema: StructuralSchema, key: (typeof TOPOLOGY)[number]): string {
  const value = schema[key];
  if (value !== undefined) return String(value);
  return key === 'x-kubernetes-list-type' ? 'atomic' : key === 'x-kubernetes-map-type' ? 'granular' : 'none';
}

function compareValues({ before, after, path }: Pair): SchemaChange[] {
  const changes: SchemaChange[] = [];
  if (before.nullable !== after.nullable) {
    const now = after.nullable === true;
    changes.push({
      path,
      change: now ? 'nullable-added' : 'nullable-removed',
      breaking: !now,
      explanation: now ? 'null is allowed now: clients must expect it' : 'null was allowed: stored nulls are dropped or defaulted',
    });
  }
  const [was, is] = [before.default, after.default];
  if (canonicalJson(was) !== canonicalJson(is) || (was === undefined) !== (is === undefined)) {
    const added = was === undefined;
    const explanation = added
      ? `gets the default ${show(is)}: stored objects that leave it out change their meaning`
      : `the default was ${show(was)} and is ${is === undefined ? 'gone' : show(is)}: objects that leave it out change their meaning`;
    changes.push({ path, change: 'default-changed', breaking: !added, explanation });
  }
  return [...changes, ...compareEnums({ before, after, path }), ...comparePatterns({ before, after, path })];
}

function show(value: Json | undefined): string {
  return JSON.stringify(value);
}

function compareEnums({ before, after, path }: Pair): SchemaChange[] {
  const [was, is] = [before.enum?.map(canonicalJson), after.enum?.map(canonicalJson)];
  if (was === undefined && is === undefined) return [];
  if (was === undefined)
    return [{ path, change: 'values-narrowed', breaking: true, explanation: `only ${is?.join(', ')} are allowed now` }];
  if (is === undefined)
    return [{ path, change: 'values-widened', breaking: false, explanation: 'any value is allowed now: clients must expect new ones' }];
  const gone = was.filter((value) => !is.includes(value));
  const added = is.filter((value) => !was.includes(value));
  return [
    ...(gone.length === 0
      ? []
      : [{ path, change: 'values-narrowed', breaking: true, explanation: `${gone.join(', ')} is not allowed any more` } as const]),
    ...(added.length === 0
      ? []
      : [
          {
            path,
            change: 'values-widened',
            breaking: false,
            explanation: `${added.join(', ')} is allowed now: clients must expect it`,
          } as const,
        ]),
  ];
}

function comparePatterns({ before, after, path }: Pair): SchemaChange[] {
  return (['pattern', 'format', 'multipleOf', 'anyOf', 'oneOf', 'allOf', 'not'] as const).flatMap((key) => {
    const [was, is] = [canonicalJson(before[key]), canonicalJson(after[key])];
    if (was === is) return [];
    const lifted = after[key] === undefined;
    const explanation =
      before[key] === undefined
        ? `${key} ${is} is new: stored values may not fit`
        : lifted
          ? `${key} ${was} is gone`
          : `${key} was ${was} and is ${is}: stored values may not fit`;
    return [{ path, change: 'pattern-changed', breaking: !lifted, explanation } as const];
  });
}

const LOWER = ['minimum', 'minLength', 'minItems', 'minProperties'] as const;
const UPPER = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const;

function compareBounds({ before, after, path }: Pair): SchemaChange[] {
  const exclusive = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' } as const;
  return [...LOWER, ...UPPER].flatMap((key) => {
    const [was, is] = [before[key], after[key]];
    const flag = key === 'minimum' || key === 'maximum' ? exclusive[key] : undefined;
    const [open, closed] = flag === undefined ? [false, false] : [before[flag] === true, after[flag] === true];
    if (was === is && open === closed) return [];
    const direction = (LOWER as readonly string[]).includes(key) ? 1 : -1;
    const none = Number.NEGATIVE_INFINITY;
    const [old, current] = [was === undefined ? none : was * direction, is === undefined ? none : is * direction];
    const narrower = current > old || (current === old && closed);
    const explanation = `${key} was ${bound(was, open)} and is ${bound(is, closed)}`;
    return [
      {
        path,
        change: narrower ? 'bound-narrowed' : 'bound-widened',
        breaking: narrower,
        explanation: narrower ? `${explanation}: stored values may not fit` : explanation,
      } as const,
    ];
  });
}

function bound(value: number | undefined, exclusive: boolean): string {
  return value === undefined ? 'not set' : exclusive ? `${value} (exclusive)` : String(value);
}

function compareRules({ before, after, path }: Pair): SchemaChange[] {
  const [was, is] = [before, after].map((schema) => (schema['x-kubernetes-validations'] ?? []).map(({ rule }) => rule));
  const added = is?.filter((rule) => !was?.includes(rule)) ?? [];
  const removed = was?.filter((rule) => !is?.includes(rule)) ?? [];
  return [
    ...added.map(
      (rule) =>
        ({
          path,
          change: 'rule-added',
          breaking: true,
          explanation: `the rule ${rule} is new: stored objects may break it (unchanged parts are spared)`,
        }) as const,
    ),
    ...removed.map((rule) => ({ path, change: 'rule-removed', breaking: false, explanation: `the rule ${rule} is gone` }) as const),
  ];
}

function compareBelow({ before, after, path }: Pair): SchemaChange[] {
  const items =
    before.items !== undefined && after.items !== undefined
      ? compareNodes({ before: before.items, after: after.items, path: `${path}[]` })
      : [];
  return [...compareProperties({ before, after, path }), ...compareAdditional({ before, after, path }), ...items];
}

function compareProperties({ before, after, path }: Pair): SchemaChange[] {
  const [was, is] = [before.properties ?? {}, after.properties ?? {}];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names.flatMap((name) => compareProperty({ before, after, path }, name, [was[name], is[name]]));
}

function compareProperty(
  pair: Pair,
  name: string,
  [was, is]: readonly [StructuralSchema | undefined, StructuralSchema | undefined],
): SchemaChange[] {
  const path = pair.path === '' ? name : `${pair.path}.${name}`;
  const required = pair.after.required?.includes(name) === true;
  const wasRequired = pair.before.required?.includes(name) === true;
  const requirement: SchemaChange[] = [];
  if (required && !wasRequired && is?.default === undefined) {
    requirement.push({
      path,
      change: 'required-added',
      breaking: true,
      explanation: 'is required now: stored objects without it cannot be updated',
    });
  } else if (wasRequired && !required && is !== undefined) {
    requirement.push({
      path,
      change: 'required-removed',
      breaking: false,
      explanation: 'is optional now: clients must expect its absence',
    });
  }
  if (was !== undefined && is !== undefined) return [...requirement, ...compareNodes({ before: was, after: is, path })];
  if (is !== undefined) return [{ path, change: 'field-added', breaking: false, explanation: 'is new' }, ...requirement];
  const kept = pair.after['x-kubernetes-preserve-unknown-fields'] === true || pair.after.additionalProperties !== undefined;
  const explanation = kept
    ? 'is not declared any more; its values are kept as unknown fields'
    : 'is gone: its values are pruned from stored objects';
  return [{ path, change: 'field-removed', breaking: !kept, explanation }];
}

function compareAdditional({ before, after, path }: Pair): SchemaChange[] {
  const [was, is] = [before.additionalProperties, after.additionalProperties];
  if (was === undefined && is === undefined) return [];
  if (typeof was === 'object' && typeof is === 'object') return compareNodes({ before: was, after: is, path: `${path}.*` });
  if (was === is) return [];
  const gone = is === undefined || is === false;
  return [
    {
      path: `${path}.*`,
      change: gone ? 'field-removed' : 'field-added',
      breaking: gone,
      explanation: gone ? 'free keys are not allowed any more: they are pruned' : 'free keys are allowed now',
    },
  ];
}
