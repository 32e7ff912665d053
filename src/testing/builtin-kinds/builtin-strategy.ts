import { dns1123SubdomainProblems, type Json, maskTrailingDash, OperatorError } from '../../kubernetes/index.js';
import type { GoStruct, GoTypes } from '../go-types/index.js';
import { type Draft, isObject, type JsonObject, type StatusStrategy, type Strategy } from '../resources/index.js';
import { badRequest } from '../status/index.js';
import type { Behaviour, Variant } from './behaviour.js';
import { semanticEqual } from './semantic-equal.js';

/** One kind at one version, as far as the strategy has to know it. */
export interface KindAtVersion {
  readonly kind: string;
  readonly version: string;
  /** `apps/v1`; of the core group `v1`. */
  readonly apiVersion: string;
  readonly types: GoTypes;
  readonly struct: GoStruct;
  /** What there is no behaviour for is done by the common rule: a `status` is the server's, a change of `spec` counts as a generation. */
  readonly behaviour: Behaviour<object>;
  readonly hasStatus: boolean;
  readonly returnsDeleted: boolean;
  /** Where this is not the stored version, of which the behaviour speaks. */
  readonly conversion?: {
    readonly storedApiVersion: string;
    convert(object: JsonObject, apiVersion: string): Draft;
    setDefaults(draft: Draft): void;
  };
}

/** The strategy of a built-in kind: decoding by its Go type, the rest by its behaviour. */
export function builtinStrategy(at: KindAtVersion): Strategy {
  const { behaviour } = at;
  const { checkDelete, gracePeriodSeconds, mayBeRemoved, terminate, warningsOnCreate, warningsOnUpdate, defaultPropagation } = behaviour;
  const stored = (object: JsonObject): object => storedVersion(at, object);
  let empty: JsonObject | undefined;
  return {
    decode: (body) => decode(at, body),
    setDefaults: (draft) => setDefaults(at, draft),
    get empty() {
      empty ??= withKind(at, at.types.emptyValue(at.struct) as Draft);
      return empty;
    },
    nameProblems: (name, isPrefix) => (behaviour.nameProblems ?? subdomainProblems)(name, isPrefix),
    prepareForCreate(draft, context) {
      throughStored(at, draft, (object) => {
        if (behaviour.prepareForCreate !== undefined) behaviour.prepareForCreate(object, context);
        else prepareForCreate(at, object as Draft);
      });
    },
    validate: (object, context) => behaviour.validate?.(stored(object), context) ?? [],
    ...(warningsOnCreate && { warningsOnCreate: (object: JsonObject) => warningsOnCreate.call(behaviour, stored(object)) }),
    prepareForUpdate(draft, old, context) {
      keepGeneration(draft, old);
      throughStored(at, draft, (object) => {
        if (behaviour.prepareForUpdate !== undefined) behaviour.prepareForUpdate(object, stored(old), context);
        else prepareForUpdate(at, object as Draft, stored(old) as JsonObject);
      });
    },
    validateUpdate: (object, old, context) => behaviour.validateUpdate?.(stored(object), stored(old), context) ?? [],
    ...(warningsOnUpdate && {
      warningsOnUpdate: (object: JsonObject, old: JsonObject) => warningsOnUpdate.call(behaviour, stored(object), stored(old)),
    }),
    revalidatesMetadata: behaviour.revalidatesMetadata ?? false,
    canonicalize: (draft) => canonicalize(at, draft),
    allowsCreateOnUpdate: behaviour.allowsCreateOnUpdate ?? false,
    allowsUnconditionalUpdate: behaviour.allowsUnconditionalUpdate ?? true,
    ...(checkDelete && { checkDelete: (object, context) => checkDelete.call(behaviour, stored(object), context) }),
    ...(gracePeriodSeconds && {
      gracePeriodSeconds: (object, request) => gracePeriodSeconds.call(behaviour, stored(object), request),
    }),
    ...(defaultPropagation && { defaultPropagation }),
    ...(terminate && {
      terminate: (draft, request, context) => throughStored(at, draft, (object) => terminate.call(behaviour, object, request, context)),
    }),
    returnsDeleted: behaviour.returnsDeleted ?? at.returnsDeleted,
    ...(mayBeRemoved && { mayBeRemoved: (object) => mayBeRemoved.call(behaviour, stored(object)) }),
  } satisfies Strategy;
}

/** The strategy of `/status`: without a behaviour, everything but the status and the metadata is kept. */
export function builtinStatusStrategy(at: KindAtVersion): StatusStrategy {
  const { behaviour } = at;
  const stored = (object: JsonObject): object => storedVersion(at, object);
  return {
    prepareForUpdate(draft, old, context) {
      keepGeneration(draft, old);
      throughStored(at, draft, (object) => {
        if (behaviour.prepareForStatusUpdate !== undefined) behaviour.prepareForStatusUpdate(object, stored(old), context);
        else keepAllButStatus(object as Draft, stored(old) as JsonObject);
      });
    },
    validateUpdate: (object, old, context) => behaviour.validateStatusUpdate?.(stored(object), stored(old), context) ?? [],
    canonicalize: (draft) => canonicalize(at, draft),
  };
}

/** The strategy of a subresource that the behaviour describes. */
export function builtinVariant(
  at: KindAtVersion,
  { prepareForUpdate: prepare, validateUpdate, warningsOnUpdate }: Variant<object>,
): StatusStrategy {
  const stored = (object: JsonObject): object => storedVersion(at, object);
  return {
    prepareForUpdate(draft, old, context) {
      keepGeneration(draft, old);
      throughStored(at, draft, (object) => prepare(object, stored(old), context));
    },
    validateUpdate: (object, old, context) => validateUpdate?.(stored(object), stored(old), context) ?? [],
    ...(warningsOnUpdate && { warningsOnUpdate: (object, old) => warningsOnUpdate(stored(object), stored(old)) }),
    canonicalize: (draft) => canonicalize(at, draft),
  };
}

function decode(at: KindAtVersion, body: Json): ReturnType<Strategy['decode']> {
  try {
    const { value, unknown } = at.types.decodeJson(at.struct, body);
    return { draft: withKind(at, value as Draft), strictProblems: unknown };
  } catch (error) {
    if (!OperatorError.isOperatorError(error) || error.code !== 'KEELSON_GO_DECODE') throw error;
    throw badRequest(`${at.kind} in version "${at.version}" cannot be handled as a ${at.kind}: ${error.message}`);
  }
}

/** A body may leave out what it is; a body that says something else is refused before. */
function withKind({ kind, apiVersion }: KindAtVersion, { kind: _kind, apiVersion: _apiVersion, ...fields }: Draft): Draft {
  return { kind, apiVersion, ...fields };
}

function setDefaults({ behaviour, conversion }: KindAtVersion, draft: Draft): void {
  if (conversion === undefined) behaviour.setDefaults?.(draft);
  else conversion.setDefaults(draft);
}

function subdomainProblems(name: string, isPrefix: boolean): readonly string[] {
  return dns1123SubdomainProblems(isPrefix ? maskTrailingDash(name) : name);
}

function storedVersion({ conversion }: KindAtVersion, object: JsonObject): object {
  return conversion === undefined ? object : conversion.convert(object, conversion.storedApiVersion);
}

/** Changes a draft in the form of which the behaviour speaks. */
function throughStored(at: KindAtVersion, draft: Draft, change: (object: object) => void): void {
  const { conversion } = at;
  if (conversion === undefined) {
    change(draft);
    return;
  }
  const object = conversion.convert(draft, conversion.storedApiVersion);
  change(object);
  replaceFields(draft, conversion.convert(object, at.apiVersion));
}

function prepareForCreate(at: KindAtVersion, draft: Draft): void {
  if (!at.hasStatus) return;
  const { status } = at.types.emptyValue(at.struct) as Draft;
  if (status === undefined) delete draft['status'];
  else draft['status'] = status;
  if (draft['spec'] !== undefined) metadataOf(draft)['generation'] = 1;
}

function prepareForUpdate(at: KindAtVersion, draft: Draft, old: JsonObject): void {
  if (!at.hasStatus) return;
  restore(draft, old, 'status');
  if (!semanticEqual(draft['spec'], old['spec'])) countGeneration(draft, old);
}

function keepAllButStatus(draft: Draft, old: JsonObject): void {
  for (const field of new Set([...Object.keys(draft), ...Object.keys(old)])) {
    if (field !== 'status' && field !== 'metadata' && field !== 'kind' && field !== 'apiVersion') restore(draft, old, field);
  }
}

function restore(draft: Draft, old: JsonObject, field: string): void {
  const value = old[field];
  if (value === undefined) delete draft[field];
  else draft[field] = structuredClone(value) as Draft;
}

/** No request sets it. Source: apiserver `pkg/registry/rest/update.go`. */
function keepGeneration(draft: Draft, old: JsonObject): void {
  const generation = generationOf(old);
  if (generation === 0) delete metadataOf(draft)['generation'];
  else metadataOf(draft)['generation'] = generation;
}

function countGeneration(draft: Draft, old: JsonObject): void {
  metadataOf(draft)['generation'] = generationOf(old) + 1;
}

function generationOf(object: JsonObject): number {
  const { metadata } = object;
  return isObject(metadata) && typeof metadata['generation'] === 'number' ? metadata['generation'] : 0;
}

function metadataOf(draft: Draft): Draft {
  const { metadata } = draft;
  if (isObject(metadata)) return metadata;
  const created: Draft = {};
  draft['metadata'] = created;
  return created;
}

/** Behaviours add and drop fields where they like; what is stored has the order and the gaps that Go would write. */
function canonicalize({ types, struct }: KindAtVersion, draft: Draft): void {
  replaceFields(draft, types.storedForm(struct, draft) as Draft);
}

function replaceFields(draft: Draft, fields: Draft): void {
  for (const key of Object.keys(draft)) delete draft[key];
  Object.assign(draft, fields);
}
