import type { ValidationRule } from '@keelson/kubernetes/apimachinery';
import { escapePropertyName } from '@keelson/kubernetes/cel';
import { type FieldCount, fieldCountMessage, type Mark } from '../marks.js';
import { mentionsOldSelf } from './cel-text.js';
import { addRule, type ConversionContext, type Draft, type Place, refuse } from './context.js';
import { addFormat, formatProblem } from './convert-strings.js';
import { narrowCount, PROPERTIES } from './counts.js';
import type { Unwrapped } from './unwrap.js';

interface At {
  readonly context: ConversionContext;
  readonly place: Place;
}

/** Writes what the marks say into the schema. Rules keep the author's order; those that keelson adds to the same object follow. */
export function applyMarks(draft: Draft, { marks, nullable, core }: Unwrapped, at: At): void {
  const generated = draft['x-kubernetes-validations'] ?? [];
  delete draft['x-kubernetes-validations'];
  for (const mark of marks) applyMark(draft, mark, at);
  for (const rule of generated) addRule(draft, rule);
  const immutable = marks.some((mark) => mark.mark === 'immutable');
  if (immutable && nullable) {
    refuse(
      at.context,
      at.place,
      'k.immutable() on a nullable field: rules are not evaluated for null, so null would undo it; write .optional() instead of .nullable()',
    );
  }
  if (core._zod.def.type === 'union' && marks.some((mark) => mark.mark === 'preserveUnknown')) {
    refuse(at.context, at.place, 'k.preserveUnknown() on a union; put it on the field that holds the unknown part');
  }
}

function applyMark(draft: Draft, mark: Mark, at: At): void {
  switch (mark.mark) {
    case 'rule': {
      applyRule(draft, mark.rule, at);
      return;
    }
    case 'immutable': {
      applyRule(draft, { rule: 'self == oldSelf', message: 'field is immutable' }, at);
      return;
    }
    case 'set':
      draft['x-kubernetes-list-type'] = 'set';
      return;
    case 'listMap':
      draft['x-kubernetes-list-type'] = 'map';
      draft['x-kubernetes-list-map-keys'] = mark.keys;
      return;
    case 'atomic': {
      applyAtomic(draft, at);
      return;
    }
    case 'format': {
      applyFormat(draft, mark.format, at);
      return;
    }
    case 'properties': {
      applyPropertyCount(draft, mark, at);
      return;
    }
    case 'fields': {
      applyFieldCount(draft, mark, at);
      return;
    }
    case 'preserveUnknown':
      if (draft.type !== 'object') refuse(at.context, at.place, 'k.preserveUnknown() fits objects only; use k.json() for any JSON value');
      return;
    case 'builtin':
    case 'schema':
      return;
    default:
      refuse(
        at.context,
        at.place,
        `the mark ${JSON.stringify(mark satisfies never)} was made by another version of keelson; install one version`,
      );
  }
}

function applyRule(draft: Draft, rule: ValidationRule, { context, place }: At): void {
  if (mentionsOldSelf(rule.rule) && place.withoutIdentity !== undefined) {
    refuse(context, place, `oldSelf in "${rule.rule}": there is no older self to compare with, because ${place.withoutIdentity}`);
  }
  addRule(draft, rule);
}

function applyAtomic(draft: Draft, { context, place }: At): void {
  if (draft.type === 'array') draft['x-kubernetes-list-type'] ??= 'atomic';
  else if (draft.type === 'object') draft['x-kubernetes-map-type'] = 'atomic';
  else refuse(context, place, 'k.atomic() fits lists, records and objects only: every other value is atomic anyway');
}

function applyFormat(draft: Draft, format: string, { context, place }: At): void {
  const problem = draft.type === 'string' ? formatProblem(format) : `k.format('${format}') fits strings only`;
  if (problem !== undefined) refuse(context, place, problem);
  else addFormat(draft, format);
}

function applyPropertyCount(draft: Draft, { min, max }: { min?: number; max?: number }, { context, place }: At): void {
  if (draft.type !== 'object') {
    refuse(context, place, 'k.minProperties() and k.maxProperties() fit records and objects only; use .min() and .max()');
    return;
  }
  narrowCount(draft, { min, max }, { kind: PROPERTIES, at: { context, place } });
}

const HELPERS: Readonly<Record<FieldCount, string>> = { exactlyOne: 'k.oneOf', atMostOne: 'k.atMostOneOf', atLeastOne: 'k.atLeastOneOf' };

function applyFieldCount(
  draft: Draft,
  { require, fields }: { require: FieldCount; fields: readonly string[] },
  { context, place }: At,
): void {
  const helper = HELPERS[require];
  if (draft.properties === undefined) {
    refuse(context, place, `${helper}() fits objects with properties only`);
    return;
  }
  for (const field of fields) {
    const property = draft.properties[field];
    if (property === undefined)
      refuse(context, place, `${helper}('${field}'): the object has no such field; it has ${Object.keys(draft.properties).join(', ')}`);
    else if (draft.required?.includes(field))
      refuse(context, place, `${helper}('${field}'): the field is required, so it is always set; make it .optional()`);
    else if (property.default !== undefined)
      refuse(context, place, `${helper}('${field}'): the field has a default, so it is always set; leave the default out`);
  }
  const names = fields.map(escapePropertyName);
  if (names.includes(undefined)) {
    refuse(
      context,
      place,
      `${helper}(): CEL cannot reach a field named ${fields.filter((field) => escapePropertyName(field) === undefined).join(', ')}; rename it`,
    );
    return;
  }
  addRule(draft, { rule: fieldCountRule(require, names as readonly string[]), message: fieldCountMessage(require, fields) });
}

function fieldCountRule(require: FieldCount, names: readonly string[]): string {
  if (require === 'atLeastOne') return names.map((name) => `has(self.${name})`).join(' || ');
  const sum = names.map((name) => `(has(self.${name}) ? 1 : 0)`).join(' + ');
  return `${sum} ${require === 'atMostOne' ? '<= 1' : '== 1'}`;
}
