import {
  apiVersionOf,
  dns1123SubdomainProblems,
  equalJson,
  type FieldError,
  groupVersionOf,
  invalid,
  type Json,
  maskTrailingDash,
} from '@keelson/kubernetes/apimachinery';
import {
  draftOf,
  isObject,
  type JsonObject,
  type MutableJson,
  type ScalePaths,
  type StatusStrategy,
  type Strategy,
} from '../../contract/index.js';
import { invalidObject } from '../../status/index.js';
import { type DecodeParts, decodeObject } from './decode-object.js';
import { finalizerWarnings } from './finalizer-warnings.js';
import { metadataOf, replaceFields, sortDraft } from './sorted.js';
import type { VersionSchema } from './version-schema.js';

/** One version of a definition, as far as strategies have to know it. */
export interface StrategyParts extends DecodeParts {
  readonly schema: VersionSchema;
  readonly hasStatus: boolean;
  readonly scale: ScalePaths | undefined;
}

/** Source: apiextensions-apiserver, `pkg/registry/customresource/strategy.go`. */
export function customResourceStrategy(parts: StrategyParts): Strategy {
  const { schema, hasStatus, scale, group, version, kind } = parts;
  return {
    decode: (body) => decodeObject(parts, body),
    setDefaults: (draft) => replaceFields(draft, schema.filled(draft) as typeof draft),
    empty: { apiVersion: apiVersionOf({ group, version }), kind },
    // A generated name gets a suffix: a dash may end the prefix.
    nameProblems: (name, isPrefix) => dns1123SubdomainProblems(isPrefix ? maskTrailingDash(name) : name),
    prepareForCreate(draft) {
      if (hasStatus) delete draft['status'];
      metadataOf(draft)['generation'] = 1;
    },
    validate(object, _context, preceding = []) {
      checkType(parts, object);
      return ownErrors(schema.validator.validate(object, { scale, preceding }), preceding);
    },
    warningsOnCreate: (object) => finalizerWarnings(object),
    prepareForUpdate(draft, old) {
      if (hasStatus) {
        if (old['status'] === undefined) delete draft['status'];
        else draft['status'] = draftOf({ status: old['status'] })['status'] as MutableJson;
      }
      if (!isSameButMetadata(draft, old)) metadataOf(draft)['generation'] = generationOf(old) + 1;
    },
    validateUpdate(object, old, { warn }, preceding = []) {
      checkType(parts, object);
      return ownErrors(schema.validator.validate(object, { old, scale, onWarning: warn, preceding }), preceding);
    },
    warningsOnUpdate: (object, old) => finalizerWarnings(object, old),
    canonicalize: sortDraft,
    allowsCreateOnUpdate: false,
    allowsUnconditionalUpdate: false,
    returnsDeleted: false,
  };
}

/** Source: apiextensions-apiserver, `pkg/registry/customresource/status_strategy.go`. */
export function customResourceStatusStrategy(parts: StrategyParts): StatusStrategy {
  const { schema, scale } = parts;
  return {
    prepareForUpdate(draft, old) {
      const { status, metadata } = draft;
      const managedFields = isObject(metadata) ? metadata['managedFields'] : undefined;
      const kept = draftOf(old);
      const keptMetadata = metadataOf(kept);
      if (managedFields === undefined) delete keptMetadata['managedFields'];
      else keptMetadata['managedFields'] = managedFields;
      if (status === undefined) delete kept['status'];
      else kept['status'] = status;
      replaceFields(draft, kept);
    },
    validateUpdate(object, old, { warn }, preceding = []) {
      checkType(parts, object);
      return ownErrors(schema.validator.validate(object, { old, scale, subresource: 'status', onWarning: warn, preceding }), preceding);
    },
    canonicalize: sortDraft,
  };
}

/** Those of the metadata come first, and are the caller's own. */
function ownErrors(errors: readonly FieldError[], preceding: readonly FieldError[]): readonly FieldError[] {
  return errors.slice(preceding.length);
}

/**
 * A body may be of another kind than its resource: nothing else of it is then looked at, and the answer names that kind.
 *
 * @throws StatusError 422
 */
function checkType({ group, version, kind }: StrategyParts, object: JsonObject): void {
  const expected = apiVersionOf({ group, version });
  const given = { kind: textOf(object['kind']), apiVersion: textOf(object['apiVersion']) };
  const errors: readonly FieldError[] = [
    ...(given.kind === kind ? [] : [invalid('kind', given.kind, `must be ${kind}`)]),
    ...(given.apiVersion === expected ? [] : [invalid('apiVersion', given.apiVersion, `must be ${expected}`)]),
  ];
  if (errors.length === 0) return;
  const name = isObject(object['metadata']) ? textOf(object['metadata']['name']) : '';
  throw invalidObject({ group: groupVersionOf(given.apiVersion).group, kind: given.kind }, name, errors);
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** All fields but metadata count for the generation. */
function isSameButMetadata({ metadata: _metadata, ...fields }: JsonObject, { metadata: _old, ...olds }: JsonObject): boolean {
  return equalJson(fields, olds);
}

function generationOf({ metadata }: JsonObject): number {
  const generation: Json | undefined = isObject(metadata) ? metadata['generation'] : undefined;
  return typeof generation === 'number' ? generation : 0;
}
