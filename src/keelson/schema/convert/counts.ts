import { type ConversionContext, type Draft, type Place, refuse } from './context.js';

interface At {
  readonly context: ConversionContext;
  readonly place: Place;
}

interface CountKind {
  readonly min: 'minLength' | 'minItems' | 'minProperties';
  readonly max: 'maxLength' | 'maxItems' | 'maxProperties';
  readonly unit: string;
}

export const LENGTH: CountKind = { min: 'minLength', max: 'maxLength', unit: 'characters' };
export const ITEMS: CountKind = { min: 'minItems', max: 'maxItems', unit: 'items' };
export const PROPERTIES: CountKind = { min: 'minProperties', max: 'maxProperties', unit: 'fields' };

/** Bounds of a number of characters, items or fields. The API server decodes whole numbers alone: it answers 400 to any other. */
export interface CountBounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** Adds bounds to those that are there: the narrower ones count. */
export function narrowCount(draft: Draft, { min, max }: CountBounds, { kind, at }: { kind: CountKind; at: At }): void {
  if (min !== undefined && isCount(min, { kind, at, isMinimum: true })) draft[kind.min] = Math.max(draft[kind.min] ?? 0, min);
  if (max !== undefined && isCount(max, { kind, at, isMinimum: false }))
    draft[kind.max] = Math.min(draft[kind.max] ?? Number.POSITIVE_INFINITY, max);
  const [lower = 0, upper = Number.POSITIVE_INFINITY] = [draft[kind.min], draft[kind.max]];
  if (lower > upper) refuse(at.context, at.place, `no value has at least ${lower} and at most ${upper} ${kind.unit}; mend the bounds`);
}

/** `false` for a bound that says nothing, and for one that is refused. */
function isCount(bound: number, { kind, at, isMinimum }: { kind: CountKind; at: At; isMinimum: boolean }): boolean {
  if (isMinimum ? bound <= 0 : bound === Number.POSITIVE_INFINITY) return false;
  const name = isMinimum ? 'minimum' : 'maximum';
  if (Number.isSafeInteger(bound) && bound >= 0) return true;
  const round = isMinimum ? Math.ceil(bound) : Math.floor(bound);
  const hint = Number.isSafeInteger(round) && round >= 0 ? `write ${round}` : 'write a whole number from 0 to 2^53 - 1, or leave it out';
  refuse(at.context, at.place, `${bound} as the ${name} number of ${kind.unit}: the API server takes whole numbers alone; ${hint}`);
  return false;
}
