import { duplicate, type FieldError, forbidden, invalid, notSupported, required, tooLong, tooMany } from '@keelson/kubernetes/apimachinery';

/**
 * Field validation as tables that are read down, beside Kubernetes' `validation.go`. The order of the errors, doubled errors and odd paths of the real
 * server are part of the contract: a table says them.
 */
export type Errors = readonly FieldError[];

/** Errors of the value at a path (`spec.ports[0].name`). Most rules pass over an absent value; those that need one say so. */
export type Rule<T> = (value: T | undefined, path: string) => Errors;

export function all<T>(...rules: readonly Rule<T>[]): Rule<T> {
  return (value, path) => rules.flatMap((rule) => rule(value, path));
}

/** Rules of the fields of an object, in the order in which the server looks at them. An absent object has none. */
export function shape<T extends object>(fields: { readonly [K in keyof T]?: Rule<NonNullable<T[K]>> }): Rule<T> {
  const rules = Object.entries(fields) as [keyof T & string, Rule<unknown>][];
  return (value, path) =>
    value === undefined ? [] : rules.flatMap(([name, rule]) => rule(value[name] ?? undefined, path === '' ? name : `${path}.${name}`));
}

export function each<T>(rule: Rule<T>): Rule<readonly T[]> {
  return (list = [], path) => list.flatMap((item, index) => rule(item, `${path}[${index}]`));
}

/** As {@link each}, with the path of the list: the server does not name the item. */
export function eachAt<T>(rule: Rule<T>): Rule<readonly T[]> {
  return (list = [], path) => list.flatMap((item) => rule(item, path));
}

/** Where a duplicate is reported: before or after the errors of the item, or instead of them; or between those of two rules. */
type Place<T> = 'first' | 'last' | 'instead' | { readonly before: Rule<T> };

function differing<T>(keyOf: (item: T) => unknown, suffix: string, [rule, place]: readonly [Rule<T>, Place<T>]): Rule<readonly T[]> {
  return (list = [], path) => {
    const seen = new Set<unknown>();
    return list.flatMap((item, index) => {
      const field = `${path}[${index}]`;
      const key = keyOf(item);
      const twice = seen.has(key) ? [duplicate(`${field}${suffix}`, key)] : [];
      seen.add(key);
      if (place === 'instead' && twice.length > 0) return twice;
      if (place === 'first' || place === 'instead') return [...twice, ...rule(item, field)];
      return [...rule(item, field), ...twice, ...(place === 'last' ? [] : place.before(item, field))];
    });
  };
}

/** Rules of items that differ in one field. */
export function unique<T extends object>(key: keyof T & string, rule: Rule<T>, place: Place<T>): Rule<readonly T[]> {
  return differing((item) => item[key], `.${key}`, [rule, place]);
}

/** Rules of texts that differ. */
export function distinct(rule: Rule<string>, place: Place<string>): Rule<readonly string[]> {
  return differing((text) => text, '', [rule, place]);
}

/** A rule for values of which something holds. */
export function when<T>(holds: (value: T) => boolean, rule: Rule<T>): Rule<T> {
  return (value, path) => (value !== undefined && holds(value) ? rule(value, path) : []);
}

/** Refuses values of which something holds, with one text. */
export function refuse<T>(isBad: (value: T) => boolean, text: string): Rule<T> {
  return (value, path) => (value !== undefined && isBad(value) ? [invalid(path, value, text)] : []);
}

/** One error for each text. */
export function texts(problems: (value: string) => readonly string[]): Rule<string> {
  return (value, path) => (value === undefined ? [] : problems(value).map((text) => invalid(path, value, text)));
}

/** Refuses quantities of which something holds: messages print them as texts. */
export function refuseAmount(isBad: (amount: number | string) => boolean, text: string): Rule<number | string> {
  return (amount, path) => (amount !== undefined && isBad(amount) ? [invalid(path, String(amount), text)] : []);
}

/** The field must be absent. */
export function absent<T>(text: string): Rule<T> {
  return (value, path) => (value === undefined ? [] : [forbidden(path, text)]);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** An empty text or list is as good as none. */
export function needed<T>(detail = ''): Rule<T> {
  return (value, path) => (isEmpty(value) ? [required(path, detail)] : []);
}

/** The rule, or one error if the value is empty. */
export function neededThen<T>(rule: Rule<T>, detail = ''): Rule<T> {
  return (value, path) => (isEmpty(value) ? [required(path, detail)] : rule(value, path));
}

/** The rule, unless the value is empty. */
export function filled<T>(rule: Rule<T>): Rule<T> {
  return (value, path) => (isEmpty(value) ? [] : rule(value, path));
}

export function oneOf(supported: readonly string[]): Rule<string> {
  return (value, path) => (value === undefined || supported.includes(value) ? [] : [notSupported(path, value, supported)]);
}

export function mustBeOneOf(supported: readonly string[]): Rule<string> {
  return neededThen(oneOf(supported));
}

export function atLeast(least: number, text = `must be greater than or equal to ${least}`): Rule<number> {
  return refuse((value) => value < least, text);
}

export function atMost(most: number, text = `must be less than or equal to ${most}`): Rule<number> {
  return refuse((value) => value > most, text);
}

export function between(least: number, most: number): Rule<number> {
  return refuse((value) => value < least || value > most, inclusiveRange(least, most));
}

export function inclusiveRange(least: number, most: number): string {
  return `must be between ${least} and ${most}, inclusive`;
}

/** In bytes. */
export function longest(bytes: number): Rule<string> {
  return (value = '', path) => (Buffer.byteLength(value) > bytes ? [tooLong(path, bytes)] : []);
}

export function atMostItems(most: number): Rule<readonly unknown[]> {
  return (list = [], path) => (list.length > most ? [tooMany(path, list.length, most)] : []);
}

/** The errors of rows that are read down: `condition && error`, or the errors of another rule. */
export function those(...rows: readonly (false | '' | 0 | null | undefined | FieldError | Errors)[]): Errors {
  return rows.flatMap((row) => row || []);
}
