import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldError } from '../../../../src/kubernetes/apimachinery/index.js';

/** The definitions of these seeds are given to the real server; the record holds its words on the first of them. */
export const SEEDS: readonly number[] = Array.from({ length: 150 }, (_, index) => index + 1);
export const RECORDED_SEEDS: readonly number[] = SEEDS.slice(0, 40);

export const refusalsFile: string = join(__dirname, '..', 'golden', 'rule-costs.json');

/** By seed: places and factors, and how many rules are named for the sum. */
export type RecordedRefusals = Readonly<Record<string, readonly string[]>>;

export const recordedRefusals = (): RecordedRefusals => JSON.parse(readFileSync(refusalsFile, 'utf8')) as RecordedRefusals;

const PREFIX = 'spec.validation.openAPIV3Schema';
const CONTRIBUTED = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';

/**
 * A definition's refusals in an order of their own, as the server goes through fields in none. The rules that it names for the sum are counted: among equally dear ones it names any.
 */
export function refusalLines(errors: readonly Pick<FieldError, 'field' | 'message'>[]): readonly string[] {
  const named = errors.filter(({ message }) => message.endsWith(CONTRIBUTED));
  const others = errors.filter((error) => !named.includes(error)).map(({ field, message }) => `${field}: ${message}`);
  return [...others.sort(), ...(named.length === 0 ? [] : [`${named.length} rules ${CONTRIBUTED}`])];
}

const EXCEEDS = /^Forbidden: (?:x-kubernetes-validations )?estimated .* exceeds budget by factor of (.*?) \(try simplifying .*\)$/;

/** {@link refusalLines} without what is the same in all of them. */
export function shortLines(errors: readonly Pick<FieldError, 'field' | 'message'>[]): readonly string[] {
  const short = errors.map(({ field, message }) => ({
    field: field.replace(PREFIX, '').replace('.properties[spec].properties', '').replace('.x-kubernetes-validations[0]', ''),
    message: EXCEEDS.exec(message)?.[1] ?? message,
  }));
  return refusalLines(short);
}
