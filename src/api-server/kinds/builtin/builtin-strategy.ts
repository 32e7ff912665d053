import { type FieldError, invalid, type Json, OperatorError } from '@keelson/kubernetes/apimachinery';
import { type Draft, draftOf, isObject, type JsonObject, type StatusStrategy, type Strategy } from '../../contract/index.js';
import { badRequest } from '../../status/index.js';
import type { GoStruct, GoTypes } from '../../values/index.js';
import type { Behaviour, Variant } from './behaviour.js';
import { settledErrors, subdomainNames } from './checks/index.js';
import { semanticEqual } from './semantic-equal.js';

/** One kind at one version, as far as the strategy has to know it. */
export interface KindAtVersion {
  readonly kind: string;
  readonly version: string;
  /** `apps/v1`; of the core group `v1`. */
  readonly apiVersion: string;
  readonly types: GoTypes;
  readonly struct: GoStruct;
  /** The common rule applies where a kind has no behaviour: a `status` is the server's, a change of `spec` counts as a generation. */
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
  const read = (object: JsonObject): object => readable(at, object);
  let empty: JsonObject | undefined;
  return {
    decode: (body) => decode(at, body),
    unstructuredProblem: (result) => at.types.unstructuredProblem(at.struct, result),
    setDefaults: (draft) => setDefaults(at, draft),
    get empty() {
      empty ??= withKind(at, at.types.emptyValue(at.struct) as Draft);
      return empty;
    },
    nameProblems: (name, isPrefix) => behaviour.nameProblems?.(name, isPrefix) ?? subdomainNames(name, isPrefix),
    prepareForCreate(draft, context) {
      throughStored(at, draft, (object) => {
        if (behaviour.prepareForCreate !== undefined) behaviour.prepareForCreate(object, context);
        else prepareForCreate(at, object as Draft);
      });
    },
    validate: (object, context) => [...finalizerErrors(at, object), ...(behaviour.validate?.(read(object), context) ?? [])],
    prepareForUpdate(draft, old, context) {
      keepGeneration(draft, old);
      throughStored(at, draft, (object) => {
        if (behaviour.prepareForUpdate !== undefined) behaviour.prepareForUpdate(object, storedVersion(at, old), context);
        else prepareForUpdate(at, object as Draft, storedVersion(at, old) as JsonObject);
      });
    },
    validateUpdate: (object, old, context) => [
      ...finalizerErrors(at, object),
      ...(behaviour.validateUpdate?.(read(object), read(old), context) ?? []),
    ],
    ...settling(at),
    revalidatesMetadata: behaviour.revalidatesMetadata ?? false,
    canonicalize: (draft) => canonicalize(at, draft),
    allowsCreateOnUpdate: behaviour.allowsCreateOnUpdate ?? false,
    allowsUnconditionalUpdate: behaviour.allowsUnconditionalUpdate ?? true,
    returnsDeleted: behaviour.returnsDeleted ?? at.returnsDeleted,
    ...optionalParts(at),
  } satisfies Strategy;
}

type OptionalParts = Pick<
  Strategy,
  'checkDelete' | 'defaultPropagation' | 'gracePeriodSeconds' | 'mayBeRemoved' | 'terminate' | 'warningsOnCreate' | 'warningsOnUpdate'
>;

/** The registry's own way, for a kind without the behaviour. */
function optionalParts(at: KindAtVersion): OptionalParts {
  const { behaviour } = at;
  const read = (object: JsonObject): object => readable(at, object);
  const has = (part: keyof OptionalParts): boolean => behaviour[part] !== undefined;
  return {
    ...(has('warningsOnCreate') && { warningsOnCreate: (object) => behaviour.warningsOnCreate?.(read(object)) ?? [] }),
    ...(has('warningsOnUpdate') && { warningsOnUpdate: (object, old) => behaviour.warningsOnUpdate?.(read(object), read(old)) ?? [] }),
    ...(has('checkDelete') && { checkDelete: (object, context, request) => behaviour.checkDelete?.(read(object), context, request) }),
    ...(has('gracePeriodSeconds') && { gracePeriodSeconds: (object, request) => behaviour.gracePeriodSeconds?.(read(object), request) }),
    ...(behaviour.defaultPropagation && { defaultPropagation: behaviour.defaultPropagation }),
    ...(has('terminate') && {
      terminate: (draft, request, context) => throughStored(at, draft, (object) => behaviour.terminate?.(object, request, context)),
    }),
    ...(has('mayBeRemoved') && { mayBeRemoved: (object) => behaviour.mayBeRemoved?.(read(object)) ?? true }),
  };
}

/** As validation sees an object. Definitions are full of values of others, in which null means something. */
function readable(at: KindAtVersion, object: JsonObject): object {
  const stored = storedVersion(at, object) as JsonObject;
  return at.apiVersion.startsWith('apiextensions.k8s.io/') ? stored : withoutNulls(stored);
}

/** Kinds of kube-apiserver's own libraries validate nothing by declaration. */
function settling({ apiVersion }: KindAtVersion): Pick<Strategy, 'settleErrors'> {
  return /^api(?:extensions|registration)\./.test(apiVersion) ? {} : { settleErrors: settledErrors };
}

const PLAIN_FINALIZERS: readonly string[] = ['kubernetes', 'orphan', 'foregroundDeletion'];

/** Kinds of kube-apiserver's own libraries ask more of finalizers than the metadata's rules. Source: kubernetes `pkg/apis/core/validation`. */
function finalizerErrors({ apiVersion }: KindAtVersion, { metadata }: JsonObject): readonly FieldError[] {
  if (/^api(?:extensions|registration)\./.test(apiVersion)) return [];
  const finalizers = (isObject(metadata) && (metadata['finalizers'] as readonly string[] | undefined | null)) || [];
  const text = 'name is neither a standard finalizer name nor is it fully qualified';
  return finalizers.flatMap((finalizer, index) =>
    finalizer.includes('/') || PLAIN_FINALIZERS.includes(finalizer) ? [] : [invalid(`metadata.finalizers[${index}]`, finalizer, text)],
  );
}

/** The strategy of `/status`: without a behaviour, everything but the status and the metadata is kept. */
export function builtinStatusStrategy(at: KindAtVersion): StatusStrategy {
  const { behaviour } = at;
  const read = (object: JsonObject): object => readable(at, object);
  return {
    prepareForUpdate(draft, old, context) {
      keepGeneration(draft, old);
      throughStored(at, draft, (object) => {
        const before = storedVersion(at, old);
        if (behaviour.prepareForStatusUpdate !== undefined) behaviour.prepareForStatusUpdate(object, before, context);
        else keepAllButStatus(object as Draft, before as JsonObject);
      });
    },
    validateUpdate: (object, old, context) => [
      ...finalizerErrors(at, object),
      ...(behaviour.validateStatusUpdate?.(read(object), read(old), context) ?? []),
    ],
    ...settling(at),
    canonicalize: (draft) => canonicalize(at, draft),
  };
}

/** The strategy of a subresource that the behaviour describes. */
export function builtinVariant(at: KindAtVersion, variant: Variant<object>): StatusStrategy {
  const stored = (object: JsonObject): object => storedVersion(at, object);
  return {
    prepareForUpdate(draft, old, context) {
      keepGeneration(draft, old);
      throughStored(at, draft, (object) => variant.prepareForUpdate(object, stored(old), context));
    },
    validateUpdate: (object, old, context) => variant.validateUpdate?.(stored(object), stored(old), context) ?? [],
    ...settling(at),
    warningsOnUpdate: (object, old) => variant.warningsOnUpdate?.(stored(object), stored(old)) ?? [],
    canonicalize: (draft) => canonicalize(at, draft),
  };
}

function decode(at: KindAtVersion, body: Json): ReturnType<Strategy['decode']> {
  try {
    const { value, unknown } = at.types.decodeJson(at.struct, body);
    return { draft: withKind(at, value as Draft), strictProblems: unknown, skipsUnknown: true };
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
  else draft[field] = draftOf(value as JsonObject);
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

/**
 * The object without fields that are null: Go writes lists and pointers so that must be there and are not. For validation a field is present with a value, or
 * absent.
 *
 * @returns the object itself where there is nothing to take away
 */
function withoutNulls<T extends JsonObject>(object: T): T {
  // Few objects have any: a look is cheaper than a copy that is thrown away.
  return holdsNull(object) ? (cleaned(object) as T) : object;
}

function holdsNull(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsNull);
  if (!isObject(value as JsonObject)) return false;
  for (const key of Object.keys(value as JsonObject)) {
    const item = (value as JsonObject)[key];
    if (item === null || (typeof item === 'object' && holdsNull(item))) return true;
  }
  return false;
}

function cleaned(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !holdsNull(value)) return value;
  if (Array.isArray(value)) return value.map(cleaned);
  const entries = Object.entries(value as JsonObject).filter(([, item]) => item !== null);
  return Object.fromEntries(entries.map(([key, item]) => [key, cleaned(item)]));
}
